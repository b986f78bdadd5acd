// The routes read matches through this protocol; tests put a stub in its place.

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

extension MatchReader {
    /// The newest state of a match.
    ///
    /// - Throws: `not-found` when there is no such match, `match-removed`, or the error of the database.
    func existingView(of match: MatchID) async throws -> MatchView {
        guard let view = try await view(of: match) else { throw ServiceProblem(.notFound, "There is no such match.") }
        return view
    }
}
