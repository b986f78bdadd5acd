// A registration copies what its person said a moment ago; who says something else meanwhile must have the last word.

internal import Postgres
internal import ScoreTypes

/// Outlasts the registrations that may not have seen a commit.
///
/// A registration reads wishes, then writes its rows, unseen by all others until it commits. Whoever changes a follow
/// or a device's sound, or erases a device, cannot see those rows before its own commit, nor be seen by that reading.
/// So each registration bears a mark from before it reads, and whoever commits such a change waits for those that bear
/// one then, and brings the activities up to date once more. A registration that bore no mark yet reads after the
/// commit; one that had ended left rows to be seen. Locking what it reads instead would cost each registration a write
/// for each row.
///
/// The caller is answered after that, so that an app whose server died in between repeats its call.
enum RegistrationsUnderWay {
    /// The mark of their transactions; any number that nobody else uses in this database.
    static let mark: Int64 = 0x5c0e_ac71
    /// How long they are waited for: one whose node was stopped ends long before, by the bounds of its connection.
    static let waitMax = Duration.seconds(5)

    /// Waits for those that are under way.
    ///
    /// - Throws: `PostgresError` of kind `timeout` when one is still, so that the app comes again.
    static func end(in pool: Pool) async throws {
        guard try await pool.passed(mark: mark, within: waitMax) else {
            throw PostgresError(.timeout, message: "a registration is under way for more than \(waitMax)")
        }
    }

    /// Brings the wishes of activities up to date once no registration can have missed the last commit.
    ///
    /// - Returns: Whether one had missed it.
    static func catchUp(_ keys: [DeviceMatchKey], in pool: Pool) async throws -> Bool {
        guard !keys.isEmpty else { return false }
        try await end(in: pool)
        let behind = try await pool.withConnection { try $0.behind(keys) }
        try await copy(to: behind, in: pool)
        return !behind.isEmpty
    }

    /// The same for all activities of a device.
    static func catchUp(_ device: DeviceID, in pool: Pool) async throws {
        try await end(in: pool)
        let behind = try await pool.withConnection { try $0.behind(device) }
        try await copy(to: behind, in: pool)
    }

    private static func copy(to behind: [DeviceMatchKey], in pool: Pool) async throws {
        guard !behind.isEmpty else { return }
        try await pool.transaction { try $0.copyWishes(to: try $0.lockActivities(behind)) }
    }
}

/// A call of the lanes in which follows look once more.
struct WishCatchUp: LaneCall {
    let key: DeviceMatchKey
    /// All look at what is stored, so that any speaks for the others.
    var clientSequence: Int64 { 0 }

    func outcome(supersededBy newer: WishCatchUp, with outcome: Void) {}
}
