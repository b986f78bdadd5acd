// A feed that fails is polled less and less often, until it answers.

internal import ScoreTypes

/// Counts failures in a row; the wait doubles with each of them.
struct Backoff: Sendable, Hashable {
    /// Failures since the last success.
    private(set) var failures = 0

    /// Records a failure, with the pause that the provider requested in real time; returns the real time to wait, never
    /// less than that.
    mutating func failed(retryAfter: Duration?, _ context: PollContext) -> Duration {
        failures = min(failures + 1, 32)
        let doubled = min(IngestLimits.backoffFirst * (1 << min(failures - 1, 16)), IngestLimits.backoffMax)
        let own = context.wait(doubled, .retry)
        guard let retryAfter else { return own }
        return max(own, context.extended(min(retryAfter, IngestLimits.retryAfterMax)))
    }

    /// Records a success.
    mutating func succeeded() { failures = 0 }
}
