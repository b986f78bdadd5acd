// Who is asked to wait has to wait, whatever wakes it meanwhile: a notice, a resumed feed, a breaker that closes.

internal import ScoreTypes

/// Until when a provider has asked to be left alone, as a feed and about single matches.
///
/// A 429 is about the plan, so it is meant for the feed; so is a 503 to a request that is no match's. Whatever else
/// comes with a time to wait was told to one match, and holds up no other.
struct QuietTime: Sendable {
    private var feed: Duration?
    private var matches: [MatchID: Duration] = [:]

    /// Notes what a failed request was told; real times by a clock that never jumps.
    mutating func note(_ failure: FetchFailure, of match: MatchID?, now: Duration) {
        guard let retryAfter = failure.retryAfter, retryAfter > .zero else { return }
        let until = now + min(retryAfter, Backoff.retryAfterMax)
        matches = matches.filter { $0.value > now }
        if let match, failure.status != 429 {
            matches[match] = max(until, matches[match] ?? until)
        } else if failure.status == 429 || failure.status == 503 {
            feed = max(until, feed ?? until)
        }
    }

    /// Real time until a request about a match, or of the feed's own, may be sent; nil when it may.
    ///
    /// By `jitter`, 0 to 1, not all are sent at the same moment afterwards.
    func wait(of match: MatchID?, now: Duration, jitter: Double) -> Duration? {
        let until = [feed, match.flatMap { matches[$0] }].compactMap(\.self).max()
        guard let until, until > now else { return nil }
        return (until - now) * (1 + 0.1 * min(max(jitter, 0), 1))
    }

    /// An operator wants to ask all the same.
    mutating func lift() { self = QuietTime() }
}
