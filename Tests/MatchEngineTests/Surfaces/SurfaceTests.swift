// Every match on every surface: strictly decodable, within its limits, mapped as the publication rules say.

import Foundation
import LiveSurface
import ScoreTypes
import Testing

@testable import MatchEngine

@Suite struct SurfaceTests {
    static let now = Instant(milliseconds: 1_795_253_400_123)

    private static func draw(
        _ form: SurfaceForm,
        _ situation: Situation,
        hasEvent: Bool = false,
        isQuiet: Bool = false,
        scheme: String = "score"
    ) throws -> SurfaceSnapshot {
        let replica = situation.replica
        let context = SurfaceContext(
            match: MatchID(unchecked: "1234567"),
            revision: 412,
            updatedAt: now,
            scheme: scheme,
            event: hasEvent ? situation.event : nil,
            isQuiet: isQuiet
        )
        let info = replica.record.info ?? situation.script.info
        return try SurfaceRenderer.snapshot(form, of: replica.state, info: info, in: context)
    }

    @Test(arguments: Situation.all) func everySurfaceDecodesStrictlyWithinItsLimits(situation: Situation) throws {
        for form in SurfaceForm.every {
            for (hasEvent, isQuiet) in [(false, false), (true, false), (true, true)] {
                let snapshot = try Self.draw(form, situation, hasEvent: hasEvent, isQuiet: isQuiet)
                let bytes = SurfaceRenderer.bytes(of: snapshot)
                #expect(bytes.count <= 2_048, "\(form)")
                #expect(try JSONDecoder().decode(SurfaceSnapshot.self, from: Data(bytes)) == snapshot)
                let written = try JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary
                let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(snapshot)) as? NSDictionary
                #expect(written == encoded)
                #expect(snapshot.deepLink == "score://match/1234567")
                #expect(snapshot.surfaceId == "match-1234567")
                #expect(snapshot.updatedAt.description == "2026-11-21T09:30:00Z")
            }
        }
    }

    @Test(arguments: Situation.all) func pushedContentFitsAndMatchesTheTypes(situation: Situation) throws {
        let payload = try Self.draw(.notification, situation, hasEvent: true).notificationPayload()
        let written = Data(SurfaceRenderer.bytes(of: payload))
        #expect(written.count <= 2_048)
        #expect(try JSONDecoder().decode(NotificationPayload.self, from: written) == payload)
        let sent = try JSONSerialization.jsonObject(with: written) as? NSDictionary
        // The contract leaves the key for service extensions to the sender.
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(payload))
        var expected = try #require(encoded as? [String: Any])
        var aps = try #require(expected["aps"] as? [String: Any])
        aps["mutable-content"] = 1
        expected["aps"] = aps
        #expect(sent == expected as NSDictionary)
        let activity = try Self.draw(.liveActivity, situation, hasEvent: true)
        let content = try activity.contentState()
        let bytes = SurfaceRenderer.bytes(of: content)
        #expect(bytes.count <= 1_024)
        let decoder = JSONDecoder()
        let read = try decoder.decode(MobileSurfacesActivityAttributes.ContentState.self, from: Data(bytes))
        #expect(read == content)
        let attributes = try activity.activityAttributes()
        let start = SurfaceRenderer.bytes(of: attributes)
        #expect(try decoder.decode(MobileSurfacesActivityAttributes.self, from: Data(start)) == attributes)
    }

    private static func named(_ name: String) throws -> Situation {
        try #require(Situation.all.first { $0.description == name })
    }

    @Test(arguments: [
        ("before the toss", SurfaceSnapshot.State.queued, SurfaceSnapshot.Stage.prompted, 0.0),
        ("the first innings", .active, .inProgress, 0.029), ("the innings break", .paused, .inProgress, 0.5),
        ("a chase", .active, .inProgress, 0.812), ("rain", .paused, .inProgress, 0.812),
        ("a timeout", .paused, .inProgress, 0.812), ("stumps", .paused, .inProgress, 0.447),
        ("lunch", .paused, .inProgress, 0.447), ("a super over", .active, .inProgress, 1),
        ("the hundred", .active, .inProgress, 0.315), ("a result", .completed, .completing, 1),
        ("no result", .completed, .completing, 1), ("abandoned", .completed, .completing, 1),
        ("a draw", .completed, .completing, 1),
    ]) func theMatchStateIsMapped(
        name: String,
        state: SurfaceSnapshot.State,
        stage: SurfaceSnapshot.Stage,
        progress: Double
    ) throws {
        let snapshot = try Self.draw(.liveActivity, Self.named(name))
        #expect(snapshot.state == state)
        let content = try snapshot.contentState()
        #expect(content.stage == stage)
        #expect(content.progress == progress)
    }

    @Test func quietHoursSuppressTheAlertOfAMoment() throws {
        let wicket = try Self.named("a wicket in a chase")
        let loud = try Self.draw(.notification, wicket, hasEvent: true)
        #expect(loud.state == .attention && loud.id == "match-1234567@412")
        let aps = try loud.notificationPayload().aps
        #expect(aps.alert.title == "Wicket!" && aps.alert.body == "Rohit Sharma c Kohli b Bumrah 45(32)")
        #expect(aps.alert.subtitle == "MI 87/6 (12.3) v CSK")
        #expect(aps.interruptionLevel == "time-sensitive" && aps.relevanceScore == 0.9)
        let quiet = try Self.draw(.notification, wicket, hasEvent: true, isQuiet: true)
        #expect(quiet.state == .badTiming && quiet.id != loud.id)
        #expect(try quiet.notificationPayload().aps.interruptionLevel == "passive")
        #expect(try Self.draw(SurfaceForm(.standby), wicket, isQuiet: true).standbyEntry().presentation == .night)
        // No alert can interrupt once the match is over.
        #expect(try Self.draw(SurfaceForm(.widget), Self.named("a result"), isQuiet: true).state == .completed)
    }

    @Test func theTextsAreThoseOfTheContentState() throws {
        let wicket = try Self.named("a wicket in a chase")
        let content = try Self.draw(.liveActivity, wicket).contentState()
        #expect(content.headline == "MI 87/6 (12.3)" && content.subhead == "MI need 83 from 45 balls")
        let accessory = try Self.draw(SurfaceForm(.lockAccessory), wicket).lockAccessoryEntry()
        #expect(accessory.shortText == "87/6" && accessory.gaugeValue == content.progress)
        #expect(try Self.draw(SurfaceForm(.control), wicket).controlValue().label == "MI v CSK")
        let tea = try Self.draw(SurfaceForm(.widget), Self.named("a Test at tea")).widgetEntry()
        #expect(tea.headline == "IND 245 & 87/6 (31.2)" && tea.subhead == "Day 3, tea: IND lead by 38")
    }

    @Test func everyFormHasItsOwnTextsAndId() throws {
        let wicket = try Self.named("a wicket in a chase")
        let small = try Self.draw(.widget(.systemSmall), wicket)
        #expect(try small.widgetEntry().subhead == "need 83 (45)" && small.widgetEntry().family == .systemSmall)
        #expect(small.id == "match-1234567@412+systemSmall")
        let large = try Self.draw(.widget(.systemLarge), wicket, isQuiet: true)
        #expect(try large.widgetEntry().subhead.hasPrefix("MI need 83 from 45 balls · "))
        #expect(large.id == "match-1234567@412+systemLarge+quiet")
        let circular = try Self.draw(.lockAccessory(.accessoryCircular), wicket).lockAccessoryEntry()
        #expect(circular.shortText == "87/6" && circular.gaugeValue != nil)
        let inline = try Self.draw(.lockAccessory(.accessoryInline), wicket).lockAccessoryEntry()
        #expect(inline.shortText == "MI 87/6" && inline.gaugeValue == nil)
        let toggle = try Self.draw(.control(.toggle, isOn: true), wicket).controlValue()
        #expect(toggle.value == true && toggle.intent == "FollowMatchIntent" && toggle.controlKind == .toggle)
        let button = try Self.draw(.control(.button, isOn: nil), wicket).controlValue()
        #expect(button.value == nil && button.intent == "OpenMatchIntent")
        #expect(try Self.draw(.standby(nil), wicket).standbyEntry().tint == nil)
        #expect(try Self.draw(.standby(nil), wicket, isQuiet: true).standbyEntry().tint == .monochrome)
        #expect(try Self.draw(.standby(.default), wicket, isQuiet: true).standbyEntry().tint == .default)
        #expect(Set(try SurfaceForm.every.map { "\($0.kind)\(try Self.draw($0, wicket).id)" }).count == 14)
    }

    @Test func anInvalidSchemeIsReported() {
        let scripts = Situation(description: "", script: .t20())
        for scheme in ["", "Score", "a b", "a_b"] {
            #expect(throws: SurfaceError.self) { try Self.draw(SurfaceForm(.widget), scripts, scheme: scheme) }
        }
    }
}

extension SurfaceForm {
    /// Every form of every kind.
    static var every: [SurfaceForm] {
        [.liveActivity, .notification, .control(.deepLink, isOn: nil), .control(.button, isOn: nil)]
            + [true, false].map { .control(.toggle, isOn: $0) }
            + SurfaceSnapshot.WidgetFamily.allCases.map { .widget($0) }
            + SurfaceSnapshot.AccessoryFamily.allCases.map { .lockAccessory($0) }
            + [nil, .monochrome].map { .standby($0) }
    }
}
