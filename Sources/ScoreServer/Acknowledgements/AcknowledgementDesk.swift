// Where the two halves meet that nobody else sees together: what was sent, and what phones say they show.

import CoreMetrics
import FollowService
import Logging
import MatchJournal
import Metrics
import ScoreTypes
import Synchronization

/// Counts what phones show, and tells of each activity that is stuck; may be used from any thread.
final class AcknowledgementDesk: Sendable {
    /// Most matches whose pictures are followed, at some 300 bytes each; the one that was silent longest goes first.
    static let matchesMax = 5_000
    /// How often the gauge lets go of phones that are silent.
    static let expiryInterval: Duration = .seconds(60)

    private struct State {
        var trails: [MatchID: StateTrail] = [:]
        var stuck = StuckActivities()
        var expiredAt: Duration = .zero
    }

    private let clock: ServiceClock
    private let state = Mutex(State())
    private let log: Logger
    private let gauge: Gauge
    private let lag: Recorder
    private let verdicts: [DisplayVerdict: Counter]

    init(
        clock: ServiceClock,
        log: Logger = Logger(label: "score.acknowledgements"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.clock = clock
        self.log = log
        gauge = Gauge(label: "score_activities_stuck", factory: metrics)
        lag = Recorder(label: "score_activity_confirm_lag_revisions", factory: metrics)
        verdicts = Dictionary(
            uniqueKeysWithValues: DisplayVerdict.allCases.map { verdict in
                let dimensions = [("shown", verdict.rawValue)]
                return (
                    verdict,
                    Counter(label: "score_activity_confirmations_total", dimensions: dimensions, factory: metrics)
                )
            }
        )
        gauge.record(0)
    }

    /// Activities that are known to be stuck.
    var stuckCount: Int { state.withLock { $0.stuck.count } }

    /// A publication is on its way to phones.
    func published(_ publication: Publication) {
        published(
            publication.match,
            publication.revision.number,
            hash: publication.stateHash,
            at: publication.committedAt
        )
    }

    /// The same by its parts.
    func published(_ match: MatchID, _ revision: Int64, hash: UInt64, at moment: Instant) {
        state.withLock { state in
            state.trails[match, default: StateTrail()].note(revision, hash: hash, at: moment)
            guard state.trails.count > Self.matchesMax else { return }
            let oldest = state.trails.min { left, right in
                left.value.newestAt ?? moment < right.value.newestAt ?? moment
            }
            if let oldest { state.trails[oldest.key] = nil }
        }
    }

    /// A phone says what it shows.
    func take(_ activity: ShownActivity, of device: DeviceID) {
        let (wall, monotonic) = (clock.wall, clock.monotonic)
        let key = StuckActivities.Key(device: device, activity: activity.activityID)
        let (verdict, isNews, count) = state.withLock { state in
            let due = state.trails[activity.match]?.due(at: wall)
            let verdict = DisplayVerdict(activity, due: due, now: wall)
            let isNews = state.stuck.book(verdict, of: key, at: monotonic)
            if monotonic - state.expiredAt >= Self.expiryInterval {
                state.expiredAt = monotonic
                state.stuck.expire(at: monotonic)
            }
            return (verdict, isNews, state.stuck.count)
        }
        verdicts[verdict]?.increment()
        lag.record(max(0, activity.accepted - activity.shown))
        gauge.record(count)
        guard isNews else { return }
        log.warning(
            "activity is stuck: APNs accepted newer states than the phone shows",
            metadata: [
                "match.id": "\(activity.match)", "activity": "\(Self.fingerprint(of: activity.activityID))",
                "shown": "\(activity.shown)", "accepted": "\(activity.accepted)",
            ]
        )
    }

    /// These activities of a phone are over.
    func forget(_ activities: [ActivityID], of device: DeviceID) {
        guard !activities.isEmpty else { return }
        let count = state.withLock { state in
            for activity in activities { state.stuck.forget(.init(device: device, activity: activity)) }
            return state.stuck.count
        }
        gauge.record(count)
    }

    private static func fingerprint(of activity: ActivityID) -> String {
        Fingerprint(sha256: SecretDigest(of: Array(activity.text.utf8)).bytes)?.text ?? ""
    }
}
