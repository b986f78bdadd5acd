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
    /// The profile of a person with quiet hours, JSON; nil for everybody else.
    public let profile: [UInt8]?
}

/// Some recipients, and where the next begin.
public struct AlertPage: Sendable, Hashable {
    /// To be told.
    public let recipients: [AlertRecipient]
    /// Where the next page begins; nil at the end.
    public let next: AudienceCursor?
}

/// Finds who is told of a moment by notification: followers without an activity, and those on a quiet channel.
public struct AlertAudience: Sendable {
    /// So long after a start its activity may still register; meanwhile nobody is told twice.
    public static let startGrace = Duration.seconds(120)

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
                    profile: try row.textIfPresent(6).map { Array($0.utf8) }
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
}
