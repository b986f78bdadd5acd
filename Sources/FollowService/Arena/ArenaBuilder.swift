// A takeover reads a million tokens in seconds: by COPY from one snapshot, without an object for each row.

internal import Postgres
internal import ScoreTypes

/// Fills arenas that are not open yet from one snapshot of the table.
struct ArenaBuilder {
    /// The newest revision sent to a bucket, and its time.
    private typealias Sent = (revision: Int64, at: Instant)

    /// The result of a build.
    struct Built: Sendable {
        /// The oldest transaction that the snapshot may not have seen; changes are applied from there.
        let horizon: Int64
        /// Tokens read.
        let tokenCount: Int
        /// Tokens that were registered so shortly before their bucket was sent that the sender may have missed them.
        let additions: [LateToken]
    }

    static func build(_ gaps: [ArenaRegistry.Gap], on connection: isolated Connection) throws -> Built {
        try connection.withTransaction(.snapshotReadOnly) { connection in
            let horizon = try connection.query(ArenaStatements.oldest) { try $0.int(0) }.first ?? 0
            var tokenCount = 0
            var additions: [LateToken] = []
            for gap in gaps where !gap.buckets.isEmpty {
                let binds: [Bind] = [.text(gap.match.text), .smallints(gap.buckets.map(\.number))]
                let sent = try readProgress(binds, on: connection)
                try connection.copyOut(ArenaStatements.tokens, binds) { row in
                    tokenCount += try put(row, into: gap, sent, &additions)
                }
            }
            return Built(horizon: horizon, tokenCount: tokenCount, additions: additions)
        }
    }

    private static func readProgress(_ binds: [Bind], on connection: isolated Connection) throws -> [Int: Sent] {
        let rows = try connection.query(ArenaStatements.progress, binds) { row in
            (Int(try row.int(0)), (revision: try row.int(1), at: try row.timestamp(2)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    private static func put(
        _ row: CopyRow,
        into gap: ArenaRegistry.Gap,
        _ sent: [Int: Sent],
        _ additions: inout [LateToken]
    ) throws -> Int {
        guard let bucket = Bucket(Int(try row.int(0))), let token = row.bytes(8), !token.isEmpty else { return 0 }
        let registeredAt = try row.timestamp(6)
        let activity = HeldActivity(
            device: try row.uuid(1),
            generation: Int32(clamping: try row.int(2)),
            startedAt: UInt32(clamping: try row.timestamp(5).seconds),
            registeredAt: registeredAt.secondsRoundedUp,
            environment: PushEnvironment(code: Int16(clamping: try row.int(3))) ?? .production,
            variant: ActivityVariant(code: Int16(clamping: try row.int(4))) ?? .own,
            wish: AlertWish(rawValue: UInt8(clamping: try row.int(9)))
        )
        _ = gap.arena[bucket].put(ArenaEntry(activity, token: token))
        if let sent = sent[Int(bucket.number)], sent.at < registeredAt + FollowLimits.lateTokenTime {
            let knownRevision = try row.int(7)
            if knownRevision < sent.revision {
                additions.append(LateToken(gap.match, activity, knownRevision: knownRevision))
            }
        }
        return 1
    }
}

extension LateToken {
    /// The token of an activity.
    init(_ match: MatchID, _ activity: HeldActivity, knownRevision: Int64 = 0) {
        self.init(
            match: match,
            device: activity.device,
            generation: activity.generation,
            environment: activity.environment,
            variant: activity.variant,
            knownRevision: knownRevision,
            isInfrequent: activity.wish.isInfrequent
        )
    }
}

extension Instant {
    /// Whole seconds for a slot, rounded up.
    var secondsRoundedUp: UInt32 { UInt32(clamping: (self + .milliseconds(999)).seconds) }
}
