// An app may put a match on its Lock Screen long before the first ball; from then on it has to be served.

internal import Postgres
public import ScoreTypes

extension Activities {
    /// Most matches of one answer: a day of all the world's cricket.
    static let shownEarlyMax: Int64 = 1_000

    private static let shownEarly = Statement(
        """
        select m.match_id from shown_match s join match m on m.match_id = s.match_id
        where m.phase = 0 and m.removed_at is null
          and exists (select from activity a where a.match_id = s.match_id and a.state = 1)
        order by m.match_id limit $1
        """
    )

    /// The matches that have not begun and that phones show already, in order of id.
    public func matchesShownEarly() async throws(FollowError) -> [MatchID] {
        do {
            return try await pool.query(Self.shownEarly, [.int(Self.shownEarlyMax)]) { row in
                MatchID(unchecked: try row.text(0))
            }
        } catch {
            throw FollowError(error)
        }
    }
}
