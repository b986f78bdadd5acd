// Webhooks report matches that are not polled with every ball; the list need not be read with every ball for them.

internal import MatchEngine
internal import Providers
internal import ScoreTypes

/// The provider's list of matches: when it is read again, and its replies.
///
/// ```
/// read ──the cadence, or the back-off after a failure──▶ read
///   ├── a push about a match that is not polled: `listPushInterval` after the last reading began, not in a back-off
///   └── an order, of an operator or of this server: at once
/// ```
struct FixtureList: Sendable {
    /// The outcome of a reading.
    enum Outcome: Sendable {
        /// The list as it is now.
        case read([Fixture])
        /// The list is the same as before.
        case unchanged
        /// A request failed, or a reply could not be read; `retryAfter` is the pause that the provider requested.
        case failed(retryAfter: Duration?)
        /// A request could not be sent; it may be after this real time.
        case postponed(Duration)
    }

    /// The last reply of each page.
    var store = PartStore()
    private var backoff = Backoff()
    private var beganAt: Duration = .zero
    private var dueAt: Duration = .zero
    /// The earliest time for a reading after a push.
    private var pushDueAt: Duration = .zero
    private var isPushed = false
    private var isOrdered = false

    /// A reading begins, which answers every push and order before it; `now` is the monotonic clock.
    mutating func begins(now: Duration) {
        beganAt = now
        (isPushed, isOrdered) = (false, false)
    }

    /// The reading has ended; `interval` is domain time between two readings.
    mutating func ended(_ outcome: Outcome, interval: Duration, _ context: PollContext) {
        switch outcome {
        case .read, .unchanged:
            backoff.succeeded()
            dueAt = context.now + context.wait(interval, .rest)
            pushDueAt = beganAt + context.clock.real(IngestLimits.listPushInterval, .rest)
            return
        case .failed(let retryAfter): dueAt = context.now + backoff.failed(retryAfter: retryAfter, context)
        case .postponed(let wait): dueAt = context.now + max(wait, WaitKind.play.floor)
        }
        pushDueAt = dueAt
    }

    /// A match that is not polled was pushed: it may be new.
    mutating func pushed() { isPushed = true }

    /// The list is to be read at once.
    mutating func order() { isOrdered = true }

    /// Real time until the next reading if nothing is pushed or ordered before.
    func rest(now: Duration) -> Duration { max(dueAt - now, .zero) }

    /// Real time until the next reading; zero when it is due.
    func wait(now: Duration) -> Duration {
        if isOrdered { return .zero }
        return max((isPushed ? min(dueAt, pushDueAt) : dueAt) - now, .zero)
    }
}
