// What the public API needs to know of matches; the composition joins it to the publisher and the journal.

import MatchEngine
import ScoreTypes

/// One entry of a match's journal.
struct MatchChange: Sendable {
    /// The revision's number.
    let number: Int64
    let at: Instant
    let change: Change
}

/// Reads matches.
protocol MatchReader: Sendable {
    /// The newest state of a match; nil when there is no such match.
    func view(of match: MatchID) async throws -> MatchView?

    /// All matches in memory, in no order.
    func views() -> [MatchView]

    /// Journal entries after a number, oldest first.
    func changes(of match: MatchID, after number: Int64, limit: Int) async throws -> [MatchChange]
}
