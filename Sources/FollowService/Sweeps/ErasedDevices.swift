// The row of an erased device stays for a month, so that every node refuses its late calls; then it is deleted.

internal import Postgres
internal import ScoreTypes

/// Deletes the rows of devices that were erased long ago, and ends activities that a recent erasure or block missed.
public struct ErasedDevices: Sendable {
    /// A node that dies during an erasure or a block may leave activities of a concurrent registration.
    private static let endLeft: Statement = """
        with target as materialized (
            select a.match_id, a.bucket, a.device_id, a.channel_id, a.token,
                   case when d.erased_at is null then 'operator' else 'erased' end as reason
            from device d join activity a on a.bucket = d.bucket and a.device_id = d.device_id
            where d.access_at >= $1 and (d.erased_at is not null or d.blocked_at is not null) and a.state <> 3
            order by a.bucket, a.device_id, a.match_id limit $2
            for update of a
        )
        update activity a set state = 3, token = '', end_reason = t.reason from target t
        where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
        returning a.match_id, a.device_id, a.gen, a.env, a.variant, t.channel_id, t.token, a.end_reason
        """

    private static let delete: Statement = """
        with target as materialized (
            select bucket, device_id from device where erased_at < $1 order by erased_at limit $2 for update
        )
        delete from device d using target t where d.bucket = t.bucket and d.device_id = t.device_id
        """

    private static let deletable: Statement = """
        select count(*) from (select 1 from device where erased_at < $1 limit $2) as rows
        """

    let pool: Pool
    let clock: ServiceClock

    /// Ends activities of erased and blocked devices and deletes their tokens; at most 1,000 activities in one call.
    ///
    /// - Returns: The activities, for a last push to each that is on a token.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func endLeft() async throws(FollowError) -> [EndingActivity] {
        let binds = binds(before: FollowLimits.erasureCheckAge)
        return try await pool.commit { try $0.endActivities(Self.endLeft, binds) }
    }

    /// The number of rows that ``clear()`` would delete.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func count() async throws(FollowError) -> Int {
        let binds = binds(before: FollowLimits.erasedDeviceAge)
        return Int(try await pool.rows(Self.deletable, binds) { try $0.int(0) }.first ?? 0)
    }

    /// Deletes rows older than ``FollowLimits/erasedDeviceAge``, at most 1,000 in one call.
    ///
    /// - Returns: The number of deleted rows.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func clear() async throws(FollowError) -> Int {
        let binds = binds(before: FollowLimits.erasedDeviceAge)
        return try await pool.commit { try $0.execute(Self.delete, binds) }
    }

    private func binds(before age: Duration) -> [Bind] {
        [.timestamp(clock.wall - age), .int(Int64(FollowLimits.rowsPerDeletion))]
    }
}
