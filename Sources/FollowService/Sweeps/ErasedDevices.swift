// The row of an erased device stays for a month, so that every node refuses its late calls; then it is deleted.

internal import Postgres
public import ScoreTypes

/// Deletes the rows of devices that were erased long ago, and ends activities that a recent erasure missed.
public struct ErasedDevices: Sendable {
    /// A node that dies during an erasure may leave activities of a concurrent registration.
    private static let endLeft: Statement = """
        with target as materialized (
            select a.match_id, a.bucket, a.device_id, a.channel_id, a.token
            from device d join activity a on a.bucket = d.bucket and a.device_id = d.device_id
            where d.erased_at >= $1 and a.state <> 3
            order by a.bucket, a.device_id, a.match_id limit $2
            for update of a
        )
        update activity a set state = 3, token = '', end_reason = 'erased' from target t
        where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
        returning a.match_id, a.device_id, a.gen, a.env, a.variant, t.channel_id, t.token, a.end_reason
        """

    private static let delete: Statement = """
        with target as materialized (
            select bucket, device_id from device where erased_at < $1 order by erased_at limit $2 for update
        )
        delete from device d using target t where d.bucket = t.bucket and d.device_id = t.device_id
        """

    private static let recent: Statement = """
        select device_id from device where erased_at >= $1 order by erased_at desc limit $2
        """

    let pool: Pool
    let clock: ServiceClock

    /// Ends activities of erased devices and deletes their tokens; at most 1,000 activities in one call.
    ///
    /// - Returns: The activities, for a last push to each that is on a token.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func endLeft() async throws(FollowError) -> [EndingActivity] {
        let binds = binds(before: FollowLimits.erasureCheckAge)
        return try await pool.commit { try $0.endActivities(Self.endLeft, binds) }
    }

    /// Deletes rows older than ``FollowLimits/erasedDeviceAge``, at most 1,000 in one call.
    ///
    /// - Returns: The number of deleted rows.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func clear() async throws(FollowError) -> Int {
        let binds = binds(before: FollowLimits.erasedDeviceAge)
        return try await pool.commit { try $0.execute(Self.delete, binds) }
    }

    /// The devices that any node has erased since a time by the nodes' clocks, the newest erasures first.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func recent(since time: Instant, limit: Int) async throws(FollowError) -> [DeviceID] {
        try await pool.rows(Self.recent, [.timestamp(time), .int(Int64(limit))]) { try $0.uuid(0) }
    }

    private func binds(before age: Duration) -> [Bind] {
        [.timestamp(clock.wall - age), .int(Int64(FollowLimits.rowsPerDeletion))]
    }
}
