// A phone must not show an old score for ever: what APNs has accepted nothing for is ended, once in a slot.

internal import FollowService
internal import Logging
internal import MatchJournal
internal import Postgres
internal import PushDispatcher
internal import ScoreTypes

/// Ends activities that were silent for half an hour and deletes rows of finished matches; one node does it for all.
public struct SilentActivitySweep: Sendable {
    static let kind = "stale-activities"

    let ending: ActivityEnding
    let membership: Membership
    let clock: ServiceClock
    /// The reports of the timer's own sweeps that changed something, for one reader; the oldest of many is dropped.
    public let timed: AsyncStream<SweepSummary>
    private let reports: AsyncStream<SweepSummary>.Continuation
    private let log = Logger(label: "score.sweep")
    private var stores: FollowerStores { ending.stores }

    init(ending: ActivityEnding, membership: Membership, clock: ServiceClock) {
        self.ending = ending
        self.membership = membership
        self.clock = clock
        (timed, reports) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(LiveActivityLimits.sweepReports))
    }

    /// Sweeps for a slot, unless it was swept before.
    ///
    /// - Parameters:
    ///   - slot: The time that the sweep stands for, as text; equal text returns the first sweep's summary.
    ///   - maxItems: Activities to end and rows to delete at most.
    ///   - isDryRun: Only counts: needs no lease and does not use the slot.
    /// - Returns: The counts of the sweep.
    /// - Throws: `SweepRefusal`, or `FollowError` and `PostgresError` when Postgres cannot answer.
    public func sweep(slot: String, maxItems: Int, isDryRun: Bool) async throws -> SweepSummary {
        guard ending.publications.isRecovered else { throw SweepRefusal.notRecovered }
        if isDryRun { return try await count(slot: slot, maxItems: maxItems) }
        guard try await membership.acquire(lease: "sweep:\(Self.kind)") else { throw SweepRefusal.leaseHeld }
        let started = clock.monotonic
        let outcome = try await stores.sweeps.once(kind: Self.kind, slot: slot) {
            try await run(maxItems: maxItems, started: started).json
        }
        var summary = SweepSummary(slot: slot)
        switch outcome {
        case .ran(let json): summary.counts = .init(json: json)
        case .repeated(let json): (summary.counts, summary.isRepetition) = (.init(json: json), true)
        case .running: throw SweepRefusal.leaseHeld
        }
        return summary
    }

    /// Sweeps at each interval until cancelled.
    func run() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: clock.real(LiveActivityLimits.sweepInterval, .sweep))
            if Task.isCancelled { return }
            do {
                let slot = "timer-\(clock.wall.seconds)"
                let done = try await sweep(slot: slot, maxItems: LiveActivityLimits.itemsPerSweep, isDryRun: false)
                if done.counts.changed > 0 { reports.yield(done) }
            } catch SweepRefusal.leaseHeld {
                // The other node sweeps the rows of all nodes; only this node knows whom its own pushes have missed.
                try? await endExceptions()
            } catch {
                log.warning("not swept", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Silence is domain time: half an hour of the match, whatever the clock's speed.
    private var silence: Duration { clock.real(FollowLimits.silence, .silentActivity) }

    private func endExceptions() async throws {
        let found = try await stores.silent.find(
            before: clock.wall - silence,
            buckets: [],
            exceptions: await ending.dispatcher.exceptions(silentFor: silence),
            limit: LiveActivityLimits.itemsPerSweep
        )
        await ending.end(found.activities)
    }

    private func count(slot: String, maxItems: Int) async throws -> SweepSummary {
        let started = clock.monotonic
        let (silentCount, hasMore) = try await stores.silent.count(
            before: clock.wall - silence,
            buckets: Bucket.all,
            exceptions: await ending.dispatcher.exceptions(silentFor: silence),
            limit: maxItems
        )
        let finishedCount = try await stores.finished.count(limit: maxItems)
        var summary = SweepSummary(slot: slot, isDryRun: true)
        summary.counts = SweepSummary.Counts(
            scanned: silentCount + finishedCount,
            tookMs: (clock.monotonic - started).milliseconds,
            more: hasMore || finishedCount >= maxItems
        )
        return summary
    }

    private func run(maxItems: Int, started: Duration) async throws -> SweepSummary.Counts {
        let found = try await stores.silent.find(
            before: clock.wall - silence,
            buckets: Bucket.all,
            exceptions: await ending.dispatcher.exceptions(silentFor: silence),
            limit: maxItems
        )
        await ending.end(found.activities)
        for channel in found.channels { await ending.end(channel, because: .silent) }
        let left = try await stores.erased.endLeft()
        await ending.end(left)
        let deleted = try await stores.finished.clear(limit: maxItems) + stores.erased.clear()
        let count = found.activities.count + found.channels.count + left.count + deleted
        return SweepSummary.Counts(
            scanned: count,
            changed: count,
            tookMs: (clock.monotonic - started).milliseconds,
            more: found.hasMore || deleted >= maxItems
        )
    }
}
