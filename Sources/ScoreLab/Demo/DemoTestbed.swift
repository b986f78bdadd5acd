// A demo adds a feed and phones to the shared test bed.

import CurlTransfer
import Foundation
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
    /// Whether the match has a winner.
    let hasWinner: Bool
    let fleet: PhoneFleet
    /// The server as phones reach it.
    let phoneServer: PhoneServer
    /// The servers; clients use the first one.
    let servers: [ServeProcess]
    let network: DemoNetwork
    let ownership = OwnershipChanges()
    /// How often a server is killed.
    let serverKills: Int

    /// The server that clients use.
    var server: ServeProcess { servers[0] }
    /// When a server was started again, in order.
    var restartTimes: [Instant] { servers.flatMap(\.restartTimes).sorted() }

    /// Starts all parts but the servers.
    init(
        _ options: DemoCommand,
        say: @escaping @Sendable (String) -> Void,
        undoneBy teardown: Teardown
    ) async throws {
        let clock = ServiceClock(speed: options.speed)
        let playback: PlaybackMatch
        serverKills = options.killServe
        (match, playback, hasWinner) = try Self.load(options.match)
        balls = playback.ballTimes.count
        feed = SimulatedFeed(matches: [playback], shape: FeedShapes.shape(of: .cricsheet), clock: clock)
        bed = try await Testbed.build(
            clock: clock,
            bounds: LabLimits.transfersOfPhones(options.followers, hasNetworkFaults: options.networkFaults > 0),
            keepsFolder: options.keep,
            say: say,
            undoneBy: teardown
        )
        journal = Journal(pool: bed.pool)
        let feedPort = try await bed.serve(feed)
        var network = DemoNetwork(share: options.networkFaults, seed: options.seed)
        var servers: [ServeProcess] = []
        for node in 0..<options.nodes {
            let settings = try await Self.settings(node, feedPort: feedPort, bed, &network)
            servers.append(try bed.server("demo-node-\(node + 1)", speed: options.speed, settings: settings))
        }
        let port = try await network.link(0, to: .clients, port: servers[0].publicPort)
        (self.servers, self.network) = (servers, network)
        phoneServer = PhoneServer(host: Testbed.host, port: port, driver: bed.driver)
        let plan = PhoneFleetPlan(
            count: options.followers,
            channelShare: options.channelShare,
            faultShare: options.phoneFaults,
            openShare: options.openApps,
            seed: options.seed
        )
        fleet = PhoneFleet(plan, match: match, server: phoneServer, network: bed.apns, clock: clock)
    }

    /// The settings of a server, with a link to each program that it talks to when there are faults.
    private static func settings(
        _ node: Int,
        feedPort: Int,
        _ bed: Testbed,
        _ network: inout DemoNetwork
    ) async throws -> [String: String] {
        let apns = bed.apns
        let feed = try await network.link(node, to: .feed, port: feedPort)
        let push = try await network.link(node, to: .push, port: apns.pushPort)
        let channels = try await network.link(node, to: .channels, port: apns.managementPort)
        let database = try await network.database(node, of: bed)
        let settings = [
            "APNS_CONNECTIONS": "\(LabLimits.connections)",
            "APNS_CONNECTIONS_MAX": "\(LabLimits.connections)",
            "APNS_PUSH_PORT": "\(push)",
            "APNS_BROADCAST_PORT": "\(push)",
            "APNS_MANAGE_PORT": "\(channels)",
            "FEED_ID": "demo",
            "HTTP_INTERNAL_OPEN": "true",
            "CAPTURES_DIR": bed.folder.url.appending(path: "captures-\(node + 1)").path,
            "FEED_URL": "http://\(Testbed.host):\(feed)",
            "FEED_PLAIN_HTTP_HOSTS": Testbed.host,
        ]
        return settings.merging(database) { $1 }
    }

    /// The revision of the final publication; nil before there is one.
    func finalRevision() async throws -> Int64? {
        guard let head = try await journal.head(of: match), head.phase == .over else { return nil }
        return try await newestRevision()
    }

    /// The revision of the newest publication; 0 before there is one.
    func newestRevision() async throws -> Int64 {
        let rows = try await bed.pool.query(SQL.newest, [.text(match.text)]) { row in try row.int(0) }
        return rows.first ?? 0
    }

    /// The publications of the match, in order.
    func publications() async throws -> [PublishedRevision] {
        try await bed.pool.query(SQL.publications, [.text(match.text)]) { row in
            PublishedRevision(revision: try row.int(0), at: try row.int(1))
        }
    }

    /// The match to play, and whether it has a winner.
    private static func load(_ path: String?) throws -> (MatchID, PlaybackMatch, Bool) {
        let match = path.map { MatchID(MatchFile.id($0)) ?? MatchID(unchecked: "match") } ?? MatchID(unchecked: "demo")
        let id = ProviderMatchID(unchecked: match.text)
        guard let path else {
            let document = try CricsheetDocument(json: DemoMatch.document)
            let (stops, mistakes) = (DemoMatch.stops, DemoMatch.mistakes)
            let playback = try PlaybackMatch(id: id, document: document, stops: stops, mistakes: mistakes)
            return (match, playback, document.info.outcome?.winner != nil)
        }
        let (playback, hasWinner) = try MatchFile.read(path) { document in
            let playback = try PlaybackMatch(id: id, document: document, stops: [], mistakes: [])
            return (playback, document.info.outcome?.winner != nil)
        }
        return (match, playback, hasWinner)
    }

    private enum SQL {
        static let newest = Statement("select coalesce(max(rev), 0) from publication where match_id = $1")
        static let publications = Statement(
            "select rev, (extract(epoch from at) * 1000)::bigint from publication where match_id = $1 order by rev"
        )
    }
}
