// When a breaker closes, hundreds of matches have waited for it: asking all at once would open it again.

internal import ScoreTypes

/// When matches that waited for the breaker ask again, each in its turn.
struct Comebacks: Sendable {
    private var turns: [MatchID: Duration] = [:]

    /// Gives each match a turn within a span; real times by a clock that never jumps.
    ///
    /// - Parameters:
    ///   - matches: Those that wait.
    ///   - span: One interval of a match in play: nobody waits longer than for an ordinary poll.
    ///   - now: The monotonic clock.
    ///   - jitter: Draws from 0 to 1.
    mutating func spread(_ matches: some Sequence<MatchID>, over span: Duration, now: Duration, jitter: () -> Double) {
        for match in matches { turns[match] = now + span * min(max(jitter(), 0), 1) }
    }

    /// When a match that was woken asks: at its turn, or when it would have asked anyway; at once if it has none.
    mutating func take(_ match: MatchID, isDueAt: Duration, now: Duration) -> Duration {
        turns.removeValue(forKey: match).map { min($0, isDueAt) } ?? now
    }

    /// A match has a better reason to ask now, or is not polled any more.
    mutating func forget(_ match: MatchID) { turns[match] = nil }

    /// Somebody wants all of them to ask now.
    mutating func forgetAll() { turns = [:] }
}
