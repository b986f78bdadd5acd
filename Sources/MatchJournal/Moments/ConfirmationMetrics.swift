// Operators see how long alerts wait, what confirms them, and how many were false.

internal import Metrics
internal import ScoreTypes

/// Counts and times of confirmations.
struct ConfirmationMetrics: Sendable {
    private let confirmed = Counter.started("score_moments_confirmed_total", by: "by", Confirmation.allCases)
    private let revoked = Counter.started("score_alerts_revoked_total", by: "by", Confirmation.allCases)
    private let waited = Timer(label: "score_report_to_confirmation_seconds")

    func count(_ observations: [MomentObservation]) {
        for observation in observations {
            switch observation {
            case .confirmed(_, let reason, let seconds):
                confirmed[reason]?.increment()
                waited.recordNanoseconds(Int64(seconds) * 1_000_000_000)
            case .revoked(let moment): revoked[moment.confirmedBy]?.increment()
            case .reported, .wrong: break
            }
        }
    }

    /// The waits of a feed by class.
    func show(_ seconds: [MomentClass: Int], of feed: FeedID) {
        for (kind, wait) in seconds {
            Gauge(label: "score_confirmation_wait_seconds", dimensions: [("feed", feed.text), ("kind", kind.rawValue)])
                .record(wait)
        }
    }
}
