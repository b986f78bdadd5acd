// A ball reaches a million phones from memory; Postgres is asked once, and then only for what changes.

public import Logging
public import Postgres
public import ScoreTypes
internal import Synchronization

/// The tokens of open matches in owned buckets.
///
/// `run` must be running: it lets new builds in and keeps all current.
public final class ArenaIndex: Sendable {
    /// Receives tokens that were registered after their arena was built; runs on the index's task and must not block.
    public typealias LateTokenHandler = @Sendable ([LateToken]) -> Void

    /// Registrations of other nodes are found at this pace; those of this node wake the tail.
    public static let pollInterval = Duration.milliseconds(100)

    let info: ConnectionInfo
    let pool: Pool
    let clock: ServiceClock
    let logger: Logger
    let registry = Mutex(ArenaRegistry())
    let evictions = Mutex(EvictionQueue())
    let tail = Mutex(TailPosition())
    let joins = Mutex(JoinQueue())
    let changesApplied = Atomic<Int>(0)
    let wakeSignal = WakeSignal()
    /// Builds run one after the other; callers are the matches that open and the buckets that change hands.
    private let builds = AsyncMutex(waitersMax: .max)

    /// Makes an index that holds nothing.
    ///
    /// - `info`: For connections of its own: one that follows the changes, one while it builds.
    /// - `pool`: For ending dead tokens.
    public init(
        info: ConnectionInfo,
        pool: Pool,
        clock: ServiceClock,
        logger: Logger = Logger(label: "score.arena")
    ) {
        self.info = info
        self.pool = pool
        self.clock = clock
        self.logger = logger
    }

    /// Holds exactly these buckets from now on; returns when they can be walked for all open matches.
    ///
    /// What is no longer owned is gone at once.
    public func own(_ buckets: [Bucket]) async throws(FollowError) {
        try await building { try await self.fill(self.registry.withLock { $0.own(buckets) }) }
    }

    /// Reads whatever owned buckets lack of the open matches.
    func complete() async throws(FollowError) {
        try await building { try await self.fill(self.registry.withLock { $0.gaps() }) }
    }

    /// Holds the tokens of a match; returns when they can be walked.
    public func open(_ match: MatchID) async throws(FollowError) {
        try await building { try await self.fill([self.registry.withLock { $0.open(match) }]) }
    }

    /// Forgets the tokens of a match.
    public func close(_ match: MatchID) { registry.withLock { $0.close(match) } }

    /// Follows the changes soon, not at the next poll: somebody on this node has just committed some.
    public func wake() { wakeSignal.fire() }

    private func building(_ body: @escaping @Sendable () async throws -> Void) async throws(FollowError) {
        // The lock has no bound on its waiters, so it refuses no call.
        _ = await builds.lock()
        defer { builds.unlock() }
        do {
            // A task of its own: a build goes on when its caller is cancelled.
            try await Task { try await body() }.value
        } catch {
            throw FollowError(error)
        }
    }

    /// Reads gaps, and again what is emptied meanwhile because it can no longer be followed from where it was read.
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
        let built = try await connection.build(gaps)
        await connection.close()
        logger.info(
            "tokens read",
            metadata: [
                "matches": "\(gaps.count)", "buckets": "\(gaps[0].buckets.count)", "tokens": "\(built.tokenCount)",
                "ms": "\((clock.monotonic - start).milliseconds)",
            ]
        )
        let answer = await withCheckedContinuation { (caller: CheckedContinuation<Result<Void, FollowError>, Never>) in
            let isQueued = joins.withLock { $0.add(Join(gaps: gaps, built: built, caller: caller)) }
            if isQueued { wake() } else { caller.resume(returning: .failure(.stopped)) }
        }
        try answer.get()
    }
}

extension Connection {
    func build(_ gaps: [ArenaRegistry.Gap]) throws -> ArenaBuilder.Built {
        try ArenaBuilder.build(gaps, on: self)
    }
}
