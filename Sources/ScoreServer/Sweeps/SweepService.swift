// Timer, scheduler and operator run a sweep by the same way: a lease chooses the node, a slot runs once, a row reports.

import FollowService
import Logging
import Metrics
import Postgres
import ScoreTypes

/// Runs the sweeps of this node.
protocol SweepControl: Sendable {
    /// Sweeps for a slot, unless it was swept before; a dry run only counts, needs no lease and uses no slot.
    ///
    /// Throws `SweepRefusal`, or the error of the store.
    func sweep(_ order: SweepOrder) async throws -> SweepSummary
    /// The state of each kind.
    func status() async throws -> [SweepStatus]
}

/// A wanted sweep.
struct SweepOrder: Sendable, Hashable {
    let kind: SweepKind
    /// The time that the sweep stands for, as text; equal text returns the first sweep's summary.
    let slot: String
    /// Rows to change at most.
    var maxItems = ServerLimits.itemsPerSweep
    var isDryRun = false
    /// The timer of a node, a scheduler or an operator.
    let caller: String
}

/// Runs sweeps when they are due and when they are requested.
struct SweepService: SweepControl {
    /// The beginning of the caller of a timed sweep.
    static let timerPrefix = "timer:"

    /// The kinds that this node can run.
    let works: [SweepKind: SweepWork]
    let records: SweepRecords
    let nodes: NodeRecords
    let membership: Membership
    let audit: any AdminStore
    let node: NodeID
    let clock: ServiceClock
    /// nil for the factory of the process.
    private let metrics: (any MetricsFactory)?
    private let log = Logger(label: "score.sweep")

    init(
        _ works: [SweepKind: SweepWork],
        pool: Pool,
        membership: Membership,
        audit: any AdminStore,
        node: NodeID,
        clock: ServiceClock,
        metrics: (any MetricsFactory)? = nil
    ) {
        self.works = works
        records = SweepRecords(pool: pool, clock: clock)
        nodes = NodeRecords(pool: pool)
        (self.membership, self.audit, self.node, self.clock) = (membership, audit, node, clock)
        self.metrics = metrics
    }

    func sweep(_ order: SweepOrder) async throws -> SweepSummary {
        guard let work = works[order.kind] else { throw SweepRefusal.notHere }
        guard work.isReady() else { throw SweepRefusal.notRecovered }
        var summary = SweepSummary(kind: order.kind, slot: order.slot, isDryRun: order.isDryRun)
        let started = clock.monotonic
        if order.isDryRun {
            let found = try await work.count(order.maxItems)
            summary.counts = counts(found, changed: 0, since: started)
            return summary
        }
        // A node without the lease has the summary of a slot that was swept, too.
        if let stored = try await records.summary(kind: order.kind.rawValue, slot: order.slot) {
            (summary.counts, summary.isRepetition) = (.init(stored: stored), true)
            return summary
        }
        guard try await membership.acquire(lease: order.kind.lease) else { throw SweepRefusal.leaseHeld }
        let metrics = SweepMetrics(order.kind, self.metrics)
        do {
            let outcome = try await records.once(kind: order.kind.rawValue, slot: order.slot, by: order.caller) {
                let done = try await work.run(order.maxItems)
                return counts(done, changed: done.count, since: started).stored
            }
            switch outcome {
            case .ran(let stored):
                summary.counts = .init(stored: stored)
                metrics.ran(summary.counts.changed, clock.monotonic - started, at: clock.wall)
            case .repeated(let stored): (summary.counts, summary.isRepetition) = (.init(stored: stored), true)
            case .running: throw SweepRefusal.leaseHeld
            }
        } catch let refusal as SweepRefusal {
            throw refusal
        } catch {
            metrics.failed(clock.monotonic - started)
            throw error
        }
        return summary
    }

