// A client that shows a correction needs the ball as it was; the journal has it in an earlier entry.

internal import MatchEngine
internal import Postgres
public import ScoreTypes

extension Journal {
    /// Entries after a revision, in order, at most `limit` (and never more than a page), with the balls before them.
    ///
    /// - Throws: `JournalError.postgres`; `unreadable` for an entry of a newer server.
    public func changes(
        of match: MatchID,
        after revision: Int64,
        limit: Int
    ) async throws(JournalError) -> [JournalEntry] {
        let binds: [Bind] = [.text(match.text), .int(revision), .int(Int64(min(limit, JournalLimits.pageEntries)))]
        let rows = try await read(Self.changes, binds) { row in
            (
                revision: try row.int(0), at: try row.timestamp(1), body: try row.json(2),
                earlier: try row.jsonIfPresent(3)
            )
        }
        var entries: [JournalEntry] = []
        entries.reserveCapacity(rows.count)
        for row in rows {
            let change = try ChangeCoding.decode(row.body, revision: row.revision)
            let earlier = try row.earlier.map { body throws(JournalError) in
                try ChangeCoding.decode(body, revision: row.revision)
            }
            entries.append(
                JournalEntry(revision: row.revision, at: row.at, change: change, before: earlier?.delivery)
            )
        }
        return entries
    }

    /// The entry before a correction is near it, so that the search backwards by the primary key is short.
    private static let changes = Statement(
        """
        select j.rev, j.at, j.body, case when j.kind in ('amended', 'withdrawn') then (
            select b.body from journal b
            where b.match_id = j.match_id and b.rev < j.rev and b.item_key = j.item_key
              and b.kind in ('inserted', 'amended')
            order by b.rev desc limit 1
        ) end
        from journal j where j.match_id = $1 and j.rev > $2 order by j.rev limit $3
        """
    )
}

extension Change {
    /// The ball that is inserted or amended; nil for another change.
    fileprivate var delivery: Delivery? {
        switch self {
        case .inserted(let delivery), .amended(let delivery): delivery
        default: nil
        }
    }
}
