// Rows of matches that ended long ago are deleted, a limited number in each sweep.

internal import Postgres
public import ScoreTypes

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

    private static let deletableActivities: Statement = """
        with over as materialized (select match_id from ended_match where ended_at < $1)
        select count(*) from (
            (select 1 from over o join activity a on a.match_id = o.match_id limit $2)
            union all
            (select 1 from over o join fanout f on f.match_id = o.match_id limit $2)) as rows
        """

    private static let deletableFollows: Statement = """
        select count(*) from (
            select 1 from ended_match m join follow f on f.match_id = m.match_id where m.ended_at < $1 limit $2) as rows
        """

    private static let inUse: Statement = """
        select m.match_id from unnest($1) as m(match_id)
        where exists (select from follow f where f.match_id = m.match_id)
           or exists (select from activity a where a.match_id = m.match_id)
           or exists (select from fanout p where p.match_id = m.match_id)
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

    /// Finds among some matches the ones that have a follow, an activity or progress, withdrawn and ended ones too.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func inUse(_ matches: [MatchID]) async throws(FollowError) -> Set<MatchID> {
        Set(try await pool.rows(Self.inUse, [.texts(matches.map(\.text))]) { MatchID(unchecked: try $0.text(0)) })
    }

    /// The number of rows that ``clearActivities(limit:)`` would delete.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func countActivities(limit: Int) async throws(FollowError) -> Int {
        try await count(Self.deletableActivities, after: FollowLimits.finishedMatchAge, limit)
    }

    /// The number of rows that ``clearFollows(limit:)`` would delete.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func countFollows(limit: Int) async throws(FollowError) -> Int {
        try await count(Self.deletableFollows, after: FollowLimits.finishedFollowAge, limit)
    }

    private func count(_ statement: Statement, after age: Duration, _ limit: Int) async throws(FollowError) -> Int {
        let counts = try await pool.rows(statement, [.timestamp(clock.wall - age), .int(Int64(limit))]) {
            try $0.int(0)
        }
        return min(limit, Int(counts.first ?? 0))
    }

    /// Deletes the activities and the progress of matches after ``FollowLimits/finishedMatchAge``, match by match.
    ///
    /// - Parameter limit: Rows after which it stops; the next call continues.
    /// - Returns: The number of deleted rows.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func clearActivities(limit: Int) async throws(FollowError) -> Int {
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

    /// Deletes the follows of matches after ``FollowLimits/finishedFollowAge``, match by match.
    ///
    /// - Parameter limit: Rows after which it stops; the next call continues.
    /// - Returns: The number of deleted rows.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func clearFollows(limit: Int) async throws(FollowError) -> Int {
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
