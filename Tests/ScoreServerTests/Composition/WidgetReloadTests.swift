// A whole node and simulated phones with the client of the apps: the widget of a phone shows a ball without its app.

import CurlTransfer
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite(.timeLimit(.minutes(3))) struct WidgetReloadTests {
    /// Writes a state of the match as a feed reports it; returns its revision.
    private static func report(balls: Int, on setup: NodeSetup, from node: String) async throws -> Int64 {
        let clock = ServiceClock()
        let membership = Membership(info: setup.info, node: NodeID(unchecked: node), clock: clock)
        try await membership.join()
        let writer = MatchWriter(
            match: Samples.match,
            feed: FeedID(unchecked: "test"),
            journal: Journal(pool: setup.pool),
            fence: { membership.fence() },
            clock: clock,
            committed: { _ in }
        )
        let snapshot = MatchSnapshot(
            info: Samples.info(),
            innings: [InningsInfo(ordinal: 1, batting: .first)],
            deliveries: Samples.deliveries(balls),
            status: StatusReport(status: .live),
            result: nil
        )
        let acceptance = try await writer.accept(SeenReply(snapshot, seenAt: clock.wall, source: .server))
        await membership.resign()
        guard case .applied(let revision) = acceptance else { return 0 }
        return revision.number
    }

    @Test func aBallReloadsTheWidgetOfAPhone() async throws {
        let setup = try await NodeSetup()
        let first = try await Self.report(balls: 3, on: setup, from: "before")
        // A state that an earlier node published long ago reloads no widget.
        try await setup.pool.execute(Statement("update publication set at = at - interval '1 hour'"))
        try await setup.withWholeNode { whole in
            // Of five phones with channels one has iOS 26.
            let fleet = PhoneFleet(
                PhoneFleetPlan(count: 5, channelShare: 1, seed: 20),
                match: Samples.match,
                server: PhoneServer(
                    host: "127.0.0.1",
                    port: whole.publicClient.port,
                    driver: TransferDriver(name: "phones")
                ),
                network: setup.apple,
                clock: ServiceClock()
            )
            let running = Task { await fleet.run() }
            try await fleet.enroll()
            try await eventually("the app has stored the snapshot", within: .seconds(20)) {
                fleet.report(newest: first).widgetsAtNewest == 1
            }
            #expect(setup.apple.statistics.events["widgets"] == nil)
            let next = try await Self.report(balls: 4, on: setup, from: "feed")
            try await eventually("the widget shows the ball", within: .seconds(20)) {
                let report = fleet.report(newest: next)
                return report.widgetsAtNewest == 1 && report.widgetReloads == 1
            }
            _ = try await Self.report(balls: 5, on: setup, from: "feed")
            let statistics = setup.apple.statistics
            #expect(statistics.events["widgets"] == 1 && statistics.traps.isEmpty)
            running.cancel()
            await running.value
        }
        await setup.stop()
    }
}
