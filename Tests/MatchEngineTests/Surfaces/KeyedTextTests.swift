// A phone with the table shows in English exactly the text that the server sends to one without it.

import Foundation
import LiveSurface
import ScoreTypes
import Testing

@testable import MatchEngine

@Suite struct KeyedTextTests {
    private static let scripts = KeyedMatches.all + Situation.all.map(\.script) + Gallery.scenes.map { $0.script() }

    private static func payload(
        _ replica: MatchReplica,
        _ event: Moment?,
        hasKeys: Bool
    ) throws -> NotificationPayload {
        let context = SurfaceContext(
            match: MatchID(unchecked: "1234567"),
            revision: 412,
            updatedAt: SurfaceTests.now,
            scheme: "score",
            event: event
        )
        return try SurfaceRenderer.notification(
            of: replica.state,
            info: try #require(replica.record.info),
            in: context,
            hasKeys: hasKeys
        )
    }

    private static func keys(of alert: NotificationPayload.Alert) -> [NotificationKey] {
        [alert.title, alert.subtitle, alert.body].compactMap { text in
            guard case .key(let name, let arguments) = text, let key = NotificationKey(name: name) else { return nil }
            #expect(arguments.count == key.argumentNames.count, "\(name)")
            return key
        }
    }

    @Test func everyMomentHasTheSameTextByKeyAndAsText() throws {
        var seen: Set<NotificationKey> = []
        for replica in Self.scripts.map(\.replica) {
            for event in replica.state.moments + [nil] {
                let text = try Self.payload(replica, event, hasKeys: false)
                let keyed = try Self.payload(replica, event, hasKeys: true)
                let english = keyed.aps.alert.formatted { NotificationKey(name: $0)?.english }
                #expect(english == text.aps.alert, "\(event?.key.text ?? "none")")
                #expect(keyed.liveSurface == text.liveSurface)
                seen.formUnion(Self.keys(of: keyed.aps.alert))
                let written = Data(SurfaceRenderer.bytes(of: keyed))
                #expect(written.count <= 2_048)
                #expect(try JSONDecoder().decode(NotificationPayload.self, from: written) == keyed)
                // The renderer adds what is for iOS alone.
                let sent = try JSONSerialization.jsonObject(with: written) as? NSDictionary
                let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(keyed)) as? NSDictionary
                let expected = try #require(encoded?.mutableCopy() as? NSMutableDictionary)
                let aps = try #require((expected["aps"] as? NSDictionary)?.mutableCopy() as? NSMutableDictionary)
                aps["mutable-content"] = 1
                expected["aps"] = aps
                #expect(sent == expected)
            }
        }
        #expect(Set(NotificationKey.allCases).subtracting(seen).map(\.name).sorted() == [], "no key is unused")
    }

    @Test func aWicketIsItsKeyWithNamesAndNumbers() throws {
        let wicket = try #require(Situation.all.first { $0.description == "a wicket in a chase" })
        let alert = try Self.payload(wicket.replica, wicket.event, hasKeys: true).aps.alert
        #expect(alert.title == NotificationText(.wicket))
        #expect(alert.subtitle == NotificationText(.scoreWithOvers, "MI", "87/6", "12.3", "CSK"))
        #expect(alert.body == NotificationText(.out, "Rohit Sharma", "c Kohli b Bumrah", "45", "32"))
    }

    @Test func aTextThatWasCutHasNoKey() {
        let long = String(repeating: "y", count: 200)
        let moment = Moment(
            "w:1:1",
            .wicket,
            .loud,
            subject: "x",
            title: NotificationText(.wicket),
            body: NotificationText(.out, long, "b x", "1", "2")
        )
        #expect(moment.keyed.title == NotificationText(.wicket))
        #expect(moment.body.count == EngineLimits.Alert.body && moment.keyed.body == .literal(moment.body))
        let hidden = NotificationText(.match, "a\u{1}", "b")
        let control = Moment("w", .wicket, .loud, subject: "x", title: hidden, body: "")
        #expect(!control.title.contains("\u{1}") && control.keyed.title == .literal(control.title))
    }
}
