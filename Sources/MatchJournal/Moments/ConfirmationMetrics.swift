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

    /// Waits in seconds for which the share of false alerts is shown.
    private static let shownWaits = [0, 5, 10, 15, 20]

    /// The waits of a feed by class, and the shares of false alerts with other waits.
    func show(_ curves: CorrectionEvidence.Curves, target: Double, of feed: FeedID) {
        for kind in MomentClass.allCases {
            let curve = curves[kind] ?? CorrectionCurve()
            let names = [("feed", feed.text), ("kind", kind.rawValue)]
            Gauge(label: "score_confirmation_wait_seconds", dimensions: names).record(curve.wait(target: target))
            Gauge(label: "score_confirmation_late_share", dimensions: names).record(curve.lateShare(target: target))
            for wait in Self.shownWaits {
                Gauge(label: "score_confirmation_false_share", dimensions: names + [("wait", String(wait))])
                    .record(curve.falseShare(after: wait, target: target))
            }
        }
    }
}
