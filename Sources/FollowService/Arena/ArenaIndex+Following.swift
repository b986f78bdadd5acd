// One loop opens builds, reads changes, deletes old ones and retries evictions, on a connection of its own.

internal import Logging
internal import Postgres
public import ScoreTypes
internal import Synchronization

extension ArenaIndex {
    /// Keeps the arenas current until the task is cancelled; continues after failures of PostgreSQL.
    ///
    /// - Parameter onLate: Receives tokens that were registered after their arena was built.
    public func run(onLate: LateTokenHandler = { _ in }) async {
        while !Task.isCancelled {
            do {
                try await followOnce(onLate)
            } catch {
                logger.warning("changes cannot be followed", metadata: ["error": "\(error)"])
                failure.withLock { $0 = error as? PostgresError ?? PostgresError(.other, message: "\(error)") }
                await wakeSignal.sleep(FollowLimits.arenaRetryPause)
            }
        }
        for build in pendingBuilds.withLock({ $0.stop() }) { build.caller.resume(returning: .failure(.stopped)) }
    }

    private func followOnce(_ onLate: LateTokenHandler) async throws {
        let connection = try await Connection.open(info, name: "arena-tail")
        try await connection.script(ArenaStatements.planning)
        if let life = try await connection.query(ArenaStatements.life, decode: { try $0.text(0) }).first,
            tail.withLock({ $0.changesServer(to: life) })
        {
            rebuild("the database server was restarted or replaced")
        }
        while !Task.isCancelled {
            // This fixes the position that builds have to reach.
            let hasMore = try await readChanges(on: connection, onLate)
            try await openBuilds(on: connection, onLate)
            retryEvictions()
            await prune()
            if !hasMore {
                await wakeSignal.sleep(FollowLimits.changePollInterval)
                try? await Task.sleep(for: FollowLimits.changeReadPause)
            }
        }
        await connection.close()
    }

    /// Reads all tokens again, since the arenas may miss changes that can no longer be read.
    private func rebuild(_ reason: String) {
        logger.error("all tokens are read again", metadata: ["reason": "\(reason)"])
        tail.withLock { $0.reset() }
        registry.withLock { $0.empty() }
        Task { await refill() }
    }

    /// Reads the missing tokens of the buckets that are owned at that time.
    private func refill() async {
        while true {
            do {
                return try await complete()
            } catch FollowError.stopped {
                return
            } catch {
                logger.warning("tokens cannot be read again", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: FollowLimits.arenaRetryPause)
            }
        }
    }

    private func openBuilds(on connection: Connection, _ onLate: LateTokenHandler) async throws {
        while let build = pendingBuilds.withLock({ $0.first }) {
            var additions = build.built.additions
            for gap in build.gaps { additions += try await catchUp(gap, from: build.built.horizon, on: connection) }
            registry.withLock { registry in build.gaps.forEach { registry.open($0) } }
            pendingBuilds.withLock { $0.finish() }
            build.caller.resume(returning: .success(()))
            if !additions.isEmpty { onLate(additions) }
        }
    }

    /// Applies the changes of a match since its snapshot; the tail does not advance meanwhile, so that none is missed.
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
        if tail.withLock({ $0.hasMissed(horizon) }) { rebuild("changes were deleted before they were read") }
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
        failure.withLock { $0 = nil }
        if !additions.isEmpty { onLate(additions) }
        return step.hasMore
    }

    private func apply(_ change: ChangeTail.Changed, to arena: MatchArena) -> LateToken? {
        changesApplied.add(1, ordering: .relaxed)
        if let generation = change.generation, change.token != nil {
            // APNs rejected it and it was removed here; the table follows.
            let isEvicted = registry.withLock { $0.isEvicted(change.key, generation: generation) }
            if isEvicted { return nil }
        }
        return ChangeTail.apply(change, to: arena)
    }

    /// Deletes some old changes; several nodes may do so at once.
    private func prune() async {
        guard let limit = tail.withLock({ $0.droppable(at: clock.monotonic) }) else { return }
        do {
            let count = try await pool.execute(
                ArenaStatements.prune,
                [.int(limit), .int(Int64(FollowLimits.changesPerDeletion))]
            )
            if count < FollowLimits.changesPerDeletion { tail.withLock { $0.dropped(below: limit) } }
        } catch {
            logger.warning("old changes cannot be deleted", metadata: ["error": "\(error)"])
        }
    }
}
