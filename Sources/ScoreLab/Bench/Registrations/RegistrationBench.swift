// How many phones can register at once is measured through the very lanes that serve them.

import ArgumentParser
import CLinux
import FollowService
import Postgres
import ScoreTypes

/// Registers phones through the follow store, rotates their tokens, and times lone callers, beside a peer.
struct RegistrationBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registrations",
        abstract: "Register phones and rotate their tokens through the store's lanes, on a private, durable PostgreSQL."
    )

    @Option(help: "Phones that register, then rotate.")
    var rows = 1_000_000

    // Each waits for its own answer: two batches of each lane; more only fill caches.
    @Option(help: "Calls under way at once.")
    var callers = 8_000

    @Option(help: "Seconds for which single registrations are timed at 5,000 a second.")
    var singleSeconds = 10

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    /// Registrations a second while single calls are timed: the start of a match causes 300,000 a minute.
    private static let singlesPerSecond = 5_000
    /// Connections of the pool, as a node has them.
    private static let connections = 8

    func run() async throws { try await onOwnDatabase(measure).show(asJSON: json) }

    private func measure(on database: ConnectionInfo) async throws -> RegistrationFigures {
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
        let single = try await lone.registerOneByOne(
            count: Self.singlesPerSecond * singleSeconds,
            perSecond: Self.singlesPerSecond
        )
        await pool.close()
        return RegistrationFigures(
            rows: rows,
            newPerSecond: Double(rows) / fresh.inSeconds,
            rotatePerSecond: Double(rows) / rotated.inSeconds,
            peerNewPerSecond: Double(rows) / peer.fresh.inSeconds,
            peerRotatePerSecond: Double(rows) / peer.rotated.inSeconds,
            single: DurationSet(single)
        )
    }
}
