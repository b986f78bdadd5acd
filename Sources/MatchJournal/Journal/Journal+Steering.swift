// Silence, removal and origin of changes are stored beside the changes of a match.

internal import MatchEngine
internal import Postgres
public import ScoreTypes

extension Journal {
    /// Records since when the feeds of a match are silent, nil when one answers again, and wakes the publishers of all
    /// nodes.
    ///
    /// - Throws: `JournalError`.
    func setSilent(_ match: MatchID, since: Instant?, fence: Fence?) async throws(JournalError) {
        try await steer(SQL.silence, [.text(match.text), since.map(Bind.timestamp) ?? .null], fence: fence)
    }

    /// Records that the provider has removed a match that is not in play; its next change restores it.
    ///
    /// - Throws: `JournalError`.
    func remove(_ match: MatchID, fence: Fence?) async throws(JournalError) {
        try await steer(SQL.remove, [.text(match.text)], fence: fence)
    }

    /// Records that the provider has a removed match again; nothing else of the match changes.
    ///
    /// - Throws: `JournalError`.
    func restore(_ match: MatchID, fence: Fence?) async throws(JournalError) {
        try await steer(SQL.restore, [.text(match.text)], fence: fence)
    }

    /// Matches that have not begun and start within a span from now, by Postgres' clock, or should have started within
    /// `JournalLimits.startingLate`, soonest first; at most `JournalLimits.startingMatches`.
    ///
    /// - Throws: `JournalError`.
    public func starting(within span: Duration) async throws(JournalError) -> [MatchRow] {
        let binds: [Bind] = [
            .double(Double(span.milliseconds) / 1000), .int(Int64(JournalLimits.startingMatches)),
            .double(Double(JournalLimits.startingLate.milliseconds) / 1000),
        ]
        return try await read(SQL.starting, binds, SQL.match)
    }

    /// The changes of a match after a revision, or of one item of it, with their origin, oldest first; at most a page.
    ///
    /// `item` is a ball's key or an innings' ordinal.
    ///
    /// - Throws: `JournalError`.
    public func statements(
        of match: MatchID,
        about item: String? = nil,
        after revision: Int64 = 0,
        limit: Int = JournalLimits.pageEntries
    ) async throws(JournalError) -> [JournalStatement] {
        let binds: [Bind] = [
            .text(match.text), .int(revision), item.map { .text($0) } ?? .null,
            .int(Int64(min(limit, JournalLimits.pageEntries))),
        ]
        return try await read(SQL.statements, binds) { row in
            let revision = try row.int(0)
            let change = try ChangeCoding.decode(row.json(2), revision: revision)
            return JournalStatement(
                entry: JournalEntry(revision: revision, at: try row.timestamp(1), change: change),
                source: JournalSource(provider: try row.text(3), feed: try row.text(4)),
                seenAt: try row.timestampIfPresent(5)
            )
        }
    }

    /// The id of the feed that last reported balls or innings of a match; nil when no feed has.
    ///
    /// - Throws: `JournalError.postgres`.
    public func lastFeed(of match: MatchID) async throws(JournalError) -> String? {
        try await read(SQL.lastFeed, [.text(match.text)]) { try $0.text(0) }.first
    }

    /// Runs a statement in a transaction that a fence checks.
    func steer(_ statement: Statement, _ binds: [Bind], fence: Fence?) async throws(JournalError) {
        do {
            try await pool.transaction { connection in
                try fence?.check(on: connection)
                _ = try connection.query(statement, binds, decode: { _ in () })
            }
        } catch { throw JournalError(error) }
    }
}
