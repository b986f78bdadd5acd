// An app may show a match before it begins; such matches are published, too.

internal import Postgres
public import ScoreTypes

extension Activities {
    private static let shownEarly: Statement = """
        select m.match_id from shown_match s join match_state m on m.match_id = s.match_id
        where m.phase = 0 and m.removed_at is null
          and exists (select from activity a where a.match_id = s.match_id and a.state = 1)
        order by m.match_id limit $1
        """

    /// The matches that have not begun and that phones show, in order of id; at most a thousand.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func matchesShownEarly() async throws(FollowError) -> [MatchID] {
        try await pool.rows(Self.shownEarly, [.int(FollowLimits.matchesShownEarly)]) { row in
            MatchID(unchecked: try row.text(0))
        }
    }
}
