// A takeover is as fast as a million tokens can be read into memory, and a push as right as they are kept there.

import ArgumentParser
import FollowService
import Postgres
import ScoreTypes

/// Builds the arena of one match and follows rotations of another node.
struct ArenaBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "arena",
        abstract: "Build the tokens of one match in memory from a private PostgreSQL, and follow their rotation."
    )

    @Option(help: "Activities of the match.")
    var rows = 1_000_000

    @Option(help: "Rotations that are followed one by one.")
    var rotations = 200

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    /// Calls under way at once while the table is filled.
    private static let callers = 12_000
    /// Connections of the filling pool.
    private static let connections = 8

    func run() async throws { try await onOwnDatabase(measure).show(asJSON: json) }

    private func measure(on database: ConnectionInfo) async throws -> ArenaFigures {
        let clock = ServiceClock()
        let pool = Pool(database, size: Self.connections, name: "bench")
        // No wake-up reaches the index: the phones register with another node.
        let elsewhere = Activities(pool: pool, clock: clock)
        let match = MatchID(unchecked: "bench-arena")
        let followers = BenchFollowers(series: 3, startedAt: clock.wall, matches: [match])
        let load = RegistrationLoad(activities: elsewhere, followers: followers)
        _ = try await load.registerAll(followers.registrations(rows, round: 1), callers: Self.callers)

        let index = ArenaIndex(info: database, pool: pool, clock: clock)
        let following = Task { await index.run() }
        defer { following.cancel() }
        try await index.own(Bucket.all)
        let start = ContinuousClock.now
        try await index.open(match)
        let built = ContinuousClock.now - start
        let status = index.status
        guard status.tokenCount == rows else {
            throw MeasurementFailure("\(status.tokenCount) of \(rows) tokens were read")
        }

        let walked = Self.walk(index, match)
        var visible: [Duration] = []
        for number in 0..<rotations {
            visible.append(try await timeRotation(number, followers, elsewhere, index))
        }
        await pool.close()
        return ArenaFigures(
            tokens: rows,
            buildSeconds: built.inSeconds,
            bytesPerToken: Double(status.byteCount) / Double(max(1, status.tokenCount)),
            visible: DurationSet(visible),
            iterateNanosecondsPerToken: walked.inSeconds * 1e9 / Double(max(1, rows))
        )
    }

    /// From the phone's call to the new token in memory.
    private func timeRotation(
        _ number: Int,
        _ followers: BenchFollowers,
        _ elsewhere: Activities,
        _ index: ArenaIndex
    ) async throws -> Duration {
        let call = followers.registration(number, round: 2)
        let start = ContinuousClock.now
        guard case .registered(let generation) = try await elsewhere.register(call) else {
            throw MeasurementFailure("rotation \(number) was not written")
        }
        while index.token(of: call.match, device: call.device, generation: generation) == nil {
            guard ContinuousClock.now - start < LabLimits.rotationSeen else {
                throw MeasurementFailure("rotation \(number) was not seen within \(LabLimits.rotationSeen)")
            }
            try await Task.sleep(for: .milliseconds(1))
        }
        return ContinuousClock.now - start
    }

    /// Walks all tokens as a fan-out does, touching each.
    private static func walk(_ index: ArenaIndex, _ match: MatchID) -> Duration {
        let start = ContinuousClock.now
        var touched: UInt64 = 0
        for bucket in index.buckets(of: match) {
            var cursor: WalkCursor? = .start
            while let current = cursor, !current.isAtEnd {
                cursor = index.slice(match: match, bucket: bucket, before: current) { slice in
                    slice.forEach { entry in touched &+= UInt64(entry.token.first ?? 0) &+ entry.activity.device.low }
                }
            }
        }
        // Read, so that the walk cannot be optimised away.
        return touched == 0 ? .zero : ContinuousClock.now - start
    }
}
