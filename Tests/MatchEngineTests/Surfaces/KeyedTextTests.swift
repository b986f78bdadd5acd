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

    /// Wickets that are announced together: in one over, in two overs, in The Hundred.
    private static func digests() throws -> [(replica: MatchReplica, moment: Moment)] {
        try [(MatchScript.t20(), "W W"), (.t20(), "W 1 1 1 1 1 W"), (.t20(balls: 100, format: .hundred), "W 1 W")].map {
            var script = $0
            script.begin(.first)
            script.bowl($1)
            let wickets = script.state.moments.filter { $0.kind == .wicket }
            return (script.replica, try #require(WicketDigest.of(wickets, in: script.state).last))
        }
    }

    /// A match whose feed has taken a wicket back, and the correction of its alert.
    private static func correction() throws -> (MatchReplica, Moment) {
        func script(_ marks: String) -> MatchScript {
            var script = MatchScript.t20()
            script.begin(.first)
            script.bowl(marks)
            return script
        }
        let now = script("1 1 1")
        let alert = try #require(script("1 1 W").state.moments.last { $0.kind == .wicket })
        return (now.replica, alert.correction(now: nil, in: now.state, info: now.info))
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
        for digest in try Self.digests() {
            seen.formUnion(Self.keys(of: try Self.payload(digest.replica, digest.moment, hasKeys: true).aps.alert))
        }
        let (replica, correction) = try Self.correction()
        seen.formUnion(Self.keys(of: try Self.payload(replica, correction, hasKeys: true).aps.alert))
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
