// A demo adds a feed and phones to the shared test bed.

import CurlTransfer
import Foundation
import Hummingbird
import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Simulators

/// The parts of a running demo.
struct DemoTestbed: Sendable {
    let bed: Testbed
    let match: MatchID
    let journal: Journal
    let feed: SimulatedFeed
    /// Deliveries of the match.
    let balls: Int
    let fleet: PhoneFleet
    let server: ServeProcess

    /// The simulated phones draw their tokens and ids from this seed.
    private static let fleetSeed: UInt64 = 2026

    /// Starts all parts but the server.
    static func build(
        _ options: DemoCommand,
        say: @escaping @Sendable (String) -> Void,
        undoneBy teardown: Teardown
    ) async throws -> DemoTestbed {
        let clock = ServiceClock(speed: options.speed)
        let (match, playback) = try load(options.match)
        let feed = SimulatedFeed(matches: [playback], shape: FeedShapes.shape(of: .cricsheet), clock: clock)
        let plan = Testbed.Plan(
            clock: clock,
            bounds: TransferBounds(connectionsPerHost: 48, idleConnections: 64),
            keepsFolder: options.keep,
            say: say
        )
        let bed = try await Testbed.build(plan, undoneBy: teardown)
        let feedPort = try await serve(feed, undoneBy: teardown)
        let server = try bed.server(
            "demo-node",
            speed: options.speed,
            settings: [
                "FEED_ID": "demo",
                "FEED_URL": "http://\(Testbed.host):\(feedPort)",
                "FEED_PLAIN_HTTP_HOSTS": Testbed.host,
            ]
        )
        let fleet = PhoneFleet(
            count: options.followers,
            channelShare: options.channelShare,
            match: match,
            seed: fleetSeed,
            api: PhoneAPI(host: Testbed.host, port: server.publicPort, driver: bed.driver),
            network: bed.apns,
            clock: clock
        )
        let journal = Journal(pool: bed.pool)
        return DemoTestbed(
            bed: bed,
            match: match,
            journal: journal,
            feed: feed,
            balls: playback.ballTimes.count,
            fleet: fleet,
            server: server
        )
    }

    /// The revision of the final publication; nil before there is one.
    func finalRevision() async throws -> Int64? {
        guard let head = try await journal.head(of: match), head.phase == .over else { return nil }
        let rows = try await bed.pool.query(SQL.newest, [.text(match.text)]) { row in try row.int(0) }
        return rows.first
    }

    private static func load(_ path: String?) throws -> (MatchID, PlaybackMatch) {
        guard let path else { return (MatchID(unchecked: "demo"), try playback("demo", DemoMatch.load())) }
        guard let data = FileManager.default.contents(atPath: path) else { throw LabError.notReadable(path: path) }
        let match =
            MatchID(URL(filePath: path).deletingPathExtension().lastPathComponent) ?? MatchID(unchecked: "match")
        do throws(AdapterError) {
            return (match, try playback(match.text, PlayedMatch(document: Array(data))))
        } catch {
            throw LabError.notCricsheet(reason: "\(error)")
        }
    }

    private static func playback(_ id: String, _ played: PlayedMatch) throws(AdapterError) -> PlaybackMatch {
        try PlaybackMatch(id: ProviderMatchID(unchecked: id), played: played)
    }

    /// Serves the feed on a free port.
    private static func serve(_ feed: SimulatedFeed, undoneBy teardown: Teardown) async throws -> Int {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let server = Task {
            defer { bound.finish() }
            try await SimulatedFeedServer.application(feed, host: Testbed.host, port: 0) { bound.yield($0) }.serve()
        }
        teardown.add { server.cancel() }
        for await port in ports { return port }
        try Task.checkCancellation()
        throw LabError.noFeed
    }

    private enum SQL {
        static let newest = Statement("select max(rev) from publication where match_id = $1")
    }
}
