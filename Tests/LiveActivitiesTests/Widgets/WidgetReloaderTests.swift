// Reloads of widgets from the journal through the store of followers and the dispatcher to a simulated APNs.

import FollowService
import MatchJournal
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct WidgetReloaderTests {
    private static let tokens = Statement("select count(*) from device where widget_token is not null")

    /// A follower whose widgets have a token.
    private func phone(
        _ number: Int,
        on node: PushNode,
        following matches: [MatchID] = [Samples.match],
        surfaces: FollowSurfaces = .all
    ) async throws {
        let device = PushSetup.device(number)
        _ = try await node.follow.devices.register(
            NewDevice(
                device: device,
                environment: .sandbox,
                bundleID: APNsTestAccount.bundleID,
                abilities: [],
                credentialHash: [UInt8](repeating: 1, count: 32)
            )
        )
        _ = try await node.follow.devices.setToken(
            DeviceTokenRegistration(
                device: device,
                kind: .widget,
                token: PushSetup.token(number),
                environment: .sandbox,
                clientSequence: 1
            )
        )
        for match in matches {
            let settings = FollowSettings(match: match, surfaces: surfaces)
            _ = try await node.follow.follows.put(settings, of: device, clientSequence: 1)
        }
    }

    /// Runs the body with a node that owns all buckets and reloads widgets.
    private func withWidgets(speed: Int, _ body: (PushSetup, PushNode) async throws -> Void) async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a", speed: speed)
        try await node.ownership.claim()
        let running = Task { await node.push.widgets.run() }
        do { try await body(setup, node) } catch { Issue.record(error) }
        running.cancel()
        await running.value
        await setup.stop(node)
    }

    @Test func aChangeReloadsTheWidgetsOfItsFollowersOnce() async throws {
        try await withWidgets(speed: 1) { setup, node in
            let screens = [1, 2, 3].map { setup.screen($0, .widget) }
            let other = MatchID(unchecked: "other")
            try await phone(1, on: node)
            try await phone(2, on: node, surfaces: [.standby])
            try await phone(3, on: node, following: [Samples.match, other])
            for balls in 7...9 { try await node.report(balls: balls) }
            try await eventually("the widgets are reloaded") { screens[0].all.count == 1 && screens[2].all.count == 1 }
            let push = try #require(screens[0].all.first)
            #expect(String(decoding: push.body, as: UTF8.self) == #"{"aps":{"content-changed":true}}"#)
            #expect(push.event == .widgets && push.priority == 5 && push.expiration == 0 && push.collapseID == nil)
            // The third phone's widgets were reloaded a moment ago.
            try await phone(4, on: node, following: [other])
            let fourth = setup.screen(4, .widget)
            try await node.report(other, balls: 2)
            try await eventually("the other match is sent") { fourth.all.count == 1 }
            #expect(screens.map(\.all.count) == [1, 0, 1])
            #expect(setup.apple.statistics.events["widgets"] == 3 && setup.apple.statistics.traps.isEmpty)
        }
    }

    @Test func aDeadTokenIsRemoved() async throws {
        try await withWidgets(speed: 1) { setup, node in
            let (screen, dead) = (setup.screen(1, .widget), setup.screen(2, .widget))
            try await phone(1, on: node)
            try await phone(2, on: node)
            #expect(try await setup.number(Self.tokens) == 2)
            setup.apple.unregister(token: PushSetup.token(2), at: ServiceClock().wall + .seconds(1))
            try await node.report()
            try await eventually("the dead token is gone") { try await setup.number(Self.tokens) == 1 }
            try await eventually("the other phone's widgets are reloaded") { screen.all.count == 1 }
            #expect(dead.all.isEmpty)
        }
    }

    @Test func laterChangesComeTogetherAfterTheSpacing() async throws {
        // A quarter of an hour is 900 ms.
        try await withWidgets(speed: 1_000) { setup, node in
            let screen = setup.screen(1, .widget)
            try await phone(1, on: node)
            try await node.report(balls: 7)
            try await eventually("the first change is sent") { screen.all.count == 1 }
            for balls in 8...20 { try await node.report(balls: balls) }
            try await eventually("the last change is sent") { screen.all.count >= 2 }
            #expect(screen.all.count < 14, "fewer reloads than changes")
        }
    }

    @Test func aWicketIsSentAtPriorityTen() async throws {
        // Five minutes are 300 ms.
        try await withWidgets(speed: 1_000) { setup, node in
            let screen = setup.screen(1, .widget)
            try await phone(1, on: node)
            try await node.report(balls: 7)
            try await eventually("the first change is sent") { screen.all.count == 1 }
            try await node.report(balls: 9, wicket: 7)
            try await eventually("the wicket is sent") { screen.all.count == 2 }
            #expect(screen.all.map(\.priority) == [5, 10])
        }
    }

    @Test(
        "the pushes of all matches together are bounded, with several pages for each match and with one",
        arguments: [(1, 2), (2, 1)] as [(Int, Int)]
    )
    func theBoundHoldsForAllMatchesTogether(page: Int, followers: Int) async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        try await node.ownership.claim()
        let widgets = WidgetReloader(
            node.follow.widgetAudience,
            node.push.dispatcher,
            node.ownership,
            ServiceClock(),
            scheme: "score",
            bounds: (page: page, underWay: 3)
        )
        var screens: [PhoneLog] = []
        for number in 1...5 {
            let match = MatchID(unchecked: "match-\(number)")
            for follower in 1...followers {
                screens.append(setup.screen(10 * number + follower, .widget))
                try await phone(10 * number + follower, on: node, following: [match])
            }
            try await node.report(match)
            try await eventually("it is published") { node.publications.current(match) != nil }
            widgets.note(try #require(node.publications.current(match)))
        }
        let arrivals = Mutex<[ContinuousClock.Instant]>([])
        await setup.apple.interfere { _ in
            arrivals.withLock { $0.append(.now) }
            return .delay(.milliseconds(600))
        }
        let running = Task { await widgets.run() }
        try await eventually("all are reloaded") { screens.allSatisfy { $0.all.count == 1 } }
        running.cancel()
        await running.value
        let times = arrivals.withLock { $0 }
        // Pushes that arrive within the time of an answer are open together.
        let open = times.map { last in times.count { $0 <= last && last - $0 < .milliseconds(300) } }
        #expect(times.count == 5 * followers && open.allSatisfy { $0 < 3 + page }, "\(open)")
        await setup.stop(node)
    }

    @Test func aPageEndsWhereTheNextOneBegins() async throws {
        try await withWidgets(speed: 1) { setup, node in
            for number in 1...7 { try await phone(number, on: node) }
            var found: [DeviceID] = []
            var cursor: AudienceCursor? = .start
            let buckets = try (#require(Bucket.all.first))...(#require(Bucket.all.last))
            while let after = cursor {
                let page = try await node.follow.widgetAudience.page(
                    of: Samples.match,
                    buckets: buckets,
                    without: [],
                    after: after,
                    limit: 3
                )
                #expect(page.members.count <= 3)
                found += page.members.map(\.device)
                cursor = page.next
            }
            #expect(found.count == 7 && Set(found) == Set((1...7).map { PushSetup.device($0) }))
        }
    }
}