    func status() async throws -> [SweepStatus] {
        let holders = try await nodes.holders(of: SweepKind.allCases.map(\.lease))
        var states: [SweepStatus] = []
        for kind in SweepKind.allCases {
            let (runs, lastSuccess) = try await records.runs(of: kind.rawValue, limit: ServerLimits.listedSweeps)
            states.append(
                SweepStatus(
                    kind: kind,
                    runs: runs,
                    lastSuccess: lastSuccess,
                    holder: holders[kind.lease],
                    interval: clock.real(kind.interval, .sweep)
                )
            )
        }
        return states
    }

    /// Sweeps every kind at its intervals until cancelled.
    func run() async {
        for kind in works.keys { SweepMetrics(kind, metrics).started(at: clock.wall) }
        await withDiscardingTaskGroup { group in
            for (kind, work) in works { group.addTask { await run(kind, work) } }
        }
    }

    private func run(_ kind: SweepKind, _ work: SweepWork) async {
        var wait = kind.interval
        while !Task.isCancelled {
            try? await Task.sleep(for: clock.real(wait, .sweep))
            if Task.isCancelled { return }
            wait = kind.interval
            do {
                let order = SweepOrder(
                    kind: kind,
                    slot: "timer-\(clock.wall.seconds)",
                    caller: Self.timerPrefix + node.text
                )
                let done = try await sweep(order)
                if done.counts.changed > 0, !done.isRepetition { await record(done) }
                if done.counts.more { wait = min(kind.interval, ServerLimits.sweepInterval) }
            } catch SweepRefusal.leaseHeld {
                try? await work.aside()
            } catch {
                let fields: Logger.Metadata = ["kind": "\(kind.rawValue)", "error": "\(error)"]
                log.warning("not swept", metadata: fields)
            }
        }
    }

    /// Records a sweep of the timer in the audit log.
    private func record(_ summary: SweepSummary) async {
        let entry = AuditEntry.timer(
            AdminRoute.runSweep.action,
            target: summary.kind.rawValue,
            node: node.text,
            detail: .record([
                "slot": .text(summary.slot), "changed": .whole(summary.counts.changed),
                "tookMs": .integer(summary.counts.tookMs), "more": .bool(summary.counts.more),
            ])
        )
        do { _ = try await audit.record(entry) } catch {
            log.warning("sweep not recorded", metadata: ["error": "\(error)"])
        }
    }

    private func counts(_ found: SweepFindings, changed: Int, since started: Duration) -> SweepSummary.Counts {
        SweepSummary.Counts(
            scanned: found.count,
            changed: changed,
            tookMs: (clock.monotonic - started).milliseconds,
            more: found.hasMore
        )
    }
}

/// Counts the sweeps of a kind.
struct SweepMetrics: Sendable {
    private let kind: (String, String)
    private let factory: any MetricsFactory

    /// A nil factory is that of the process.
    init(_ kind: SweepKind, _ factory: (any MetricsFactory)?) {
        self.kind = ("kind", kind.rawValue)
        self.factory = factory ?? MetricsSystem.factory
    }

    /// Stores the start of the node as the last success, so that a kind that never succeeds raises the alert, too.
    func started(at now: Instant) { succeeded(at: now) }

    /// Counts a sweep that changed so many rows.
    func ran(_ items: Int, _ duration: Duration, at now: Instant) {
        count("done", duration)
        Counter(label: "score_sweep_items_total", dimensions: [kind], factory: factory).increment(by: items)
        succeeded(at: now)
    }

    /// Counts a sweep that failed.
    func failed(_ duration: Duration) { count("failed", duration) }

    private func succeeded(at now: Instant) {
        Gauge(label: "score_sweep_last_success_timestamp_seconds", dimensions: [kind], factory: factory)
            .record(now.seconds)
    }

    private func count(_ result: String, _ duration: Duration) {
        let dimensions = [kind, ("result", result)]
        Counter(label: "score_sweep_runs_total", dimensions: dimensions, factory: factory).increment()
        Timer(label: "score_sweep_duration_seconds", dimensions: [kind], factory: factory).recordNanoseconds(
            duration.milliseconds.multipliedReportingOverflow(by: 1_000_000).partialValue
        )
    }
}
