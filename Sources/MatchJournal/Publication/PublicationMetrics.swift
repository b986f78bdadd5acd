// The times from ball to content and from confirmation to alert are two promises, and are measured separately.

internal import Metrics
internal import ScoreTypes

/// Counts and times of a publisher.
struct PublicationMetrics: Sendable {
    private let content = Timer(label: "score_ball_to_content_seconds")
    private let alert = Timer(label: "score_confirmation_to_alert_seconds")
    private let published = Counter.started("score_publications_total", by: "cause", PublicationCause.allCases)
    private let failures = Counter.started("score_publication_failures_total")
    private let catchups = Counter.started("score_db_poll_catchups_total")

    /// A publication goes to the outlet at that wall time; a negative time, of two machines' clocks, counts as zero.
    func gaveOut(_ publication: Publication, at now: Instant) {
        published[publication.cause]?.increment()
        switch publication.cause {
        case .reply: content.recordNanoseconds(Self.nanoseconds(now - publication.seenAt))
        case .confirmation where publication.alert != nil:
            alert.recordNanoseconds(Self.nanoseconds(now - publication.committedAt))
        case .confirmation, .keepAlive: break
        }
    }

    /// A match could not be read or rendered.
    func failed() { failures.increment() }

    /// The poll found a change without a wake-up.
    func caughtUp() { catchups.increment() }

    private static func nanoseconds(_ span: Duration) -> Int64 { max(0, span.milliseconds) * 1_000_000 }
}
