// The work of each kind of sweep is in the targets that own the tables; here it is put together.

import FollowService
import LiveActivities
import MatchJournal
import Metrics
import Postgres
import ScoreTypes

/// Puts the sweeps of a node together.
struct SweepWorks: Sendable {
    /// How long data are kept.
    struct Ages: Sendable, Hashable {
        /// From the end of a match to its deletion.
        let matches: Duration
        /// From the newest call of a device to its erasure.
        let devices: Duration
    }

    let stores: FollowerStores
    let matches: EndedMatches
    /// nil on a node that pushes nothing.
    let silent: SilentActivitySweep?
    let ages: Ages

    /// The kinds that this node can run.
    var all: [SweepKind: SweepWork] {
        var works: [SweepKind: SweepWork] = [
            .matchClosure: step(
                "activity",
                count: stores.finished.countActivities,
                run: stores.finished.clearActivities
            ),
            .followExpiry: step("follow", count: stores.finished.countFollows, run: stores.finished.clearFollows),
            .retention: SweepWork(count: countRetention, run: retain),
        ]
        if let silent { works[.staleActivities] = Self.stale(silent) }
        return works
    }

    private static func stale(_ silent: SilentActivitySweep) -> SweepWork {
        SweepWork(
            isReady: { silent.isReady },
            count: { limit in
                let found = try await silent.count(limit: limit)
                return SweepFindings(count: found.count, hasMore: found.hasMore)
            },
            run: { limit in
                let done = try await silent.sweep(limit: limit)
                return SweepFindings(count: done.count, hasMore: done.hasMore)
            },
            aside: { if silent.isReady { try await silent.endExceptions(limit: ServerLimits.itemsPerSweep) } }
        )
    }

    /// A deletion from one table.
    private func step(
        _ table: String,
        count: @escaping @Sendable (Int) async throws(FollowError) -> Int,
        run: @escaping @Sendable (Int) async throws(FollowError) -> Int
    ) -> SweepWork {
        SweepWork(
            count: { limit in
                let found = try await count(limit)
                return SweepFindings(count: found, hasMore: found >= limit)
            },
            run: { limit in
                let deleted = try await run(limit)
                Self.note(deleted, in: table)
                return SweepFindings(count: deleted, hasMore: deleted >= limit)
            }
        )
    }

    @Sendable private func countRetention(_ limit: Int) async throws -> SweepFindings {
        let erased = try await stores.erased.count()
        let idle = try await stores.idle.count(unusedFor: ages.devices, in: stores.idle.currentBuckets, limit: limit)
        let ended = try await unused().count
        let hasMore = isFull(erased: erased, idle: idle, limit) || ended >= ServerLimits.matchesPerRetention
        return SweepFindings(count: erased + idle + ended, hasMore: hasMore)
    }

    /// Deletes and erases in steps of short transactions; what one sweep leaves, the next one takes.
    @Sendable private func retain(_ limit: Int) async throws -> SweepFindings {
        let erased = try await stores.erased.clear()
        Self.note(erased, in: "device")
        let idle = try await stores.idle.erase(unusedFor: ages.devices, in: stores.idle.currentBuckets, limit: limit)
        Self.note(idle, in: "idle_device")
        var done = SweepFindings(count: erased + idle)
        let ended = try await unused()
        for match in ended {
            guard done.count < limit else { break }
            guard let deleted = try await matches.delete(match, endedFor: ages.matches) else { continue }
            for (table, count) in deleted.rows { Self.note(count, in: table) }
            done.count += deleted.count
        }
        done.hasMore =
            done.count >= limit || ended.count >= ServerLimits.matchesPerRetention
            || isFull(erased: erased, idle: idle, limit)
        return done
    }

    /// Whether one of the steps about devices reached its own limit.
    private func isFull(erased: Int, idle: Int, _ limit: Int) -> Bool {
        erased >= FollowLimits.rowsPerDeletion || idle >= min(limit, FollowLimits.idleDevicesPerSweep)
    }

    /// Matches that ended long ago and have no follow, activity or progress: their own sweeps delete those first.
    private func unused() async throws -> [MatchID] {
        let ended = try await matches.find(endedFor: ages.matches, limit: ServerLimits.matchesPerRetention)
        guard !ended.isEmpty else { return [] }
        let inUse = try await stores.finished.inUse(ended)
        return ended.filter { !inUse.contains($0) }
    }

    private static func note(_ rows: Int, in table: String) {
        Counter(label: "score_retention_rows_total", dimensions: [("table", table)]).increment(by: rows)
    }
}

extension SweepService {
    /// The sweeps of a node by its settings; `silent` is nil on a node that pushes nothing.
    init(
        _ settings: ServerConfiguration,
        _ pool: Pool,
        _ stores: FollowerStores,
        silent: SilentActivitySweep?,
        _ membership: Membership,
        _ clock: ServiceClock
    ) {
        let works = SweepWorks(
            stores: stores,
            matches: EndedMatches(Journal(pool: pool)),
            silent: silent,
            ages: settings.retention
        )
        self.init(
            works.all,
            pool: pool,
            membership: membership,
            audit: PostgresAdminStore(pool: pool),
            node: settings.node,
            clock: clock
        )
    }
}
