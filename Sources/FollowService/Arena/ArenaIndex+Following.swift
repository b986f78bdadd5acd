// One loop lets builds in, follows the changes, drops old ones and retries evictions, on a connection of its own.

internal import Logging
internal import Postgres
public import ScoreTypes
internal import Synchronization

extension ArenaIndex {
    /// Pause before the next attempt when Postgres is away: half a lease, so that a takeover is not slowed down.
    private static let retryPause = Duration.milliseconds(500)
    /// Two reads are at least this far apart, however often somebody wakes the loop.
    private static let readPause = Duration.milliseconds(5)
    /// Old changes dropped at once, between two reads.
    private static let pruneRowsMax = 5_000

    /// Keeps the arenas current until the task is cancelled; continues after failures of Postgres.
    ///
    /// - Parameter onLate: Receives tokens that were registered after their arena was built.
    public func run(onLate: LateTokenHandler = { _ in }) async {
        while !Task.isCancelled {
            do {
                try await followOnce(onLate)
            } catch {
                logger.warning("changes cannot be followed", metadata: ["error": "\(error)"])
                await wakeSignal.sleep(Self.retryPause)
            }
        }
        for join in joins.withLock({ $0.stop() }) { join.caller.resume(returning: .failure(.stopped)) }
    }

    private func followOnce(_ onLate: LateTokenHandler) async throws {
        let connection = try await Connection.open(info, name: "arena-tail")
        try await connection.script(ArenaStatements.planning)
        if let life = try await connection.query(ArenaStatements.life, decode: { try $0.text(0) }).first,
            tail.withLock({ $0.meets(life) }) == .another
        {
            startOver("another server, or another life of it, is followed")
        }
        while !Task.isCancelled {
            // First of all this fixes the position that builds have to catch up with.
            let hasMore = try await readChanges(on: connection, onLate)
            try await letBuildsIn(on: connection, onLate)
            retryEvictions()
            await prune()
            if !hasMore {
                await wakeSignal.sleep(Self.pollInterval)
                try? await Task.sleep(for: Self.readPause)
            }
        }
        await connection.close()
    }

    /// What is held may miss changes that nobody will tell any more: all is read again.
    private func startOver(_ reason: String) {
        logger.error("all tokens are read again", metadata: ["reason": "\(reason)"])
        tail.withLock { $0.reset() }
        registry.withLock { $0.empty() }
        Task { await refill() }
    }

    /// Reads what is missing of the buckets that are owned by then, which may be others than a moment ago.
    private func refill() async {
        while true {
            do {
                return try await complete()
            } catch FollowError.stopped {
                return
            } catch {
                logger.warning("tokens cannot be read again", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: Self.retryPause)
            }
        }
    }

    private func letBuildsIn(on connection: Connection, _ onLate: LateTokenHandler) async throws {
        while let join = joins.withLock({ $0.first }) {
            var additions = join.built.additions
            for gap in join.gaps { additions += try await catchUp(gap, from: join.built.horizon, on: connection) }
            registry.withLock { registry in join.gaps.forEach { registry.open($0) } }
            joins.withLock { $0.finish() }
            join.caller.resume(returning: .success(()))
            if !additions.isEmpty { onLate(additions) }
        }
    }

    /// Applies what changed in a match since its snapshot; the tail stands still meanwhile, so nothing falls between.
    private func catchUp(
        _ gap: ArenaRegistry.Gap,
        from horizon: Int64,
        on connection: Connection
    ) async throws -> [LateToken] {
        var additions: [LateToken] = []
        var position = horizon
        while true {
            let step = try await connection.readChanges(
                from: position,
                to: connection.changeHorizon(),
                matches: [gap.match],
                buckets: gap.buckets
            )
            for change in step.changes {
                if let addition = apply(change, to: gap.arena) { additions.append(addition) }
            }
            if !step.hasMore { return additions }
            position = step.position
        }
    }

    private func readChanges(on connection: Connection, _ onLate: LateTokenHandler) async throws -> Bool {
        let horizon = try await connection.changeHorizon()
        if tail.withLock({ $0.hasMissed(horizon) }) { startOver("changes were not followed for too long") }
        let (matches, buckets) = registry.withLock { ($0.matches, Array($0.owned)) }
        let start = tail.withLock { $0.position } ?? horizon.oldest
        let step = try await connection.readChanges(
            from: start,
            to: horizon,
            matches: Array(matches.keys),
            buckets: buckets
        )
        let additions = step.changes.compactMap { change in
            matches[change.key.match].flatMap { arena in
                arena[Bucket(of: change.key.device)].isOpen ? apply(change, to: arena) : nil
            }
        }
        tail.withLock { $0.advance(from: start, to: step.position, next: horizon.next, at: clock.monotonic) }
        if !additions.isEmpty { onLate(additions) }
        return step.hasMore
    }

    private func apply(_ change: ChangeTail.Changed, to arena: MatchArena) -> LateToken? {
        changesApplied.add(1, ordering: .relaxed)
        if let generation = change.generation, change.token != nil {
            // Refused by APNs and taken out here already; the table will follow.
            let isEvicted = registry.withLock { $0.isEvicted(change.key, generation: generation) }
            if isEvicted { return nil }
        }
        return ChangeTail.apply(change, to: arena)
    }

    /// Drops old changes, a few at a time; several nodes may do so beside each other.
    private func prune() async {
        guard let limit = tail.withLock({ $0.droppable(at: clock.monotonic) }) else { return }
        do {
            let count = try await pool.execute(ArenaStatements.prune, [.int(limit), .int(Int64(Self.pruneRowsMax))])
            if count < Self.pruneRowsMax { tail.withLock { $0.dropped(below: limit) } }
        } catch {
            logger.warning("old changes cannot be dropped", metadata: ["error": "\(error)"])
        }
    }
}

extension Connection {
    func changeHorizon() throws -> ChangeTail.Horizon { try ChangeTail.horizon(on: self) }

    func readChanges(
        from position: Int64,
        to horizon: ChangeTail.Horizon,
        matches: [MatchID],
        buckets: [Bucket]
    ) throws -> ChangeTail.Step {
        try ChangeTail.read(from: position, to: horizon, matches: matches, buckets: buckets, on: self)
    }
}
