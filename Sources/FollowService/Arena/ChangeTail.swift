// Changes become visible out of order, transaction ids do not lie: a horizon below which all is decided is followed.

internal import Postgres
internal import ScoreTypes

/// Where the reading of changes stands, and how one read goes.
struct ChangeTail {
    /// Changes read at once: a tenth of a second at the highest measured rate.
    static let rowsMax = 20_000

    /// A changed row as it is now.
    struct Changed: Sendable {
        let transaction: Int64
        let key: DeviceMatchKey
        /// Nil: the row is gone.
        let generation: Int32?
        /// Nil: it has no token, or is not active.
        let token: Present?
    }

    /// What an arena takes over from a row.
    struct Present: Sendable {
        let environment: PushEnvironment
        let variant: ActivityVariant
        let wish: AlertWish
        let startedAt: Instant
        let registeredAt: Instant
        let knownRevision: Int64
        let bytes: [UInt8]
    }

    /// What can be read at some moment.
    struct Horizon: Sendable {
        /// The oldest transaction that may still run: all before it is decided.
        let oldest: Int64
        /// The first transaction that has not begun.
        let next: Int64
        /// Changes of older transactions are dropped.
        let droppedBelow: Int64
    }

    /// What one read gave.
    struct Step: Sendable {
        let changes: [Changed]
        /// All changes of older transactions are read.
        let position: Int64
        /// More wait.
        let hasMore: Bool
    }

    /// Asks how far can be read.
    static func horizon(on connection: isolated Connection) throws -> Horizon {
        let rows = try connection.query(ArenaStatements.horizon) { row in
            Horizon(oldest: try row.int(0), next: try row.int(1), droppedBelow: try row.int(2))
        }
        guard let horizon = rows.first else {
            throw PostgresError(.decoding, message: "change_dropped is empty: expected one row")
        }
        return horizon
    }

    /// Reads the changes of decided transactions from `position` on.
    static func read(
        from position: Int64,
        to horizon: Horizon,
        matches: [MatchID],
        buckets: [Bucket],
        on connection: isolated Connection
    ) throws -> Step {
        guard horizon.oldest > position, !matches.isEmpty, !buckets.isEmpty else {
            return Step(changes: [], position: max(position, horizon.oldest), hasMore: false)
        }
        let changes = try connection.query(
            ArenaStatements.changes,
            [
                .int(position), .int(horizon.oldest), .texts(matches.map(\.text)), .smallints(buckets.map(\.number)),
                .int(Int64(rowsMax)),
            ],
            decode: changed
        )
        // A transaction has at most two thousand changes, hence a full read always gets past its first one.
        guard changes.count == rowsMax, let last = changes.last else {
            return Step(changes: changes, position: horizon.oldest, hasMore: false)
        }
        return Step(changes: changes, position: last.transaction, hasMore: true)
    }

    private static func changed(_ row: Row) throws -> Changed {
        let isPresent = try row.bool(10)
        return Changed(
            transaction: try row.int(0),
            key: try row.activityKey(1),
            generation: try row.intIfPresent(3).map { Int32(clamping: $0) },
            token: isPresent
                ? Present(
                    environment: try row.environment(4),
                    variant: try row.variant(5),
                    wish: AlertWish(rawValue: UInt8(clamping: try row.int(11))),
                    startedAt: try row.timestamp(6),
                    registeredAt: try row.timestamp(7),
                    knownRevision: try row.int(8),
                    bytes: try row.bytes(9)
                )
                : nil
        )
    }

    /// Applies a change to an arena; the addition that a sender has to know of, if it is one.
    static func apply(_ change: Changed, to arena: MatchArena) -> LateToken? {
        let device = change.key.device
        let bucket = arena[Bucket(of: device)]
        guard let generation = change.generation else {
            _ = bucket.remove(device, upTo: .max, registeredBy: nil)
            return nil
        }
        guard let present = change.token, !present.bytes.isEmpty else {
            _ = bucket.remove(device, upTo: generation, registeredBy: nil)
            return nil
        }
        let effect = present.bytes.withUnsafeBytes { token in
            bucket.put(
                ArenaEntry(
                    device: device,
                    generation: generation,
                    startedAt: UInt32(clamping: present.startedAt.seconds),
                    registeredAt: present.registeredAt.secondsRoundedUp,
                    environment: present.environment,
                    variant: present.variant,
                    wish: present.wish,
                    token: token
                )
            )
        }
        guard effect == .added || effect == .replaced else { return nil }
        return LateToken(
            match: change.key.match,
            device: device,
            generation: generation,
            environment: present.environment,
            variant: present.variant,
            knownRevision: present.knownRevision
        )
    }
}
