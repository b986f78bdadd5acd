// Matches of past years are deleted whole: every reader folds a journal from its first entry, so none may have a part.

internal import Postgres
public import ScoreTypes

/// Finds and deletes matches that ended long ago and that no operator holds.
///
/// Ages are by PostgreSQL's clock, from the end of a match or from its removal before its start.
public struct EndedMatches: Sendable {
    /// The number of deleted rows of a match.
    public struct Deleted: Sendable {
        /// The tables in the order of the deletion, with the rows of each.
        public internal(set) var rows: [(table: String, count: Int)] = []

        /// The rows of all tables.
        public var count: Int { rows.reduce(0) { $0 + $1.count } }
    }

    private static let find: Statement = """
        select e.match_id from ended_match e join match m on m.match_id = e.match_id
        where e.ended_at < clock_timestamp() - make_interval(secs => $1::bigint) and m.held_reason is null
        order by e.ended_at, e.match_id limit $2
        """

    /// The row is locked as by a writer, so that a match is not deleted while a reply is appended.
    private static let lock: Statement = """
        select m.match_id from match m
        where m.match_id = $1 and m.held_reason is null
          and exists (select from ended_match e where e.match_id = m.match_id
                      and e.ended_at < clock_timestamp() - make_interval(secs => $2::bigint))
        for update
        """

    /// Rows that refer to others are first.
    private static let deletions: [(table: String, statement: Statement)] = [
        ("announced_moment", "delete from announced_moment where match_id = $1"),
        ("publication", "delete from publication where match_id = $1"),
        ("match_override", "delete from match_override where match_id = $1"),
        ("journal", "delete from journal where match_id = $1"),
        ("match", "delete from match where match_id = $1"),
    ]

    private let journal: Journal

    /// Deletes matches of a journal.
    public init(_ journal: Journal) { self.journal = journal }

    /// The matches that ended so long ago, the oldest first, at most so many.
    ///
    /// - Throws: `JournalError.postgres`.
    public func find(endedFor age: Duration, limit: Int) async throws(JournalError) -> [MatchID] {
        try await journal.read(Self.find, [.int(age.components.seconds), .int(Int64(limit))]) { row in
            MatchID(unchecked: try row.text(0))
        }
    }

    /// Deletes a match with its journal in one transaction, and notifies all nodes.
    ///
    /// - Returns: The deleted rows; nil when the match is held, in play again, or did not end so long ago.
    /// - Throws: `JournalError.postgres`; nothing is deleted then.
    public func delete(_ match: MatchID, endedFor age: Duration) async throws(JournalError) -> Deleted? {
        let place: [Bind] = [.text(match.text)]
        do {
            return try await journal.pool.transaction { connection in
                let condition = place + [.int(age.components.seconds)]
                guard try !connection.query(Self.lock, condition, decode: { try $0.text(0) }).isEmpty else {
                    return nil
                }
                var deleted = Deleted()
                for (table, statement) in Self.deletions {
                    deleted.rows.append((table, try connection.execute(statement, place)))
                }
                _ = try connection.query(SQL.notify, place, decode: { _ in () })
                return deleted
            }
        } catch { throw JournalError(error) }
    }
}
