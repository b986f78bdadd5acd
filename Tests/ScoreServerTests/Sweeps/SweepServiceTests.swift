// One mechanism for all sweeps: lease, slot, dry run, report, audit entry and failures, over a real database.

import CoreMetrics
import FollowService
import MatchSamples
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct SweepServiceTests {
    /// Counts the work of a kind, and fails on demand.
    private final class Work: Sendable {
        private let runs = Mutex(0)
        private let isBroken = Mutex(false)
        let isReady = Atomic<Bool>(true)

        struct Broken: Error {}

        var count: Int { runs.withLock { $0 } }
        func breakDown(_ isBroken: Bool) { self.isBroken.withLock { $0 = isBroken } }

        var work: SweepWork {
            SweepWork(
                isReady: { self.isReady.load(ordering: .relaxed) },
                count: { limit in SweepFindings(count: min(5, limit), hasMore: limit < 5) },
                run: { limit in
                    if self.isBroken.withLock({ $0 }) { throw Broken() }
                    self.runs.withLock { $0 += 1 }
                    return SweepFindings(count: min(5, limit), hasMore: limit < 5)
                }
            )
        }
    }

    /// A node of the database that sweeps.
    private struct Sweeper {
        let work = Work()
        let membership: Membership
        let service: SweepService

        init(
            _ name: String,
            _ info: ConnectionInfo,
            _ pool: Pool,
            clock: ServiceClock = ServiceClock(),
            metrics: (any MetricsFactory)? = nil
        ) async throws {
            membership = Membership(
                info: info,
                node: NodeID(unchecked: name),
                clock: ServiceClock(),
                timeToLive: .seconds(600)
            )
            try await membership.join()
            service = SweepService(
                [.retention: work.work],
                pool: pool,
                membership: membership,
                audit: PostgresAdminStore(pool: pool),
                node: NodeID(unchecked: name),
                clock: clock,
                metrics: metrics
            )
        }

        func sweep(_ slot: String, limit: Int = 100, isDryRun: Bool = false) async throws -> SweepSummary {
            try await service.sweep(
                SweepOrder(kind: .retention, slot: slot, maxItems: limit, isDryRun: isDryRun, caller: "scheduler:cron")
            )
        }

        func status() async throws -> SweepStatus {
            try #require(try await service.status().first { $0.kind == .retention })
        }
    }

    @Test func oneNodeSweepsASlotOnce() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 4, name: "sweeps")
        let one = try await Sweeper("one", info, pool)
        let two = try await Sweeper("two", info, pool)
        let look = try await two.sweep("10:00", isDryRun: true)
        #expect(look.counts.scanned == 5 && look.counts.changed == 0 && look.isDryRun && one.work.count == 0)
        let first = try await one.sweep("10:00", limit: 3)
        #expect(first.counts.changed == 3 && first.counts.more && !first.isRepetition)
        let again = try await one.sweep("10:00")
        #expect(again.isRepetition && again.counts.changed == 3 && one.work.count == 1)
        let elsewhere = try await two.sweep("10:00")
        #expect(elsewhere.isRepetition && elsewhere.counts.changed == 3 && two.work.count == 0, "without the lease")
        await #expect(throws: SweepRefusal.leaseHeld) { try await two.sweep("10:01") }
        #expect(try await two.sweep("10:01", isDryRun: true).counts.scanned == 5, "a dry run needs no lease")
        await one.membership.resign()
        #expect(try await two.sweep("10:01").counts.changed == 5, "another node takes over")
        #expect(try await two.sweep("10:00").isRepetition, "it knows the slots of the first one")
        await #expect(throws: SweepRefusal.notHere) {
            try await two.service.sweep(SweepOrder(kind: .staleActivities, slot: "10:00", caller: "timer:two"))
        }
        two.work.isReady.store(false, ordering: .relaxed)
        await #expect(throws: SweepRefusal.notRecovered) { try await two.sweep("10:02") }
        await pool.close()
    }

    @Test func failuresAreListedUntilTheNextSuccess() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 4, name: "sweeps")
        let one = try await Sweeper("one", info, pool)
        let none = try await one.status()
        #expect(none.runs.isEmpty && none.nextAt == nil && none.holder == nil)
        _ = try await one.sweep("10:00")
        let good = try await one.status()
        #expect(good.failuresInARow == 0 && good.holder?.text == "one" && good.lastSuccess == good.runs.first?.at)
        one.work.breakDown(true)
        for slot in ["10:01", "10:02"] {
            await #expect(throws: Work.Broken.self) { try await one.sweep(slot) }
        }
        let bad = try await one.status()
        #expect(bad.failuresInARow == 2 && bad.lastSuccess == good.lastSuccess)
        #expect(
            bad.runs.map(\.slot) == ["10:02", "10:01", "10:00"] && bad.runs.first?.error?.contains("Broken") == true
        )
        one.work.breakDown(false)
        #expect(try await one.sweep("10:02").counts.changed == 5, "a failed slot is run again")
        #expect(try await one.status().failuresInARow == 0)
        await pool.close()
    }

    /// Without it a sweep that fails from the start has no time of a success, and raises no alert.
    @Test func theLastSuccessIsTheStartOfTheNodeUntilTheFirstSweep() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 4, name: "sweeps")
        let (registry, time) = (MetricRegistry(), ManualClock())
        let factory = PrometheusMetricsFactory(registry: registry)
        let one = try await Sweeper("one", info, pool, clock: time.clock(), metrics: factory)
        #expect(!PrometheusText.render(registry).contains("score_sweep_last_success"))
        let running = Task { await one.service.run() }
        let line = #"score_sweep_last_success_timestamp_seconds{kind="retention"} \#(time.now.seconds)"# + "\n"
        try await eventually("the start is stored") { PrometheusText.render(registry).contains(line) }
        running.cancel()
        await running.value
        #expect(one.work.count == 0)
        await pool.close()
    }

    /// A timer at a thousand times the usual speed, which the least wait slows down.
    @Test func theTimerSweepsAndRecordsWhatItChanged() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.pool.execute(
            Statement("update match set phase = 3, over_at = now() - interval '500 days'")
        )
        let admin = try await PostgresAdminStore(pool: setup.pool).headers(.admin)
        let clock = ServiceClock(speed: 1_000)
        try await setup.withWholeNode(name: "timed", clock: clock) { whole in
            try await eventually("the match is deleted") {
                try await setup.number(Statement("select count(*) from match")) == 0
            }
            try await eventually("it is in the audit log") {
                let answer = try await whole.internalClient.get("/admin/api/v1/audit?action=sweep.run", admin)
                return answer.json["items"]?.list.contains { $0["actor"]?.string == "timer:timed" } == true
            }
            // On a busy machine the lease may lapse for a moment.
            try await eventually("all kinds are listed, and the node has the lease of the last one") {
                let answer = try await whole.internalClient.get("/admin/api/v1/sweeps", admin)
                let sweeps = answer.json["items"]?.list ?? []
                #expect(sweeps.compactMap { $0["kind"]?.string } == SweepKind.allCases.map(\.rawValue))
                return sweeps.last?["leaseHolder"]?.string == "timed" && sweeps.last?["nextAt"]?.string != nil
            }
        }
        await setup.stop()
    }
}
