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
        let knownRev: Int64
        let bytes: [UInt8]
    }

    /// What one read gave.
    struct Step: Sendable {
        let changes: [Changed]
        /// All changes of older transactions are read.
        let position: Int64
        /// The first transaction that had not begun at the read.
        let next: Int64
        /// More wait.
        let hasMore: Bool
    }

    /// Reads the changes of decided transactions from `position` on; nil reads none and tells where to begin.
    static func read(
        from start: Int64?,
        matches: [MatchID],
        buckets: [Bucket],
        on connection: isolated Connection
    ) throws -> Step {
        let (horizon, next) =
            try connection.query(ArenaStatements.horizon) { (try $0.int(0), try $0.int(1)) }.first
            ?? (start ?? 0, start ?? 0)
        let position = start ?? horizon
        guard horizon > position, !matches.isEmpty, !buckets.isEmpty else {
            return Step(changes: [], position: max(position, horizon), next: next, hasMore: false)
        }
        let changes = try connection.query(
            ArenaStatements.changes,
            [
                .int(position), .int(horizon), .texts(matches.map(\.text)), .smallints(buckets.map(\.number)),
                .int(Int64(rowsMax)),
            ],
            decode: changed
        )
        // A transaction has at most two thousand changes, hence a full read always gets past its first one.
        guard changes.count == rowsMax, let last = changes.last else {
            return Step(changes: changes, position: horizon, next: next, hasMore: false)
        }
        return Step(changes: changes, position: last.transaction, next: next, hasMore: true)
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
                    knownRev: try row.int(8),
                    bytes: try row.bytes(9)
                )
                : nil
        )
    }

    /// Applies a change to an arena; the addition that a sender has to know of, if it is one.
    static func apply(_ change: Changed, to arena: MatchArena) -> ArenaAddition? {
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
        return ArenaAddition(
            match: change.key.match,
            device: device,
            generation: generation,
            environment: present.environment,
            variant: present.variant,
            knownRev: present.knownRev
        )
    }
}
