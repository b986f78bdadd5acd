// This target alone reads and writes the tables match, journal, publication and announced_moment.

public import MatchEngine
public import Postgres
public import ScoreTypes

/// The record of all matches in Postgres.
public struct Journal: Sendable {
    let pool: Pool

    /// The pool, for rarely written tables beside the journal.
    public var connections: Pool { pool }

    /// Makes a journal on a pool.
    public init(pool: Pool) { self.pool = pool }

    /// The head of a match, which is inserted if it is new; the epoch counts for a new match only.
    ///
    /// - Throws: `JournalError.postgres`.
    public func open(_ match: MatchID, feed: FeedID, epoch: Epoch) async throws(JournalError) -> JournalHead {
        do {
            _ = try await pool.execute(SQL.open, [.text(match.text), .text(feed.text), .text(epoch.text)])
        } catch { throw JournalError(error) }
        guard let head = try await head(of: match) else { throw .unknownMatch }
        return head
    }

    /// The head of a match; nil when it is not known.
    ///
    /// - Throws: `JournalError.postgres`.
    public func head(of match: MatchID) async throws(JournalError) -> JournalHead? {
        try await read(SQL.head, [.text(match.text)], SQL.head).first
    }

    /// The heads of all matches with a publication that are not over, or not for longer than a span.
    ///
    /// - Throws: `JournalError.postgres`.
    public func heads(overWithin span: Duration) async throws(JournalError) -> [JournalHead] {
        try await read(SQL.heads, [.int(span.components.seconds)], SQL.head)
    }

    /// The ids of matches that are over and were last published within a span, by Postgres' clock, the latest first.
    ///
    /// - Throws: `JournalError`.
    public func finished(within span: Duration, limit: Int) async throws(JournalError) -> [MatchID] {
        try await read(SQL.finished, [.int(span.components.seconds), .int(Int64(limit))]) { row in
            MatchID(unchecked: try row.text(0))
        }
    }

    /// Matches in one of the phases, soonest start first.
    ///
    /// - Throws: `JournalError.postgres`.
    public func matches(phases: [MatchPhase]) async throws(JournalError) -> [MatchRow] {
        try await read(SQL.matches, [.smallints(phases.map(\.stored))], SQL.match)
    }

    /// Entries after a revision, in order, at most `limit` (and never more than a page).
    ///
    /// - Throws: `JournalError.postgres`; `unreadable` for an entry of a newer server.
    public func entries(
        of match: MatchID,
        after revision: Int64,
        limit: Int = JournalLimits.pageEntries
    ) async throws(JournalError) -> [JournalEntry] {
        let rows = try await read(
            SQL.entries,
            [.text(match.text), .int(revision), .int(Int64(min(limit, JournalLimits.pageEntries)))]
        ) { row in
            (revision: try row.int(0), at: try row.timestamp(1), body: try row.json(2))
        }
        // Decoded here and not on the connection's thread, which other queries wait for.
        var entries: [JournalEntry] = []
        entries.reserveCapacity(rows.count)
        for row in rows {
            let change = try ChangeCoding.decode(row.body, revision: row.revision)
            entries.append(JournalEntry(revision: row.revision, at: row.at, change: change))
        }
        return entries
    }

    /// Publications after a revision and up to another, in order; of more than `JournalLimits.publications` the newest.
    ///
    /// - Throws: `JournalError.postgres`.
    public func publications(
        of match: MatchID,
        after revision: Int64,
        through end: Int64 = .max
    ) async throws(JournalError) -> [PublicationRow] {
        try await read(
            SQL.publications,
            [.text(match.text), .int(revision), .int(Int64(JournalLimits.publications)), .int(end)],
            SQL.publication
        ).reversed()
    }

    /// The newest published revision up to another; nil for none.
    ///
    /// - Throws: `JournalError.postgres`.
    public func publishedRevision(of match: MatchID, notAfter revision: Int64) async throws(JournalError) -> Int64? {
        try await read(SQL.publishedRevision, [.text(match.text), .int(revision)]) { try $0.int(0) }.first
    }

    /// The announced moments of a match.
    ///
    /// - Throws: `JournalError.postgres`.
    public func announced(of match: MatchID) async throws(JournalError) -> [AnnouncedMoment] {
        try await read(SQL.announced, [.text(match.text)]) { row in
            AnnouncedMoment(key: MomentKey(try row.text(0)), subject: try row.text(1))
        }
    }

    /// Time since the last publication, by Postgres' clock; nil before the first.
    func sincePublication(of match: MatchID) async throws(JournalError) -> Duration? {
        try await read(SQL.sincePublication, [.text(match.text)]) { row in
            Duration.milliseconds(try row.int(0))
        }.first
    }

    /// The feed of the newest entry that came from a feed, and its age by Postgres' clock; nil for none.
    func lastReport(of match: MatchID) async throws(JournalError) -> (feed: String, ago: Duration)? {
        try await read(SQL.lastReport, [.text(match.text)]) { row in
            (feed: try row.text(1), ago: Duration.milliseconds(try row.int(0)))
        }.first
    }

    /// Stops all publication of a match until `release`; reports are still recorded.
    ///
    /// A second call replaces the reason.
    ///
    /// - Returns: False when the match is not known.
    /// - Throws: `JournalError.postgres`.
    @discardableResult
    public func hold(_ match: MatchID, reason: String) async throws(JournalError) -> Bool {
        !(try await read(SQL.hold, [.text(match.text), .text(reason.withoutNul)]) { try $0.text(0) }).isEmpty
    }

    /// Publishes a held match again: its head, once.
    ///
    /// - Returns: False when the match is not known.
    /// - Throws: `JournalError.postgres`.
    @discardableResult
    public func release(_ match: MatchID) async throws(JournalError) -> Bool {
        !(try await read(SQL.release, [.text(match.text)]) { try $0.text(0) }).isEmpty
    }

    func read<T: Sendable>(
        _ statement: Statement,
        _ binds: [Bind],
        _ decode: @escaping @Sendable (Row) throws -> T
    ) async throws(JournalError) -> [T] {
        do { return try await pool.query(statement, binds, decode: decode) } catch { throw JournalError(error) }
    }
}
