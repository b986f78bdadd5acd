// Some providers push a match only after one request for it.

internal import ScoreTypes

/// Whether a match is subscribed; part of the match's polling, so that another node subscribes anew.
struct Subscription: Sendable {
    private(set) var isDone = false
    private var backoff = Backoff()
    private var closedUntil: Duration?

    /// Whether to subscribe now, by the monotonic clock.
    func isDue(now: Duration) -> Bool { !isDone && closedUntil.map { now >= $0 } != false }

    /// Records the outcome of a subscription.
    mutating func ended(_ outcome: SubscriptionOutcome, _ context: PollContext) {
        switch outcome {
        case .succeeded: isDone = true
        case .postponed(let wait): closedUntil = context.now + wait
        case .failed(let retryAfter): closedUntil = context.now + backoff.failed(retryAfter: retryAfter, context)
        }
    }
}

/// The outcome of a subscription.
enum SubscriptionOutcome: Sendable, Hashable {
    /// The provider pushes the match from now on.
    case succeeded
    /// The request could not be sent; it may be after this real time.
    case postponed(Duration)
    /// The request failed, or was refused; `retryAfter` is the pause that the provider requested.
    case failed(retryAfter: Duration?)
}
