// The fan-out reads tokens from memory; PostgreSQL is read once, and then only for changes.

internal import Logging
public import Postgres
public import ScoreTypes
internal import Synchronization

/// The tokens of open matches in owned buckets.
///
/// `run` must be running: it opens new builds and applies changes.
public final class ArenaIndex: Sendable {
    /// Receives tokens that were registered after their arena was built; runs on the index's task and must not block.
    public typealias LateTokenHandler = @Sendable ([LateToken]) -> Void

    let info: ConnectionInfo
    let pool: Pool
    let clock: ServiceClock
    let logger = Logger(label: "score.arena")
    let registry = Mutex(ArenaRegistry())
    let evictions = Mutex(EvictionQueue())
    let tail = Mutex(TailPosition())
    let pendingBuilds = Mutex(BuildQueue())
    let changesApplied = Atomic<Int>(0)
    /// Why the last read of changes failed; nil after one that succeeded.
    let failure = Mutex<PostgresError?>(nil)
    let wakeSignal = WakeSignal()
    /// Builds run one after the other; each match that opens and each change of ownership causes one.
    private let builds = AsyncMutex(waitersMax: .max)

    /// Makes an empty index.
    ///
    /// - `info`: For connections of its own: one that reads changes, and one during a build.
    /// - `pool`: For the writes that end rejected tokens.
    public init(info: ConnectionInfo, pool: Pool, clock: ServiceClock) {
        self.info = info
        self.pool = pool
        self.clock = clock
    }

    /// Holds exactly these buckets from now on; returns when they can be walked for all open matches.
    ///
    /// Other buckets are dropped at once.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer; `stopped` when `run` has ended.
    public func own(_ buckets: [Bucket]) async throws(FollowError) {
        try await building { try await self.fill(self.registry.withLock { $0.own(buckets) }) }
    }

    /// Reads the tokens of open matches that owned buckets lack.
    func complete() async throws(FollowError) {
        try await building { try await self.fill(self.registry.withLock { $0.gaps() }) }
    }

    /// Holds the tokens of a match; returns when they can be walked.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer; `stopped` when `run` has ended.
    public func open(_ match: MatchID) async throws(FollowError) {
        try await building { try await self.fill([self.registry.withLock { $0.open(match) }]) }
    }

    /// Drops the tokens of a match.
    public func close(_ match: MatchID) { registry.withLock { $0.close(match) } }

    /// Reads changes at once and not at the next poll, after a commit of this node.
    public func wake() { wakeSignal.fire() }

    private func building(_ body: @escaping @Sendable () async throws -> Void) async throws(FollowError) {
        // The lock has no bound on its waiters, so it refuses no call.
        _ = await builds.lock()
        defer { builds.unlock() }
        // A task of its own, so that a build continues when its caller is cancelled.
        try await FollowError.mapping { try await Task { try await body() }.value }
    }

    /// Reads gaps, and reads again those that are emptied meanwhile because their changes can no longer be read.
    private func fill(_ gaps: [ArenaRegistry.Gap]) async throws {
        var gaps = gaps.filter { !$0.buckets.isEmpty }
        while !gaps.isEmpty {
            try await build(gaps)
            gaps = registry.withLock { registry in gaps.compactMap { registry.gap(in: $0) } }
        }
    }

    private func build(_ gaps: [ArenaRegistry.Gap]) async throws {
        let start = clock.monotonic
        let connection = try await Connection.open(info, name: "arena-build", statementTimeout: nil)
        let built = try await ArenaBuilder.build(gaps, on: connection)
        await connection.close()
        logger.info(
            "tokens read",
            metadata: [
                "matches": "\(gaps.count)", "buckets": "\(gaps[0].buckets.count)", "tokens": "\(built.tokenCount)",
                "ms": "\((clock.monotonic - start).milliseconds)",
            ]
        )
        let answer = await withCheckedContinuation { (caller: CheckedContinuation<Result<Void, FollowError>, Never>) in
            let isQueued = pendingBuilds.withLock { $0.add(PendingBuild(gaps: gaps, built: built, caller: caller)) }
            if isQueued { wake() } else { caller.resume(returning: .failure(.stopped)) }
        }
        try answer.get()
    }
}
