// After a restart all credentials are read again, and anyone may send invented ids: one statement reads many, so that
// lookups take no connections from other calls.

internal import Postgres
internal import ScoreTypes

/// A request for the credential of a device.
struct CredentialLookup: BatchedCall, Equatable {
    let key: DeviceKey
    /// All read the stored credential, so that one serves all.
    var clientSequence: Int64 { 0 }

    func outcome(supersededBy newer: CredentialLookup, with outcome: StoredCredential?) -> StoredCredential? { outcome }

    /// The credential of each device, in the order of the lookups; nil for an unknown or erased one.
    static func read(
        _ lookups: [CredentialLookup],
        in pool: Pool,
        at now: Instant
    ) async throws -> [StoredCredential?] {
        let binds: [Bind] = lookups.map(\.key.device).binds + [.timestamp(now - FollowLimits.deviceUseInterval)]
        let found = try await pool.query(DeviceStatements.credentials, binds) { row in
            var credential = try row.storedCredential()
            credential.isBlocked = try row.bool(3)
            credential.isUseDue = try row.bool(4)
            return (device: try row.uuid(5) as DeviceID, credential: credential)
        }
        let credentials = Dictionary(found.map { ($0.device, $0.credential) }) { first, _ in first }
        return lookups.map { credentials[$0.key.device] }
    }
}
