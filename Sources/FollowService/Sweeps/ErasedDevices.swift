// An erased device leaves a mark, so that no node that still believes its credential lets it in; marks do not stay.

public import Postgres
public import ScoreTypes

/// Deletes the marks of devices that were erased long ago.
public struct ErasedDevices: Sendable {
    /// How long a mark is kept: long after any node believes a credential, or an app repeats a call.
    public static let keptMax = Duration.seconds(30 * 24 * 3600)

    private static let delete = Statement(
        """
        with target as materialized (
            select bucket, device_id from device where erased_at < $1 order by erased_at limit $2 for update
        )
        delete from device d using target t where d.bucket = t.bucket and d.device_id = t.device_id
        """
    )

    private let pool: Pool
    private let clock: ServiceClock

    /// Makes the clearer.
    public init(pool: Pool, clock: ServiceClock) {
        self.pool = pool
        self.clock = clock
    }

    /// Deletes marks older than ``keptMax``, at most a thousand in one call.
    ///
    /// - Returns: How many were deleted.
    public func clear() async throws(FollowError) -> Int {
        let cutoff = clock.wall + (.zero - Self.keptMax)
        do {
            return try await pool.transaction { try $0.execute(Self.delete, [.timestamp(cutoff), .int(1_000)]) }
        } catch {
            throw FollowError(error)
        }
    }
}
