// After the loss of all nodes the next ball waits until tokens are in memory; this measures how long.

import FollowService
import Postgres
import PushDispatcher
import ScoreTypes

/// Starts two nodes that share the buckets of a match, and times the pushes of its next ball.
struct AudienceTakeover: Sendable {
    let database: ConnectionInfo
    let sink: BenchSink
    let clock: ServiceClock

    /// Nodes that share the buckets.
    private static let nodes = 2
    /// Connections of a node's pool.
    private static let connections = 2

    /// Builds the tokens and sends a ball, as soon as each node has its own ones.
    func run(final match: MatchID, tokens: Int, _ tally: inout AudienceTally) async throws {
        let (progress, attempts) = (BenchProgress(), BenchAttempts())
        let start = clock.monotonic
        let built = try await withThrowingTaskGroup(of: (FanoutFixture, Duration).self) { group in
            for node in 0..<Self.nodes {
                group.addTask { try await serve(match, node, progress, attempts) }
            }
            var all: [(fixture: FanoutFixture, built: Duration)] = []
            for try await one in group { all.append(one) }
            return all
        }
        await progress.all(of: match, at: Self.revision)
        let end = clock.monotonic
        let seen = attempts.take(match)
        for node in built { await node.fixture.stop() }
        guard seen.accepted == tokens, let first = seen.firstAcceptedAt, let last = seen.lastAcceptedAt else {
            throw MeasurementFailure("\(seen.accepted) of \(tokens) tokens received the ball")
        }
        let slowest = built.map(\.built).max() ?? end
        tally.add("takeoverTokens", "takeover: tokens of the final", Double(tokens), .fact)
        tally.microseconds("takeoverBuildMicroseconds", "takeover: build on two nodes", slowest - start, tokens)
        tally.add("takeoverFirstPushSeconds", "takeover: first push after, s", (first - start).inSeconds, .fact)
        tally.add("takeoverLastPushSeconds", "takeover: last push after, s", (last - start).inSeconds, .fact)
        tally.microseconds("takeoverMicroseconds", "takeover: until the last push", last - start, tokens)
    }

    private static let revision: Int64 = 2

    /// Starts one node with its part of the buckets and publishes the ball; the time at which its tokens were read.
    private func serve(
        _ match: MatchID,
        _ node: Int,
        _ progress: BenchProgress,
        _ attempts: BenchAttempts
    ) async throws -> (FanoutFixture, Duration) {
        let pool = Pool(database, size: Self.connections, name: "bench-node")
        let arenas = ArenaIndex(info: database, pool: pool, clock: clock)
        let following = Task { await arenas.run() }
        let width = Bucket.count / Self.nodes
        try await arenas.own(Array(Bucket.all.dropFirst(node * width).prefix(width)))
        async let fixture = FanoutFixture(
            arenas: arenas,
            sink: sink,
            progress: progress,
            attempts: attempts,
            following: following
        )
        try await arenas.open(match)
        let built = clock.monotonic
        let ready = try await fixture
        await ready.dispatcher.publish(BenchPublication.make(match, revision: Self.revision, clock: clock))
        return (ready, built)
    }
}
