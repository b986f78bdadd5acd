// A phone whose app makes no call for long is erased as if its owner had ordered it; its app registers again.

internal import Postgres
public import ScoreTypes

/// Finds and erases devices that made no call for long, follow no match and show no activity.
///
/// One sweep looks into some buckets, so that it never reads all devices; the buckets follow from the time.
public struct IdleDevices: Sendable {
    private static let idle: Statement = """
        select d.device_id from device d
        where d.bucket = any($1) and d.seen_at < $2 and d.erased_at is null
          and not exists (
              select from follow f where f.bucket = d.bucket and f.device_id = d.device_id and f.wants = 1)
          and not exists (
              select from activity a where a.bucket = d.bucket and a.device_id = d.device_id and a.state <> 3)
        limit $3
        """

    let pool: Pool
    let clock: ServiceClock
    let devices: Devices

    /// The buckets of the sweep of this hour: every bucket is among those of 43 hours.
    public var currentBuckets: [Bucket] {
        let (hour, width) = (Int(clock.wall.seconds / 3600), FollowLimits.bucketsPerIdleSearch)
        return (0..<width).compactMap { Bucket((hour % Bucket.count * width + $0) % Bucket.count) }
    }

    /// The number of devices that ``erase(unusedFor:in:limit:)`` would erase.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func count(
        unusedFor age: Duration,
        in buckets: [Bucket],
        limit: Int
    ) async throws(FollowError) -> Int {
        try await find(age, buckets, limit).count
    }

    /// Erases devices without a call for so long; their rows are deleted like those of other erased devices.
    ///
    /// - Parameters:
    ///   - age: Time since the newest stored call.
    ///   - buckets: Where it looks.
    ///   - limit: Devices after which it stops.
    /// - Returns: The number of erased devices.
    /// - Throws: `FollowError` when PostgreSQL cannot answer; the devices before are erased.
    public func erase(
        unusedFor age: Duration,
        in buckets: [Bucket],
        limit: Int
    ) async throws(FollowError) -> Int {
        let found = try await find(age, buckets, limit)
        for device in found { _ = try await devices.erase(device) }
        return found.count
    }

    private func find(_ age: Duration, _ buckets: [Bucket], _ limit: Int) async throws(FollowError) -> [DeviceID] {
        let binds: [Bind] = [
            .smallints(buckets.map(\.number)), .timestamp(clock.wall - age),
            .int(Int64(min(limit, FollowLimits.idleDevicesPerSweep))),
        ]
        return try await pool.rows(Self.idle, binds) { try $0.uuid(0) }
    }
}
