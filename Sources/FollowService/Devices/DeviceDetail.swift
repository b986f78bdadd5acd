// Operators look one device up, by its id or by the fingerprint of a token that a log line names.

internal import Postgres
public import ScoreTypes

/// A device as operators see it.
public struct DeviceDetail: Sendable, Hashable {
    /// The device with its tokens.
    public let device: DeviceRecord
    /// Time of its app's last call, exact to a week.
    public let seenAt: Instant
    /// When its app last compared its activities with the server, exact to an hour; nil: never.
    public let reconciledAt: Instant?
    /// Since when it is blocked; nil: it is not.
    public let blockedAt: Instant?
    /// Since when operators may send test notifications to it; nil: they may not.
    public let testerAt: Instant?
    /// Whether its credential was revoked.
    public let isRevoked: Bool
}

/// A device that was found, and by which of its tokens.
public struct FoundToken: Sendable, Hashable {
    /// A kind of token, by its name in the admin API.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case alert, pushToStart, widget
        /// The token or the id of an activity.
        case activity
    }

    /// The device.
    public let device: DeviceID
    /// The kind of the token; nil for a device that was found by its id.
    public let kind: Kind?
    /// The match of an activity; nil for a token of the device.
    public let match: MatchID?

    /// Describes a device.
    public init(device: DeviceID, kind: Kind? = nil, match: MatchID? = nil) {
        (self.device, self.kind, self.match) = (device, kind, match)
    }
}

/// The SQL of look-ups by operators.
private enum DeviceDetailStatements {
    static let detail: Statement = """
        select seen_at, reconciled_at, blocked_at, tester_at, credential_hash = '' from device
        where bucket = $1 and device_id = $2 and erased_at is null
        """

    /// The digests begin with the fingerprint, so that the primary key finds them.
    static let owners: Statement = """
        select device_id, chr(get_byte(digest, 15)) from token_owner where digest between $1 and $2
        order by digest limit $3
        """

    static let builds: Statement = """
        select d.device_id, coalesce(d.profile->>'appBuild', '') from unnest($1, $2) as r(bucket, device_id)
        join device d on d.bucket = r.bucket and d.device_id = r.device_id
        """
}

extension Devices {
    /// A device for operators; nil when there is none.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func detail(of device: DeviceID) async throws(FollowError) -> DeviceDetail? {
        guard let record = try await find(device) else { return nil }
        return try await pool.rows(DeviceDetailStatements.detail, device.binds) { row in
            DeviceDetail(
                device: record,
                seenAt: try row.timestamp(0),
                reconciledAt: try row.timestampIfPresent(1),
                blockedAt: try row.timestampIfPresent(2),
                testerAt: try row.timestampIfPresent(3),
                isRevoked: try row.bool(4)
            )
        }.first
    }

    /// The devices with a token of this fingerprint for notifications, push-to-start or widgets: one probe of an index.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func owners(of fingerprint: Fingerprint) async throws(FollowError) -> [FoundToken] {
        let first = fingerprint.bytes
        let binds: [Bind] = [
            .bytes(first), .bytes(first + [UInt8](repeating: .max, count: 16 - first.count)),
            .int(FollowLimits.tokensOfFingerprint),
        ]
        return try await pool.rows(DeviceDetailStatements.owners, binds) { row in
            let kinds: [String: FoundToken.Kind] = ["a": .alert, "s": .pushToStart, "w": .widget]
            return FoundToken(device: try row.uuid(0), kind: kinds[try row.text(1)])
        }
    }

    /// The builds of the apps of devices; a device that is not stored is left out.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func builds(of devices: [DeviceID]) async throws(FollowError) -> [DeviceID: String] {
        var builds: [DeviceID: String] = [:]
        for start in stride(from: 0, to: devices.count, by: FollowLimits.rowsPerStatement) {
            let page = Array(devices[start..<min(devices.count, start + FollowLimits.rowsPerStatement)])
            let rows = try await pool.rows(DeviceDetailStatements.builds, page.binds) { row in
                (try row.uuid(0), try row.text(1))
            }
            builds.merge(rows) { first, _ in first }
        }
        return builds
    }
}
