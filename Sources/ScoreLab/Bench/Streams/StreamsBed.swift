// The benchmark of streams writes balls to the journal itself, so that it knows the moment of each commit.

import Foundation
import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreTypes

/// A server, and a match in play.
struct StreamsBed: Sendable {
    static let match = MatchID(unchecked: "bench")
    private static let node = NodeID(unchecked: "bench-node")
    /// Balls that are bowled before the server starts.
    private static let firstBalls = 60

    let server: ServeProcess
    private let bed: Testbed
    private let writer: MatchWriter
    private let clock: ServiceClock

    /// Starts the server with the limits of production; it serves the match when this returns.
    static func start(undoneBy teardown: Teardown) async throws -> StreamsBed {
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
        let server = try bed.server(
            node.text,
            speed: 1,
            settings: ["LIMITS_STREAM_OPEN": "20/60s", "LIMITS_STREAM_OPEN_ALL": "500/1s"]
        )
        let writer = MatchWriter(
            match: match,
            feed: FeedID(unchecked: "bench"),
            journal: Journal(pool: bed.pool),
            fence: { membership.fence() },
            clock: clock
        )
        let streams = StreamsBed(server: server, bed: bed, writer: writer, clock: clock)
        _ = try await streams.bowl(firstBalls)
        try server.start()
        try await streams.waitUntilReady()
        return streams
    }

    /// Resident memory of the server.
    var serverBytes: Int { server.processID.map { ProcessMeter.residentBytes(of: $0) } ?? 0 }

    /// The server's term; it changes when the server did not renew it in time.
    func term() async throws -> Int64 {
        let terms = try await bed.pool.query(
            "select term from node where node_id = $1",
            [.text(Self.node.text)]
        ) { try $0.int(0) }
        guard let term = terms.first else { throw MeasurementFailure("the server is no node of its database") }
        return term
    }

    /// Bowls one ball a second until cancelled, and passes on the revision and the time of each commit.
    func play(_ committed: @Sendable (Int64, Duration) -> Void) async throws {
        for ball in (Self.firstBalls + 1)...IngestBenchMatch.balls {
            try await Task.sleep(for: .seconds(1))
            let revision = try await bowl(ball)
            committed(revision.number, StreamCrowd.now)
        }
    }

    /// Kills the server and starts it again; it serves the match when this returns.
    func restart() async throws {
        server.signal(SIGKILL)
        while server.isRunning { try await Task.sleep(for: LabLimits.exitPoll) }
        try server.start()
        try await waitUntilReady()
    }

    private func waitUntilReady() async throws {
        let deadline = ContinuousClock.now + LabLimits.serverReady
        let match = "http://\(Testbed.host):\(server.publicPort)/v1/matches/\(Self.match)"
        while ContinuousClock.now < deadline {
            if await bed.isReady(server), await bed.isFound(match) { return }
            try await Task.sleep(for: LabLimits.demoPoll)
        }
        throw MeasurementFailure("the server was not ready in time")
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
