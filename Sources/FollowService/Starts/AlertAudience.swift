// Those without a Live Activity are told by notifications, as are those who chose their own moments.

public import Postgres
public import ScoreTypes

/// A device that is told of a moment by a notification.
public struct AlertRecipient: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// Its token for notifications.
    public let token: PushToken
    /// The generation of that token.
    public let generation: Int32
    /// Apple's world of the token.
    public let environment: PushEnvironment
    /// Whose side the person is on.
    public let teamIntent: TeamIntent
    /// The alerts that the person chose.
    public let alerts: AlertKinds
    /// When the person wants none of them; nil for never.
    public let quietHours: QuietHours?
    /// The phone's time zone as the app named it; nil when it did not.
    public let timeZone: String?
}

/// Some recipients, and where the next begin.
public struct AlertPage: Sendable, Hashable {
    /// To be told.
    public let recipients: [AlertRecipient]
    /// Where the next page begins; nil at the end.
    public let next: AudienceCursor?
}

/// Finds who is told of a moment by notification: followers without an activity, and those whose activity is silent.
public struct AlertAudience: Sendable {
    /// So long after a start its activity may still register; meanwhile nobody is told twice.
    public static let startGrace = Duration.seconds(120)

    private static let take = Statement(
        """
        insert into fanout as f (match_id, bucket, term, sent_rev, sent_at)
        select $1, o.bucket, $3, 0, $4 from bucket_owner o
        where o.bucket = any($2) and o.term = $3 order by o.bucket for share
        on conflict (match_id, bucket) do update set term = excluded.term
        returning f.bucket, f.told_rev
        """
    )

    private static let advance = Statement(
        """
        with target as materialized (
            select match_id, bucket from fanout
            where match_id = $1 and bucket = any($2) and term = $3
            order by bucket for update
        )
        update fanout f set told_rev = greatest(f.told_rev, $4)
        from target t where f.match_id = t.match_id and f.bucket = t.bucket
        """
    )

    private let pool: Pool
    private let clock: ServiceClock

    /// Makes the finder.
    public init(pool: Pool, clock: ServiceClock) {
        self.pool = pool
        self.clock = clock
    }

    /// The next recipients of a moment.
    ///
    /// - `kind`: Who did not choose any of these is left out.
    /// - `side`: The side that the moment belongs to; who is on the other one is left out.
    /// - `limit`: Recipients at most.
    public func page(
        of match: MatchID,
        buckets: ClosedRange<Bucket>,
        kind: AlertKinds,
        side: TeamIntent = .neither,
        after cursor: AudienceCursor = .start,
        limit: Int
    ) async throws(FollowError) -> AlertPage {
        let binds: [Bind] = [
            .text(match.text), .smallint(buckets.lowerBound.number), .smallint(buckets.upperBound.number),
            .smallint(cursor.bucket), .uuid(cursor.device), .smallint(kind.rawValue), .smallint(side.rawValue),
            .timestamp(clock.wall + (.zero - Self.startGrace)), .int(Int64(limit)),
        ]
        do {
            let found = try await pool.query(StartStatements.alertAudience, binds) { row in
                let device = try row.uuid(1)
                let cursor = AudienceCursor(bucket: try row.small(0), device: device)
                guard let token = PushToken(bytes: try row.bytes(2)) else { return (cursor, AlertRecipient?.none) }
                let recipient = AlertRecipient(
                    device: device,
                    token: token,
                    generation: try row.medium(3),
                    environment: try row.environment(4),
                    teamIntent: TeamIntent(rawValue: try row.small(5)) ?? .neither,
                    alerts: AlertKinds(rawValue: try row.small(6)),
                    quietHours: try row.quietHours(7),
                    timeZone: try row.textIfPresent(9)
                )
                return (cursor, recipient)
            }
            return AlertPage(
                recipients: found.compactMap(\.1),
                next: found.count < limit ? nil : found.last?.0
            )
        } catch {
            throw FollowError(error)
        }
    }

    /// Takes buckets over for announcements: fences every other term, and finds where a revision is not announced yet.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - revision: The revision whose moments are announced.
    ///   - term: The node's term.
    ///   - buckets: The buckets to take.
    /// - Returns: The buckets in which the revision's moments were not yet recorded as announced, in order.
    /// - Throws: `FollowError` when Postgres cannot answer.
    public func unannounced(
        _ match: MatchID,
        revision: Int64,
        term: Term,
        of buckets: [Bucket]
    ) async throws(FollowError) -> [Bucket] {
        let binds: [Bind] = [
            .text(match.text), .smallints(buckets.sorted().map(\.number)), .int(term.number), .timestamp(clock.wall),
        ]
        do {
            // A single statement, as the record below: a node that is stopped in a transaction keeps these rows locked,
            // and with them its buckets, which no other node can claim meanwhile.
            let rows = try await pool.query(Self.take, binds) { row in (Bucket(Int(try row.int(0))), try row.int(1)) }
            return rows.compactMap { bucket, announced in announced < revision ? bucket : nil }.sorted()
        } catch {
            throw FollowError(error)
        }
    }

    /// Records that a revision's moments were announced in buckets; an older revision changes nothing.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - revision: The announced revision.
    ///   - term: The node's term.
    ///   - buckets: The buckets.
    /// - Returns: False if a bucket has another owner: this node must stop sending.
    /// - Throws: `FollowError` when Postgres cannot answer.
    public func recordAnnounced(
        _ match: MatchID,
        revision: Int64,
        term: Term,
        of buckets: [Bucket]
    ) async throws(FollowError) -> Bool {
        guard !buckets.isEmpty else { return true }
        let binds: [Bind] = [
            .text(match.text), .smallints(buckets.map(\.number)), .int(term.number), .int(revision),
        ]
        do {
            return try await pool.execute(Self.advance, binds) == buckets.count
        } catch {
            throw FollowError(error)
        }
    }
}
