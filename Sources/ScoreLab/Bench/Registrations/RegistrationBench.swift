// How many phones can register at once is measured through the very lanes that serve them.

import CLinux
import FollowService
import Postgres
import ScoreTypes

/// Registers phones through the follow store, rotates their tokens, and times lone callers, beside a peer.
struct RegistrationBench: Sendable {
    /// Phones that register, then rotate.
    let rows: Int
    /// Calls under way at once, each waiting for its own answer: two batches of each lane; more only fill caches.
    let callers: Int
    /// Registrations a second while single calls are timed: the start of a match causes 300,000 a minute.
    private static let singlesPerSecond = 5_000
    /// How long single calls are timed.
    let singleSeconds: Int
    /// Connections of the pool, as a node has them.
    private static let connections = 8

    func run(on database: ConnectionInfo) async throws -> RegistrationFigures {
        let clock = ServiceClock()
        let pool = Pool(database, size: Self.connections, name: "bench")
        let activities = Activities(pool: pool, clock: clock)
        let crowd = RegistrationLoad(
            activities: activities,
            followers: BenchFollowers(series: 1, startedAt: clock.wall)
        )
        // Made before the clock runs: what is measured is the store, not the making of phones.
        let first = crowd.followers.registrations(rows, round: 1)
        let second = crowd.followers.registrations(rows, round: 2)
        let peer = try await RegistrationPeer().run(first, second, on: database)
        let fresh = try await crowd.registerAll(first, callers: callers)
        let rotated = try await crowd.registerAll(second, callers: callers)
        // Pending writes of the load are flushed now, and not while single calls are timed.
        let janitor = try await Connection.open(database, name: "bench-janitor", statementTimeout: nil)
        try await janitor.script("vacuum activity")
        try await janitor.script("checkpoint")
        await janitor.close()
        // So is the memory of two million calls: putting it together again took a lone caller's thread 0.4 s.
        malloc_trim(0)
        let lone = RegistrationLoad(
            activities: activities,
            followers: BenchFollowers(series: 2, startedAt: clock.wall)
        )
        let latencies = try await lone.registerOneByOne(
            count: Self.singlesPerSecond * singleSeconds,
            perSecond: Self.singlesPerSecond
        ).sorted()
        await pool.close()
        return RegistrationFigures(
            rows: rows,
            newPerSecond: Double(rows) / fresh.inSeconds,
            rotatePerSecond: Double(rows) / rotated.inSeconds,
            peerNewPerSecond: Double(rows) / peer.fresh.inSeconds,
            peerRotatePerSecond: Double(rows) / peer.rotated.inSeconds,
            singleP50Milliseconds: Self.percentile(50, of: latencies),
            singleP99Milliseconds: Self.percentile(99, of: latencies)
        )
    }

    private static func percentile(_ percent: Int, of sorted: [Double]) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }
}
