// A registration copies the person's settings; a change that commits at the same time must replace the copy.

internal import Postgres
internal import ScoreTypes

/// Waits for registrations that may have missed a commit.
///
/// A registration reads settings and then writes rows that are invisible until it commits. A concurrent change of a
/// follow or a device does not see these rows, and the registration does not see the change. Therefore each
/// registration holds an advisory lock from before it reads. After its commit, a change waits for the registrations
/// that hold the lock, and updates the copies of its activities again. A registration that takes the lock later reads
/// after the commit; one that has ended has visible rows. To lock the rows that a registration reads would cost it one
/// write for each row.
///
/// The caller receives its answer after that, so that an app whose server fails in between repeats its call.
enum RegistrationBarrier {
    /// The advisory lock of these transactions; a number that nothing else uses in this database.
    static let mark: Int64 = 0x5c0e_ac71

    /// Waits for the registrations in flight.
    ///
    /// - Throws: `PostgresError` of kind `timeout` after ``FollowLimits/registrationWait``.
    static func end(in pool: Pool) async throws {
        guard try await pool.passed(mark: mark, within: FollowLimits.registrationWait) else {
            throw PostgresError(
                .timeout,
                message: "a registration is under way for more than \(FollowLimits.registrationWait)"
            )
        }
    }

    /// Updates the copies of some activities once no registration can have missed the last commit.
    ///
    /// - Returns: Whether a copy was outdated.
    static func catchUp(_ keys: [DeviceMatchKey], in pool: Pool) async throws -> Bool {
        keys.isEmpty ? false : try await catchUp(in: pool) { try $0.behind(keys) }
    }

    /// The same for all activities of a device.
    static func catchUp(_ device: DeviceID, in pool: Pool) async throws {
        _ = try await catchUp(in: pool) { try $0.behind(device) }
    }

    private static func catchUp(
        in pool: Pool,
        _ behind: @Sendable (isolated Connection) throws -> [DeviceMatchKey]
    ) async throws -> Bool {
        try await end(in: pool)
        let behind = try await pool.withConnection(behind)
        if behind.isEmpty { return false }
        try await pool.transaction { try $0.copyWishes(to: try $0.lockActivities(behind)) }
        return true
    }
}

/// A follow's second check, batched with others.
struct CopyRefresh: BatchedCall, Equatable {
    let key: DeviceMatchKey
    /// All read the stored state, so that one serves all.
    var clientSequence: Int64 { 0 }

    func outcome(supersededBy newer: CopyRefresh, with outcome: Void) {}
}
