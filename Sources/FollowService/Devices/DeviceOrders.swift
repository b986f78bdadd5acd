// Operators block a device, revoke its credential, and choose the devices that receive test notifications.

internal import Postgres
public import ScoreTypes

/// A device whose access an operator, or an erasure, changed a moment ago.
public struct DeviceAccess: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// Whether every credential of it is refused now: blocked, revoked or erased.
    public let isRefused: Bool
}

/// The SQL of orders about one device.
private enum DeviceOrderStatements {
    /// Takes the tokens, which the app registers again after the block (`moved_tokens`).
    static let block: Statement = """
        update device set blocked_at = coalesce(blocked_at, $3), access_at = $3,
               moved_tokens = moved_tokens | case when alert_token is null then 0 else 1 end
                                           | case when start_token is null then 0 else 2 end
                                           | case when widget_token is null then 0 else 4 end,
               alert_token = null, start_token = null, widget_token = null
        where bucket = $1 and device_id = $2 and erased_at is null
        """

    static let unblock: Statement = """
        update device set blocked_at = null, access_at = $3
        where bucket = $1 and device_id = $2 and erased_at is null
        """

    static let revoke: Statement = """
        update device set credential_hash = '', replaced_hash = null, replaced_until = null, rotation_key = null,
               rotation_salt = null, access_at = $3
        where bucket = $1 and device_id = $2 and erased_at is null
        """

    static let setTester: Statement = """
        update device set tester_at = case when $4 then coalesce(tester_at, $3) end
        where bucket = $1 and device_id = $2 and erased_at is null
        """

    static let recent: Statement = """
        select device_id, erased_at is not null or blocked_at is not null or credential_hash = '' from device
        where access_at >= $1 order by access_at desc limit $2
        """
}

extension Devices {
    /// Blocks a device: its calls are refused, its activities end, and it has no token until it is unblocked.
    ///
    /// - Returns: The activities that it still shows, for a last push; nil when there is no such device.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func block(_ device: DeviceID) async throws(FollowError) -> [EndingActivity]? {
        try await shut(device, because: .operator) { try $0.execute(DeviceOrderStatements.block, $1) == 1 }
    }

    /// Lets a blocked device call again; its app registers its tokens at its next reconcile.
    ///
    /// - Returns: False when there is no such device.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func unblock(_ device: DeviceID) async throws(FollowError) -> Bool {
        try await pool.write(DeviceOrderStatements.unblock, device.binds + [.timestamp(clock.wall)]) == 1
    }

    /// Makes every credential of a device invalid; its app registers again, and its tokens move to the new device.
    ///
    /// - Returns: False when there is no such device.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func revoke(_ device: DeviceID) async throws(FollowError) -> Bool {
        try await pool.write(DeviceOrderStatements.revoke, device.binds + [.timestamp(clock.wall)]) == 1
    }

    /// Lets operators send test notifications to a device, or no longer.
    ///
    /// - Returns: False when there is no such device.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func setTester(_ device: DeviceID, _ isTester: Bool) async throws(FollowError) -> Bool {
        let binds = device.binds + [.timestamp(clock.wall), .bool(isTester)]
        return try await pool.write(DeviceOrderStatements.setTester, binds) == 1
    }

    /// The devices whose access any node has changed since a time by the nodes' clocks, the newest changes first.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func changedAccess(since time: Instant, limit: Int) async throws(FollowError) -> [DeviceAccess] {
        try await pool.rows(DeviceOrderStatements.recent, [.timestamp(time), .int(Int64(limit))]) { row in
            DeviceAccess(device: try row.uuid(0), isRefused: try row.bool(1))
        }
    }
}
