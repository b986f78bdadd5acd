// Rows of matches that ended long ago are deleted, a limited number in each sweep.

internal import Postgres
internal import ScoreTypes

/// Deletes the activities, the progress and the follows of matches that ended long ago.
///
/// A match that its provider removed before it began ended with its removal.
public struct FinishedMatches: Sendable {
    /// Matches with pushes have progress rows; others are found by their activities.
    private static let oldest: Statement = """
        select m.match_id from ended_match m
        where m.ended_at < $1
          and (exists (select from fanout f where f.match_id = m.match_id)
               or m.match_id in (select match_id from shown_match))
        order by m.ended_at limit 1
        """

    private static let deletable: Statement = """
        with over as materialized (select match_id from ended_match where ended_at < $1)
        select count(*) from (
            (select 1 from over o join activity a on a.match_id = o.match_id limit $2)
            union all
            (select 1 from over o join fanout f on f.match_id = o.match_id limit $2)
            union all
            (select 1 from ended_match m join follow f on f.match_id = m.match_id
             where m.ended_at < $3 limit $2)) as rows
        """

    private static let deleteActivities = deletion(from: "activity")
    private static let deleteFollows = deletion(from: "follow")

    private static func deletion(from table: StaticString) -> Statement {
        """
        with target as materialized (
            select match_id, bucket, device_id from \(table)
            where match_id = $1 order by bucket, device_id limit $2 for update
        )
        delete from \(table) d using target t
        where d.match_id = t.match_id and d.bucket = t.bucket and d.device_id = t.device_id
        """
    }

    /// Steps through the key of follows, with one probe for each followed match.
    private static let oldestFollowed: Statement = """
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

    private static let deleteProgress = Statement("delete from fanout where match_id = $1")

    let pool: Pool
    let clock: ServiceClock

    /// The number of rows that ``clear(limit:)`` would delete.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func count(limit: Int) async throws(FollowError) -> Int {
        let binds: [Bind] = [
            .timestamp(clock.wall - FollowLimits.finishedMatchAge), .int(Int64(limit)),
            .timestamp(clock.wall - FollowLimits.finishedFollowAge),
        ]
        let counts = try await pool.rows(Self.deletable, binds) { try $0.int(0) }
        return min(limit, Int(counts.first ?? 0))
    }

    /// Deletes rows of matches after ``FollowLimits/finishedMatchAge``, and their follows later, match by match.
    ///
    /// - Parameter limit: Rows after which it stops; the next call continues.
    /// - Returns: The number of deleted rows.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func clear(limit: Int) async throws(FollowError) -> Int {
        let deleted = try await clearActivities(limit: limit)
        return deleted < limit ? try await deleted + clearFollows(limit: limit - deleted) : deleted
    }

    private func clearActivities(limit: Int) async throws(FollowError) -> Int {
        let cutoff = clock.wall - FollowLimits.finishedMatchAge
        var deleted = 0
        while deleted < limit {
            let matches = try await pool.rows(Self.oldest, [.timestamp(cutoff)]) { try $0.text(0) }
            guard let match = matches.first else { return deleted }
            let count = try await delete(Self.deleteActivities, of: match)
            deleted += count
            if count < FollowLimits.rowsPerDeletion {
                deleted += try await pool.commit { try $0.execute(Self.deleteProgress, [.text(match)]) }
            }
        }
        return deleted
    }

    private func clearFollows(limit: Int) async throws(FollowError) -> Int {
        let cutoff = clock.wall - FollowLimits.finishedFollowAge
        let binds: [Bind] = [.timestamp(cutoff), .int(Int64(FollowLimits.matchesPerDeletion))]
        var deleted = 0
        for match in try await pool.rows(Self.oldestFollowed, binds, decode: { try $0.text(0) }) {
            var count = FollowLimits.rowsPerDeletion
            while count == FollowLimits.rowsPerDeletion {
                guard deleted < limit else { return deleted }
                count = try await delete(Self.deleteFollows, of: match)
                deleted += count
            }
        }
        return deleted
    }

    private func delete(_ statement: Statement, of match: String) async throws(FollowError) -> Int {
        try await pool.commit { try $0.execute(statement, [.text(match), .int(Int64(FollowLimits.rowsPerDeletion))]) }
    }
}
