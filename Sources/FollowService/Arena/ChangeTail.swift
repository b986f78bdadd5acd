// Changes become visible out of order, so they are read up to the oldest transaction that may still run.

internal import Postgres
internal import ScoreTypes

/// Reads the table `change` and applies its rows to arenas.
enum ChangeTail {
    /// The current state of a changed row.
    struct Changed: Sendable {
        let transaction: Int64
        let key: DeviceMatchKey
        /// nil when the row was deleted.
        let generation: Int32?
        /// nil without a token, or when the activity has ended.
        let token: Present?
    }

    /// The columns that an arena holds.
    struct Present: Sendable {
        let activity: HeldActivity
        let knownRevision: Int64
        let bytes: [UInt8]
    }

    /// The transactions whose changes can be read.
    struct Horizon: Sendable {
        /// The oldest transaction that may still run; all before it are committed or rolled back.
        let oldest: Int64
        /// The first transaction that has not begun.
        let next: Int64
        /// Changes of older transactions are deleted.
        let droppedBelow: Int64
    }

    /// The result of one read.
    struct Step: Sendable {
        let changes: [Changed]
        /// All changes of older transactions have been read.
        let position: Int64
        /// Whether more can be read now.
        let hasMore: Bool
    }

    fileprivate static func changed(_ row: Row) throws -> Changed {
        let key = try row.activityKey(1)
        return Changed(
            transaction: try row.int(0),
            key: key,
            generation: try row.intIfPresent(3).map { Int32(clamping: $0) },
            token: try row.bool(10) ? try present(row, on: key.device) : nil
        )
    }

    private static func present(_ row: Row, on device: DeviceID) throws -> Present {
        let activity = HeldActivity(
            device: device,
            generation: try row.medium(3),
            startedAt: UInt32(clamping: try row.timestamp(6).seconds),
            registeredAt: try row.timestamp(7).secondsRoundedUp,
            environment: try row.environment(4),
            variant: try row.variant(5),
            wish: AlertWish(rawValue: UInt8(clamping: try row.int(11)))
        )
        return Present(activity: activity, knownRevision: try row.int(8), bytes: try row.bytes(9))
    }

    /// Applies a change to an arena; returns the late token when the change added or replaced one.
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
        return present.bytes.withUnsafeBytes { token in
            let effect = bucket.put(ArenaEntry(present.activity, token: token))
            guard effect == .added || effect == .replaced else { return nil }
            return LateToken(change.key.match, present.activity, knownRevision: present.knownRevision)
        }
    }
}

extension Connection {
    /// Reads the horizon.
    func changeHorizon() throws -> ChangeTail.Horizon {
        let rows = try query(ArenaStatements.horizon) { row in
            ChangeTail.Horizon(oldest: try row.int(0), next: try row.int(1), droppedBelow: try row.int(2))
        }
        guard let horizon = rows.first else {
            throw PostgresError(.decoding, message: "change_dropped is empty: expected one row")
        }
        return horizon
    }

    /// Reads the changes of finished transactions from `position` on.
    func readChanges(
        from position: Int64,
        to horizon: ChangeTail.Horizon,
        matches: [MatchID],
        buckets: [Bucket]
    ) throws -> ChangeTail.Step {
        guard horizon.oldest > position, !matches.isEmpty, !buckets.isEmpty else {
            return ChangeTail.Step(changes: [], position: max(position, horizon.oldest), hasMore: false)
        }
        let changes = try query(
            ArenaStatements.changes,
            [
                .int(position), .int(horizon.oldest), .texts(matches.map(\.text)), .smallints(buckets.map(\.number)),
                .int(Int64(FollowLimits.changesPerRead)),
            ],
            decode: ChangeTail.changed
        )
        // A transaction has at most 2,000 changes, so a full read always passes its first transaction.
        guard changes.count == FollowLimits.changesPerRead, let last = changes.last else {
            return ChangeTail.Step(changes: changes, position: horizon.oldest, hasMore: false)
        }
        return ChangeTail.Step(changes: changes, position: last.transaction, hasMore: true)
    }
}
