// Shortly before the first ball a match is put on the Lock Screens of those who asked for it, two a phone at most.

public import Postgres
public import ScoreTypes

/// A device on which an activity is to be started by push.
public struct StartCandidate: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// Its token for starts.
    public let token: PushToken
    /// The generation of that token.
    public let generation: Int32
    /// Apple's world of the token.
    public let environment: PushEnvironment
    /// What the started activity decodes.
    public let variant: ActivityVariant
    /// What is allowed; with `channels` the activity can be started on the match's channel.
    public let abilities: DeviceAbilities
    /// The newest version of the content state that it decodes.
    public let schemaVersion: Int16
    /// Whose side the person is on.
    public let teamIntent: TeamIntent
    /// The alerts wanted.
    public let alerts: AlertKinds
    /// When the person wants none of them; nil for never.
    public let quietHours: QuietHours?

    /// Whether a channel's own alerts are just what the person wants: the usual ones, of both sides, at any hour.
    public var wantsUsualAlerts: Bool {
        alerts.isSuperset(of: .all) && teamIntent == .neither && quietHours == nil && abilities.contains(.alerts)
    }
}

/// Where a page of candidates ends.
public struct AudienceCursor: Sendable, Hashable {
    let bucket: Int16
    let device: DeviceID

    /// The bucket of the device that the page ended with.
    public var bucketNumber: Int16 { bucket }

    /// Before the first device of all.
    public static let start = AudienceCursor(bucket: -1, device: DeviceID(high: 0, low: 0))
}

/// Some candidates, all marked as started.
public struct StartPage: Sendable, Hashable {
    /// To be started now.
    public let candidates: [StartCandidate]
    /// Where the next page begins; nil at the end.
    public let next: AudienceCursor?
}

/// Finds whom to start an activity for.
public struct StartCandidates: Sendable {
    /// Which followers a page is of: supporters of a side come first.
    public enum Scope: Sendable, Hashable {
        case supporters, neutrals
    }

    /// Push-started activities at once on one device; phones allow five, and the person may start some.
    public static let perDeviceMax = 2
    /// A start that was not answered for this long no longer counts as an activity.
    public static let answerMax = Duration.seconds(600)
    /// A neutral's place is kept free for a side's match that begins within this time.
    public static let reserveAhead = Duration.seconds(600)

    private let pool: Pool
    private let clock: ServiceClock

    /// Makes the finder.
    public init(pool: Pool, clock: ServiceClock) {
        self.pool = pool
        self.clock = clock
    }

    /// Finds the next candidates of a match and marks their start as sent.
    ///
    /// Candidates want the activity, have a start token and permission, had no activity of the match since the round
    /// began, did not dismiss one, and have fewer than two push-started activities.
    ///
    /// - `since`: When the round began: the end of the day's play before this one. Starts and activities before it do
    ///   not count.
    /// - `limit`: Followers looked at, at most.
    public func page(
        of match: MatchID,
        buckets: ClosedRange<Bucket>,
        scope: Scope,
        since: Instant,
        after cursor: AudienceCursor = .start,
        limit: Int
    ) async throws(FollowError) -> StartPage {
        let now = clock.wall
        let binds: [Bind] = [
            .text(match.text), .smallint(buckets.lowerBound.number), .smallint(buckets.upperBound.number),
            .smallint(cursor.bucket), .uuid(cursor.device), .timestamp(since), .bool(scope == .supporters),
            .int(Int64(limit)),
        ]
        do {
            return try await pool.transaction { connection in
                let found = try connection.query(StartStatements.candidates, binds) { try Self.candidate($0) }
                let free = try Self.devicesWithRoom(found, match: match, scope, at: now, on: connection)
                let starting = found.compactMap(\.candidate).filter { free.contains($0.device) }
                let keys = starting.map { DeviceMatchKey(match: match, device: $0.device) }
                try connection.execute(StartStatements.mark, ActivityRows(keys).binds + [.timestamp(now)])
                let next = found.count < limit ? nil : found.last?.cursor
                return StartPage(candidates: starting, next: next)
            }
        } catch {
            throw FollowError(error)
        }
    }

    /// Starts certainly were not made: the next look finds their followers again.
    public func release(_ devices: [(match: MatchID, device: DeviceID)]) async throws(FollowError) {
        let keys = devices.map { DeviceMatchKey(match: $0.match, device: $0.device) }
        do {
            _ = try await pool.transaction { try $0.execute(StartStatements.mark, ActivityRows(keys).binds + [.null]) }
        } catch {
            throw FollowError(error)
        }
    }

    private static func devicesWithRoom(
        _ found: [Found],
        match: MatchID,
        _ scope: Scope,
        at now: Instant,
        on connection: isolated Connection
    ) throws -> Set<DeviceID> {
        guard !found.isEmpty else { return [] }
        let counts = try connection.query(
            StartStatements.taken,
            [
                .text(match.text), .smallints(found.map(\.cursor.bucket)), .uuids(found.map(\.cursor.device)),
                .timestamp(now + (.zero - answerMax)), .timestamp(now + reserveAhead), .timestamp(now),
            ]
        ) { row in (try row.uuid(0), try row.int(1), try row.int(2)) }
        let free = counts.filter { _, taken, reserved in
            taken + (scope == .neutrals ? reserved : 0) < Int64(perDeviceMax)
        }
        return Set(free.map(\.0))
    }

    struct Found: Sendable {
        let cursor: AudienceCursor
        let candidate: StartCandidate?
    }

    /// Reads the twelve columns of a candidate.
    static func candidate(_ row: Row) throws -> Found {
        let cursor = AudienceCursor(bucket: try row.small(0), device: try row.uuid(1))
        guard let token = PushToken(bytes: try row.bytes(2)) else { return Found(cursor: cursor, candidate: nil) }
        let candidate = StartCandidate(
            device: cursor.device,
            token: token,
            generation: try row.medium(3),
            environment: try row.environment(4),
            variant: try row.variant(5),
            abilities: DeviceAbilities(rawValue: try row.small(6)),
            schemaVersion: try row.small(7),
            teamIntent: TeamIntent(rawValue: try row.small(8)) ?? .neither,
            alerts: AlertKinds(rawValue: try row.small(9)),
            quietHours: try row.quietHours(10)
        )
        return Found(cursor: cursor, candidate: candidate)
    }
}
