// Matches come every day and their phones move on; what nobody will ask for again is deleted, a little at a time.

public import Postgres
public import ScoreTypes

/// Deletes the activities, the progress and the follows of matches that have long been over.
///
/// One that its provider dropped before it began is over since then.
public struct FinishedMatches: Sendable {
    /// How long they are kept after the end of a match: the eight hours of an activity and the four of its dismissal.
    public static let keptMax = Duration.seconds(12 * 3600)
    /// How long follows are kept after it, withdrawn ones too: a phone that was off still finds what it followed.
    public static let followsKeptMax = Duration.seconds(48 * 3600)
    /// Matches whose follows one call deletes at most; a day of cricket has fewer.
    static let matchesMax = 100
    /// Rows of one transaction: a longer one would hold up those who follow the changes.
    static let rowsMax = 1_000

    /// Progress was made for every match that was ever pushed; others are found by what phones show of
    /// them.
    private static let oldest = Statement(
        """
        select m.match_id from ended_match m
        where m.ended_at < $1
          and (exists (select from fanout f where f.match_id = m.match_id)
               or m.match_id in (select match_id from shown_match))
        order by m.ended_at limit 1
        """
    )

    private static let deletable = Statement(
        """
        with over as materialized (select match_id from ended_match where ended_at < $1)
        select count(*) from (
            (select 1 from over o join activity a on a.match_id = o.match_id limit $2)
            union all
            (select 1 from over o join fanout f on f.match_id = o.match_id limit $2)
            union all
            (select 1 from ended_match m join follow f on f.match_id = m.match_id
             where m.ended_at < $3 limit $2)) as rows
        """
    )

    private static let deleteActivities = Statement(
        """
        with target as materialized (
            select match_id, bucket, device_id from activity
            where match_id = $1 order by bucket, device_id limit $2 for update
        )
        delete from activity a using target t
        where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
        """
    )

    /// Steps through the key of follows, one probe for each match that is followed, by however many.
    private static let oldestFollowed = Statement(
        """
        with recursive followed(match_id) as (
            (select match_id from follow order by match_id limit 1)
            union all
            select (select f.match_id from follow f where f.match_id > t.match_id order by f.match_id limit 1)
            from followed t where t.match_id is not null
        )
        select m.match_id from followed t join ended_match m on m.match_id = t.match_id
        where m.ended_at < $1
        order by m.ended_at limit $2
        """
    )

    private static let deleteFollows = Statement(
        """
        with target as materialized (
            select match_id, bucket, device_id from follow
            where match_id = $1 order by bucket, device_id limit $2 for update
        )
        delete from follow f using target t
        where f.match_id = t.match_id and f.bucket = t.bucket and f.device_id = t.device_id
        """
    )

    private static let deleteProgress = Statement("delete from fanout where match_id = $1")

    private let pool: Pool
    private let clock: ServiceClock

    /// Makes the clearer.
    public init(pool: Pool, clock: ServiceClock) {
        self.pool = pool
        self.clock = clock
    }

    /// How many rows ``clear(limit:)`` would delete.
    public func count(limit: Int) async throws(FollowError) -> Int {
        do {
            let binds: [Bind] = [
                .timestamp(clock.wall + (.zero - Self.keptMax)), .int(Int64(limit)),
                .timestamp(clock.wall + (.zero - Self.followsKeptMax)),
            ]
            let counts = try await pool.query(Self.deletable, binds) { try $0.int(0) }
            return min(limit, Int(counts.first ?? 0))
        } catch {
            throw FollowError(error)
        }
    }

    /// Deletes what is over for longer than ``keptMax``, and follows after ``followsKeptMax``, match by match.
    ///
    /// - `limit`: Rows after which it stops; the rest waits for the next call.
    /// - Returns: How many rows were deleted.
    public func clear(limit: Int) async throws(FollowError) -> Int {
        do {
            let deleted = try await clearActivities(limit: limit)
            return deleted < limit ? try await deleted + clearFollows(limit: limit - deleted) : deleted
        } catch {
            throw FollowError(error)
        }
    }

    private func clearActivities(limit: Int) async throws -> Int {
        let cutoff = clock.wall + (.zero - Self.keptMax)
        var deleted = 0
        while deleted < limit {
            let matches = try await pool.query(Self.oldest, [.timestamp(cutoff)]) { try $0.text(0) }
            guard let match = matches.first else { return deleted }
            let count = try await delete(Self.deleteActivities, of: match)
            deleted += count
            if count < Self.rowsMax {
                deleted += try await pool.transaction { try $0.execute(Self.deleteProgress, [.text(match)]) }
            }
        }
        return deleted
    }

    private func clearFollows(limit: Int) async throws -> Int {
        let cutoff = clock.wall + (.zero - Self.followsKeptMax)
        let binds: [Bind] = [.timestamp(cutoff), .int(Int64(Self.matchesMax))]
        var deleted = 0
        for match in try await pool.query(Self.oldestFollowed, binds, decode: { try $0.text(0) }) {
            var count = Self.rowsMax
            while count == Self.rowsMax {
                guard deleted < limit else { return deleted }
                count = try await delete(Self.deleteFollows, of: match)
                deleted += count
            }
        }
        return deleted
    }

    private func delete(_ statement: Statement, of match: String) async throws -> Int {
        try await pool.transaction { try $0.execute(statement, [.text(match), .int(Int64(Self.rowsMax))]) }
    }
}
