// Some providers push a match only after one request for it.

internal import ScoreTypes

/// Whether a match is subscribed; part of the match's polling, so that another node subscribes anew.
struct Subscription: Sendable {
    private(set) var isDone = false
    private var backoff = Backoff()
    private var closedUntil: Duration?

    /// Whether to subscribe now, by the monotonic clock.
    func isDue(now: Duration) -> Bool { !isDone && closedUntil.map { now >= $0 } != false }

    /// Records the outcome of the request; with a usable answer the provider pushes the match from now on.
    mutating func ended(_ outcome: FetchOutcome, _ context: PollContext) {
        switch outcome {
        case .body, .notModified: isDone = true
        case .refused(let wait): closedUntil = context.now + max(wait, IngestLimits.sleepMin)
        case .failed(let failure):
            closedUntil = context.now + backoff.failed(retryAfter: failure.retryAfter, context)
        }
    }
}
