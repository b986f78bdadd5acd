// A pause that the provider requests is kept, whatever wakes a poller meanwhile: a push, a resumed feed, a closed
// breaker.

internal import ScoreTypes

/// The end of the pauses that a provider has requested, for the feed or for single matches.
///
/// A 429 is about the plan and stops the feed; so does a 503 to a request that is not about a match. Any other failure
/// with a `Retry-After` stops the requests about its match alone.
struct RetryAfterWindow: Sendable {
    /// The end of the feed's window, by a clock that never jumps; nil without one.
    private var feed: Duration?
    private var matches: [MatchID: Duration] = [:]

    /// Records what a failed request was answered; `now` is real time of a clock that never jumps.
    mutating func record(_ failure: FetchFailure, of match: MatchID?, now: Duration) {
        guard let retryAfter = failure.retryAfter, retryAfter > .zero else { return }
        let until = now + min(retryAfter, IngestLimits.retryAfterMax)
        matches = matches.filter { $0.value > now }
        if let match, failure.status != 429 {
            matches[match] = max(until, matches[match] ?? until)
        } else if failure.status == 429 || failure.status == 503 {
            feed = max(until, feed ?? until)
        }
    }

    /// Real time until a request about a match, or one of the feed's own, may be sent; nil when it may be sent now.
    func wait(of match: MatchID?, now: Duration) -> Duration? {
        let until = [feed, match.flatMap { matches[$0] }].compactMap(\.self).max()
        return until.flatMap { $0 > now ? $0 - now : nil }
    }
}
