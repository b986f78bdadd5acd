// What stands beside the changes of a match: that its feeds are silent, that it was dropped, who said what.

internal import MatchEngine
public import Postgres
public import ScoreTypes

extension Journal {
    /// Most matches that `starting` gives: a day of all the world's cricket.
    public static let startingMax = 1_000
    /// How long ago the start of a match that has not begun may be at most, in real time, for `starting`: rain puts it
    /// off to the next day, and what has not begun by then was not played.
    public static let startingLateMax: Duration = .seconds(36 * 3_600)

    /// Notes that no feed answers about a match, or that one does again; publishers of all nodes are woken.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - since: When a feed answered last; nil when one answers again.
    ///   - fence: Term and lease of the writer; nil for a writer that has no rival.
    /// - Throws: `JournalError`.
    public func setSilent(_ match: MatchID, since: Instant?, fence: Fence?) async throws(JournalError) {
        try await steer(SQL.silence, [.text(match.text), since.map(Bind.timestamp) ?? .null], fence: fence)
    }

    /// Notes that a provider has dropped a match that is not in play; it comes back with its next change.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - fence: Term and lease of the writer; nil for a writer that has no rival.
    /// - Throws: `JournalError`.
    public func remove(_ match: MatchID, fence: Fence?) async throws(JournalError) {
        try await steer(SQL.remove, [.text(match.text)], fence: fence)
    }

    /// Notes that a provider has a match again that it had dropped; nothing else of the match changes.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - fence: Term and lease of the writer; nil for a writer that has no rival.
    /// - Throws: `JournalError`.
    public func restore(_ match: MatchID, fence: Fence?) async throws(JournalError) {
        try await steer(SQL.restore, [.text(match.text)], fence: fence)
    }

    /// Matches that have not begun and start within a span, or should have started of late, soonest first.
    ///
    /// For whoever prepares a match: channels before the toss, starts spread before the first ball.
    ///
    /// - Parameter span: How far to look ahead, by Postgres' clock.
    /// - Returns: At most `startingMax` matches.
    /// - Throws: `JournalError`.
    public func starting(within span: Duration) async throws(JournalError) -> [MatchRow] {
        let binds: [Bind] = [
            .double(Double(span.milliseconds) / 1000), .int(Int64(Self.startingMax)),
            .double(Double(Self.startingLateMax.milliseconds) / 1000),
        ]
        return try await read(SQL.starting, binds, SQL.match)
    }

    /// Who said what about a match, or about one thing of it, oldest first.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - item: A ball's key or an innings' ordinal; nil for everything.
    ///   - revision: After which to begin.
    ///   - limit: At most so many, and never more than a page.
    /// - Returns: Entries with their sources.
    /// - Throws: `JournalError`.
    public func statements(
        of match: MatchID,
        about item: String? = nil,
        after revision: Int64 = 0,
        limit: Int = Self.pageEntries
    ) async throws(JournalError) -> [JournalStatement] {
        let binds: [Bind] = [
            .text(match.text), .int(revision), item.map { .text($0) } ?? .null,
            .int(Int64(min(limit, Self.pageEntries))),
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

    /// The feed that last reported balls or innings of a match.
    ///
    /// - Parameter match: The match.
    /// - Returns: The feed's id; nil when no feed has.
    /// - Throws: `JournalError.postgres`.
    public func lastFeed(of match: MatchID) async throws(JournalError) -> String? {
        try await read(SQL.lastFeed, [.text(match.text)]) { try $0.text(0) }.first
    }

    /// Runs a statement whose writer has a fence.
    func steer(_ statement: Statement, _ binds: [Bind], fence: Fence?) async throws(JournalError) {
        do {
            try await pool.transaction { connection in
                try fence?.check(on: connection)
                _ = try connection.query(statement, binds, decode: { _ in () })
            }
        } catch { throw JournalError(error) }
    }
}
