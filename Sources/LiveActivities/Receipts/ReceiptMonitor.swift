// Compares sent states with the receipts of phones, so that an operator sees how many phones show an old state.

public import CoreMetrics
internal import FollowService
public import Logging
internal import Metrics
internal import PushDispatcher
public import ScoreTypes
internal import Synchronization

/// Records what the phones of this node's buckets show, and lists the activities that are stuck; for any thread.
///
/// Everything is in memory: after a restart, and after a change of ownership, an activity is unknown until its phone
/// reports again.
public final class ReceiptMonitor: Sendable {
    struct State {
        var histories: [MatchID: RevisionHistory] = [:]
        var table = ReceiptTable()
        var stuck = StuckActivities()
        /// Receipts for the owners of other buckets; the newest of each activity.
        var outgoing: [ReceiptKey: Receipt] = [:]
        /// Ended activities for the owners of other buckets.
        var ended: Set<EndedActivity> = []
    }

    let clock: ServiceClock
    let state = Mutex(State())
    private let owns: @Sendable (Bucket) -> Bool
    private let log: Logger
    private let metrics: ReceiptMetrics

    /// Knows of no activity yet.
    ///
    /// - Parameters:
    ///   - clock: Wall time for the age of revisions.
    ///   - log: Receives a line for each activity that gets stuck.
    ///   - metrics: Where the counters are made.
    ///   - owns: Whether this node judges the receipts of a bucket; others are passed to their owner.
    public init(
        clock: ServiceClock,
        log: Logger = Logger(label: "score.receipts"),
        metrics: any MetricsFactory = MetricsSystem.factory,
        owns: @escaping @Sendable (Bucket) -> Bool = { _ in true }
    ) {
        self.clock = clock
        self.log = log
        self.owns = owns
        self.metrics = ReceiptMetrics(metrics)
    }

    /// Activities that are known to be stuck.
    public var stuckCount: Int { state.withLock { $0.stuck.count } }

    /// Records that a revision is on its way to phones, with the hash of its content state and the time of its commit.
    public func published(_ match: MatchID, _ revision: Int64, hash: UInt64, at moment: Instant) {
        state.withLock { state in
            state.histories[match, default: RevisionHistory()].note(revision, hash: hash, at: moment)
            guard state.histories.count > LiveActivityLimits.receiptMatches else { return }
            let oldest = state.histories.min { left, right in
                left.value.newestAt ?? moment < right.value.newestAt ?? moment
            }
            if let oldest { state.histories[oldest.key] = nil }
        }
    }

    /// Takes receipts of a phone: those of other nodes' buckets wait for ``takeOutgoing()``.
    public func take(_ receipts: [Receipt]) {
        for receipt in receipts {
            if owns(Bucket(of: receipt.device)) { judge(receipt) } else { queue(receipt) }
        }
    }

    /// Takes the messages of another node.
    func take(_ messages: [ReceiptMessage]) {
        for message in messages where owns(Bucket(of: message.device)) {
            switch message {
            case .receipt(let receipt): judge(receipt)
            case .ended(let activity): remove([activity.activity], of: activity.device)
            }
        }
    }

    /// The messages for other nodes that have come since the last call.
    func takeOutgoing() -> [ReceiptMessage] {
        state.withLock { state in
            defer {
                state.outgoing = [:]
                state.ended = []
            }
            return state.outgoing.values.map { .receipt($0) } + state.ended.map { .ended($0) }
        }
    }

    /// Forgets activities of a phone that have ended.
    public func forget(_ activities: [ActivityID], of device: DeviceID) {
        guard !activities.isEmpty else { return }
        if owns(Bucket(of: device)) { return remove(activities, of: device) }
        state.withLock { state in
            guard state.ended.count < LiveActivityLimits.receiptsForwarded else { return }
            // The owner reads them after the receipts of the same batch.
            for activity in activities { state.ended.insert(EndedActivity(device: device, activity: activity)) }
        }
    }

    private func remove(_ activities: [ActivityID], of device: DeviceID) {
        let count = state.withLock { state in
            state.stuck.forget(state.table.remove(activities, of: device))
            return state.stuck.count
        }
        metrics.stuck.record(count)
    }

    /// Forgets receipts that are too old, and those of buckets that another node owns now.
    func expire() {
        let now = clock.wall
        // One bucket at a time, since publications wait for the same lock.
        for bucket in Bucket.all {
            let limit = owns(bucket) ? now + (.zero - LiveActivityLimits.receiptAge) : nil
            state.withLock { $0.table.expire(bucket, before: limit) }
        }
        let count = state.withLock { state in
            state.stuck.expire(at: now)
            state.stuck.keep { owns(Bucket(of: $0)) }
            return state.stuck.count
        }
        metrics.stuck.record(count)
    }

    private func queue(_ receipt: Receipt) {
        let isQueued = state.withLock { state in
            let known = state.outgoing[receipt.key]
            if let known, known.activity.activityID == receipt.activity.activityID,
                (known.activity.shown, known.observedAt) >= (receipt.activity.shown, receipt.observedAt)
            {
                return true
            }
            guard known != nil || state.outgoing.count < LiveActivityLimits.receiptsForwarded else { return false }
            state.outgoing[receipt.key] = receipt
            return true
        }
        if isQueued { metrics.forwarded.increment() } else { metrics.results[.dropped]?.increment() }
    }

    private func judge(_ receipt: Receipt) {
        let activity = receipt.activity
        let (effect, display, isNew, count) = state.withLock { state in
            let effect = state.table.record(receipt)
            let due = state.histories[activity.match]?.due(at: receipt.observedAt)
            let display = DisplayState(activity, due: due, now: receipt.observedAt)
            let isNew = effect == .outdated ? false : state.stuck.record(display, receipt)
            return (effect, display, isNew, state.stuck.count)
        }
        metrics.results[effect]?.increment()
        if effect != .outdated && effect != .repeated {
            metrics.displays[display]?.increment()
            metrics.lag.record(max(0, activity.accepted - activity.shown))
        }
        metrics.stuck.record(count)
        guard isNew else { return }
        log.warning(
            "activity is stuck: APNs accepted newer states than the phone shows",
            metadata: [
                "match.id": "\(activity.match)", "activity": "\(Fingerprint(of: activity.activityID)?.text ?? "")",
                "shown": "\(activity.shown)", "accepted": "\(activity.accepted)",
            ]
        )
    }
}

/// The metrics of receipts.
private struct ReceiptMetrics: Sendable {
    let stuck: Gauge
    let lag: Recorder
    let displays: [DisplayState: Counter]
    let results: [ReceiptTable.Effect: Counter]
    let forwarded: Counter

    init(_ factory: any MetricsFactory) {
        stuck = Gauge(label: "score_activities_stuck", factory: factory)
        lag = Recorder(label: "score_activity_confirm_lag_revisions", factory: factory)
        displays = Dictionary(
            uniqueKeysWithValues: DisplayState.allCases.map { state in
                let dimensions = [("shown", state.rawValue)]
                return (
                    state,
                    Counter(label: "score_activity_confirmations_total", dimensions: dimensions, factory: factory)
                )
            }
        )
        func results(_ result: String) -> Counter {
            Counter(label: "score_receipts_total", dimensions: [("result", result)], factory: factory)
        }
        self.results = Dictionary(
            uniqueKeysWithValues: ReceiptTable.Effect.allCases.map { ($0, results($0.rawValue)) }
        )
        forwarded = results("forwarded")
        stuck.record(0)
    }
}
