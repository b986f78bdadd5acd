// Compares sent states with the receipts of phones, so that an operator sees how many phones show an old state.

public import CoreMetrics
public import FollowService
public import Logging
internal import Metrics
internal import PushDispatcher
public import ScoreTypes
internal import Synchronization

/// Counts what phones show, and logs each activity that is stuck; may be used from any thread.
public final class ReceiptMonitor: Sendable {
    private struct State {
        var histories: [MatchID: RevisionHistory] = [:]
        var stuck = StuckActivities()
        var expiredAt: Duration = .zero
    }

    private let clock: ServiceClock
    private let state = Mutex(State())
    private let log: Logger
    private let gauge: Gauge
    private let lag: Recorder
    private let counters: [DisplayState: Counter]

    /// Knows of no activity yet.
    ///
    /// - Parameters:
    ///   - clock: Wall time for the age of revisions, monotonic time for the memory.
    ///   - log: Receives a line for each activity that gets stuck.
    ///   - metrics: Where the counters are made.
    public init(
        clock: ServiceClock,
        log: Logger = Logger(label: "score.receipts"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.clock = clock
        self.log = log
        gauge = Gauge(label: "score_activities_stuck", factory: metrics)
        lag = Recorder(label: "score_activity_confirm_lag_revisions", factory: metrics)
        counters = Dictionary(
            uniqueKeysWithValues: DisplayState.allCases.map { state in
                let dimensions = [("shown", state.rawValue)]
                return (
                    state,
                    Counter(label: "score_activity_confirmations_total", dimensions: dimensions, factory: metrics)
                )
            }
        )
        gauge.record(0)
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

    /// Takes a receipt: a phone reports what it shows.
    public func take(_ activity: ShownActivity, of device: DeviceID) {
        let (wall, monotonic) = (clock.wall, clock.monotonic)
        let key = StuckActivities.Key(device: device, activity: activity.activityID)
        let (display, isNew, count) = state.withLock { state in
            let due = state.histories[activity.match]?.due(at: wall)
            let display = DisplayState(activity, due: due, now: wall)
            let isNew = state.stuck.record(display, of: key, at: monotonic)
            if monotonic - state.expiredAt >= LiveActivityLimits.stuckExpiryInterval {
                state.expiredAt = monotonic
                state.stuck.expire(at: monotonic)
            }
            return (display, isNew, state.stuck.count)
        }
        counters[display]?.increment()
        lag.record(max(0, activity.accepted - activity.shown))
        gauge.record(count)
        guard isNew else { return }
        log.warning(
            "activity is stuck: APNs accepted newer states than the phone shows",
            metadata: [
                "match.id": "\(activity.match)", "activity": "\(Fingerprint(of: activity.activityID)?.text ?? "")",
                "shown": "\(activity.shown)", "accepted": "\(activity.accepted)",
            ]
        )
    }

    /// Forgets activities of a phone that have ended.
    public func forget(_ activities: [ActivityID], of device: DeviceID) {
        guard !activities.isEmpty else { return }
        let count = state.withLock { state in
            for activity in activities { state.stuck.forget(.init(device: device, activity: activity)) }
            return state.stuck.count
        }
        gauge.record(count)
    }
}
