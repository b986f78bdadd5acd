// A provider may have to be asked once for each match before it tells of it by itself.

internal import ScoreTypes

/// Whether a match is subscribed; a value of the match's poll, so that another node subscribes anew.
struct Subscription: Sendable {
    private(set) var isDone = false
    private var backoff = Backoff()
    private var closedUntil: Duration?

    /// Whether to ask now, by the monotonic clock.
    func isDue(now: Duration) -> Bool { !isDone && closedUntil.map { now >= $0 } != false }

    /// The provider will tell.
    mutating func succeeded() { isDone = true }

    /// Nothing before this real time has passed: the request could not be sent.
    mutating func postponed(_ wait: Duration, now: Duration) { closedUntil = now + wait }

    /// The request has failed.
    mutating func failed(retryAfter: Duration?, clock: ServiceClock, jitter: Double) {
        closedUntil = clock.monotonic + backoff.failed(retryAfter: retryAfter, clock: clock, jitter: jitter)
    }
}
