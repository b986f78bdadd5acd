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
    @Test func aBallReloadsTheWidgetOfAPhone() async throws {
        let setup = try await NodeSetup()
        let first = try await FeedNode.report(Samples.deliveries(3), on: setup, as: "before")
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
            let next = try await FeedNode.report(Samples.deliveries(4), on: setup)
            try await eventually("the widget shows the ball", within: .seconds(20)) {
                let report = fleet.report(newest: next)
                return report.widgetsAtNewest == 1 && report.widgetReloads == 1
            }
            try await FeedNode.report(Samples.deliveries(5), on: setup)
            let statistics = setup.apple.statistics
            #expect(statistics.events["widgets"] == 1 && statistics.traps.isEmpty)
            running.cancel()
            await running.value
        }
        await setup.stop()
    }
}
