// Followers without a Live Activity, and those whose activity is silent, receive moments as notifications.

internal import Postgres
public import ScoreTypes

/// A device that receives a moment as a notification.
public struct AlertRecipient: Sendable, Hashable {
    /// The device with its token for notifications.
    public let target: PushRecipient
    /// The team that the person supports.
    public let teamIntent: TeamIntent
    /// The alerts that the person chose.
    public let alerts: AlertKinds
    /// Hours without notifications; nil for none.
    public let quietHours: QuietHours?
    /// The phone's time zone as the app reported it; nil when it did not.
    public let timeZone: String?
    /// The version of the app's table of texts; 0 without one.
    public let stringsVersion: Int
}

/// Finds the recipients of notifications, and stores which moments were announced in which bucket.
public struct AlertAudience: Sendable {
    private static let advance = ProgressRecords.change("alert_rev = greatest(f.alert_rev, $4)")

    let pool: Pool
    let clock: ServiceClock
    /// Followers that one page reads.
    var rowsPerPage = FollowLimits.followersReadPerPage

    /// The next recipients of a moment.
    ///
    /// A page reads ``FollowLimits/followersReadPerPage`` followers at most, so that it may have no member and a next
    /// page.
    ///
    /// An activity on a token that was first registered after the moment does not receive its alert, so that its device
    /// is a recipient. An activity that ended after the moment had the alert, whether its app reported the end or APNs
    /// dates the death of its token.
    ///
    /// - `kind`: Kinds of the moment; a recipient chose at least one of them.
    /// - `publishedAt`: Wall time of the publication with the moment.
    /// - `followedBy`: Wall time after which no recipient changed the follow; nil for any. A correction has the time of
    ///   its alert, which later followers did not receive.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func page(
        of match: MatchID,
        buckets: ClosedRange<Bucket>,
        kind: AlertKinds,
        publishedAt: Instant,
        followedBy: Instant? = nil,
        after cursor: AudienceCursor = .start,
        limit: Int
    ) async throws(FollowError) -> AudiencePage<AlertRecipient> {
        let further: [Bind] = [
            .timestamp(clock.wall - FollowLimits.startGrace), .int(Int64(limit)),
            .timestamp(clock.wall - FollowLimits.activityLife), .int(publishedAt.seconds),
            .timestamp(followedBy ?? clock.wall + FollowLimits.activityLife), .smallint(kind.rawValue),
        ]
        return try await pool.followers(
            StartStatements.alertAudience,
            of: match,
            buckets: buckets,
            after: cursor,
            rows: rowsPerPage,
            further,
            limit: limit,
            member: Self.recipient
        )
    }

    @Sendable private static func recipient(_ row: Row, _ device: DeviceID) throws -> AlertRecipient? {
        guard let token = PushToken(bytes: try row.bytes(3)) else { return nil }
        return AlertRecipient(
            target: PushRecipient(
                device: device,
                generation: try row.medium(4),
                environment: try row.environment(5),
                token: token
            ),
            teamIntent: TeamIntent(rawValue: try row.small(6)) ?? .neither,
            alerts: AlertKinds(rawValue: try row.small(7)),
            quietHours: try row.quietHours(8),
            timeZone: try row.textIfPresent(10),
            stringsVersion: try row.textIfPresent(11).flatMap { Int($0) } ?? 0
        )
    }

    /// Takes buckets over for announcements: fences every other term, and finds where a revision is not announced yet.
    ///
    /// - Returns: The buckets that were not announced up to the revision, each with the revision up to which it was.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func unannounced(
        _ match: MatchID,
        revision: Int64,
        term: Term,
        of buckets: [Bucket]
    ) async throws(FollowError) -> [Bucket: Int64] {
        try await pool.takeProgress(of: match, in: buckets, term: term, at: clock.wall)
            .mapValues(\.announced).filter { $0.value < revision }
    }

    /// Records that the moments up to a revision were announced in buckets; an older revision changes nothing.
    ///
    /// - Returns: False if a bucket has another owner: this node must stop sending.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
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
        return try await pool.write(Self.advance, binds) == buckets.count
    }
}
