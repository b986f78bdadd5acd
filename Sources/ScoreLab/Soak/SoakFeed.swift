// A server sees new matches for ever; the simulated feed has them in rounds, at one address.

import Hummingbird
import MatchEngine
import Providers
import ScoreTypes
import Simulators

/// The feed of one round: matches with corrections, and faulty replies.
struct SoakFeed: Sendable {
    let feed: SimulatedFeed
    let matches: [MatchID]

    /// Lays out the matches of a round.
    ///
    /// - `plan`: The faults of balls and replies.
    init(round: Int, matches count: Int, plan: FaultPlan, clock: ServiceClock) throws {
        let document = try CricsheetDocument(json: DemoMatch.document)
        let ids = (1...count).map { "soak-\(round)-\($0)" }
        matches = ids.map { MatchID(unchecked: $0) }
        let playback = try ids.map { id in
            try PlaybackMatch(id: ProviderMatchID(unchecked: id), document: document, plan: plan)
        }
        feed = SimulatedFeed(
            matches: playback,
            shape: FeedShapes.shape(of: .cricsheet),
            plan: plan,
            clock: clock
        )
    }

    /// Serves the feed until cancelled.
    func serve(at port: Int) async throws {
        try await SimulatedFeedServer.application(feed, host: Testbed.host, port: port) { _ in }.serve()
    }
}
