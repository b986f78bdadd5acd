// The benchmark of streams writes balls to the journal itself, so that it knows the moment of each commit.

import CurlTransfer
import Foundation
import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Simulators

/// Servers of one database, and a match in play.
struct StreamsBed: Sendable {
    static let match = MatchID(unchecked: "bench")
    /// Balls that are bowled before the server starts.
    private static let firstBalls = 60

    let servers: [ServeProcess]
    private let bed: Testbed
    private let writer: MatchWriter
    private let clock: ServiceClock

    /// Starts the servers with the limits of production; they serve the match when this returns.
    static func start(nodes: Int, undoneBy teardown: Teardown) async throws -> StreamsBed {
        let bed = try await Testbed.build(keepsFolder: false, say: { _ in }, undoneBy: teardown)
        try await Migrations.apply(to: bed.cluster.connectionInfo)
        let clock = ServiceClock()
        let membership = Membership(
            info: bed.cluster.connectionInfo,
            node: NodeID(unchecked: "bench"),
            clock: clock,
            timeToLive: .seconds(86_400)
        )
        try await membership.join()
        teardown.add { await membership.resign() }
        let servers = try (1...nodes).map { number in
            let settings = ["LIMITS_STREAM_OPEN": "20/60s", "LIMITS_STREAM_OPEN_ALL": "500/1s"]
            return try bed.server("bench-node-\(number)", speed: 1, settings: settings)
        }
        let writer = MatchWriter(
            match: match,
            feed: FeedID(unchecked: "bench"),
            journal: Journal(pool: bed.pool),
            fence: { membership.fence() },
            clock: clock
        )
        let streams = StreamsBed(servers: servers, bed: bed, writer: writer, clock: clock)
        _ = try await streams.bowl(firstBalls)
        for server in servers { try server.start() }
        try await streams.waitUntilReady()
        return streams
    }

    /// Resident memory of all servers.
    var serverBytes: Int {
        servers.reduce(0) { $0 + ($1.processID.map { ProcessMeter.residentBytes(of: $0) } ?? 0) }
    }

    /// The servers' terms; one changes when its server did not renew it in time.
    func terms() async throws -> [Int64] {
        let names = servers.map(\.name.text)
        let terms = try await bed.pool.query(
            "select term from node where node_id = any($1) order by node_id",
            [.texts(names)]
        ) { try $0.int(0) }
        guard terms.count == names.count else { throw MeasurementFailure("a server is no node of its database") }
        return terms
    }

    /// How many streams the servers have ended for a reason since their start.
    func closedStreams(because reason: String) async throws -> Int {
        var sum = 0
        for server in servers {
            let url = "http://\(Testbed.host):\(server.internalPort)/metrics"
            let reply = try await bed.driver.perform(Transfer(url: url, security: .local([Testbed.host])))
            let series = "score_sse_closes_total{reason=\"\(reason)\"} "
            for line in String(decoding: reply.body, as: UTF8.self).split(separator: "\n") where line.hasPrefix(series)
            {
                sum += Int(Double(line.dropFirst(series.count)) ?? 0)
            }
        }
        return sum
    }

    /// Registers a phone at one of the servers; false when it was refused or not answered.
    func register(_ number: Int) async -> Bool {
        let transfer = LabRegistration.transfer(to: servers[number % servers.count])
        return (try? await bed.driver.perform(transfer))?.status == 201
    }

    /// Bowls one ball a second until cancelled, and passes on the revision and the time of each commit.
    func play(_ committed: @Sendable (Int64, Duration) -> Void) async throws {
        for ball in (Self.firstBalls + 1)...IngestBenchMatch.balls {
            try await Task.sleep(for: .seconds(1))
            let revision = try await bowl(ball)
            committed(revision.number, StreamCrowd.now)
        }
    }

    /// Kills the servers and starts them again; they serve the match when this returns.
    func restart() async throws {
        for server in servers { server.signal(SIGKILL) }
        while servers.contains(where: \.isRunning) { try await Task.sleep(for: LabLimits.exitPoll) }
        for server in servers { try server.start() }
        try await waitUntilReady()
    }

    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + LabLimits.serverReady
        for server in servers {
            let match = "http://\(Testbed.host):\(server.publicPort)/v1/matches/\(Self.match)"
            while true {
                if await bed.isReady(server), await bed.isFound(match) { break }
                guard ContinuousClock.now < deadline else {
                    throw MeasurementFailure("\(server.name) was not ready in time")
                }
                try await Task.sleep(for: LabLimits.demoPoll)
            }
        }
    }

    private func bowl(_ ball: Int) async throws -> Revision {
        let snapshot = try CricsheetAdapter().snapshot(
            of: CricsheetDocument(json: IngestBenchMatch.document(balls: ball))
        )
        let source = JournalSource(.cricsheet, FeedID(unchecked: "bench"))
        let reply = SeenReply(snapshot, seenAt: clock.wall, source: source)
        guard case .applied(let revision) = try await writer.accept(reply) else {
            throw MeasurementFailure("a new ball changed nothing")
        }
        return revision
    }
}
