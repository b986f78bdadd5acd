// An erased device leaves a mark, so that no node that still believes its credential lets it in; marks do not stay.

public import Postgres
public import ScoreTypes

/// Deletes the marks of devices that were erased long ago, and ends what one that was erased just now has left.
public struct ErasedDevices: Sendable {
    /// How long a mark is kept: long after any node believes a credential, or an app repeats a call.
    public static let keptMax = Duration.seconds(30 * 24 * 3600)

    /// How long after an erasure its device's activities are looked for: longer than any registration is under way, and
    /// than sweeps pause.
    static let lookedAtMax = Duration.seconds(3600)
    /// Rows of one transaction.
    private static let rowsMax: Int64 = 1_000

    /// A node that dies between an erasure and its second look leaves a registration that met it.
    private static let endLeft = Statement(
        """
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
    )

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

    /// Ends what is left of devices, at most a thousand activities in one call; their tokens are forgotten with it.
    ///
    /// - Returns: The activities, for a last push to each that is on a token.
    public func endLeft() async throws(FollowError) -> [EndingActivity] {
        let binds: [Bind] = [.timestamp(clock.wall + (.zero - Self.lookedAtMax)), .int(Self.rowsMax)]
        do {
            return try await pool.transaction { connection in
                let ended = try connection.query(Self.endLeft, binds) { row in
                    (try row.activityKey(), try row.endingActivity())
                }
                try connection.noteChanges(ended.map(\.0))
                return ended.compactMap(\.1)
            }
        } catch {
            throw FollowError(error)
        }
    }

    /// Deletes marks older than ``keptMax``, at most a thousand in one call.
    ///
    /// - Returns: How many were deleted.
    public func clear() async throws(FollowError) -> Int {
        let binds: [Bind] = [.timestamp(clock.wall + (.zero - Self.keptMax)), .int(Self.rowsMax)]
        do {
            return try await pool.transaction { try $0.execute(Self.delete, binds) }
        } catch {
            throw FollowError(error)
        }
    }
}
