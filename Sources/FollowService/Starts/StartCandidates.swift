// Shortly before the first ball activities are started on the phones of followers, at most two on each phone.

internal import Postgres
public import ScoreTypes

/// A device on which an activity is to be started by push.
public struct StartCandidate: Sendable, Hashable {
    /// The device with its token for starts.
    public let target: PushRecipient
    /// The content state that the started activity decodes.
    public let variant: ActivityVariant
    /// The device's permissions; with all of `onChannels` the activity is started on the match's channel.
    public let abilities: DeviceAbilities
    /// The newest content state version that it decodes.
    public let schemaVersion: Int16
    /// The team that the person supports.
    public let teamIntent: TeamIntent
    /// The alerts wanted.
    public let alerts: AlertKinds
    /// Hours without notifications; nil for none.
    public let quietHours: QuietHours?

    /// The profile of the channel that suits the person.
    public var profile: ChannelProfile {
        ChannelProfile(alerts: alerts, teamIntent: teamIntent, quietHours: quietHours, abilities: abilities)
    }
}

extension ChannelProfile {
    /// Loud for a person who wants exactly the alerts of a channel: the usual ones, of both sides, at any hour.
    public init(alerts: AlertKinds, teamIntent: TeamIntent, quietHours: QuietHours?, abilities: DeviceAbilities) {
        let isUsual = alerts.isComplete && teamIntent == .neither && quietHours == nil && abilities.contains(.alerts)
        self = isUsual ? .loud : .quiet
    }
}

/// A start that APNs accepted, on a channel.
public struct ChannelStart: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// The device.
    public let device: DeviceID
    /// The APNs environment of the channel.
    public let environment: PushEnvironment
    /// The channel that the activity subscribes to.
    public let channel: ChannelID

    /// Makes the value from its fields.
    public init(match: MatchID, device: DeviceID, environment: PushEnvironment, channel: ChannelID) {
        self.match = match
        self.device = device
        self.environment = environment
        self.channel = channel
    }
}

/// A start that was certainly not sent.
public struct UnsentStart: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// The device.
    public let device: DeviceID
    /// The time of the failure, for a report that comes later: a younger mark is that of another start.
    public let markedUntil: Instant?

    /// Makes the value from its fields.
    public init(match: MatchID, device: DeviceID, markedUntil: Instant? = nil) {
        self.match = match
        self.device = device
        self.markedUntil = markedUntil
    }
}

/// Finds the devices on which an activity is to be started.
public struct StartCandidates: Sendable {
    /// The followers that a page contains; supporters of a side come first.
    public enum Scope: Sendable, Hashable {
        case supporters, neutrals
    }

    let pool: Pool
    let clock: ServiceClock
    /// Followers that one page reads.
    var rowsPerPage = FollowLimits.followersReadPerPage

    /// Finds the next candidates of a match and marks their start as sent.
    ///
    /// A candidate wants the activity, has a start token and permission, had no activity of the match since the end of
    /// the previous day, did not dismiss one, and has fewer than ``FollowLimits/startsPerDevice`` started activities.
    ///
    /// A page reads ``FollowLimits/followersReadPerPage`` followers at most, so that it may have no member and a next
    /// page.
    ///
    /// - `since`: The end of the previous day's play; earlier starts and activities do not count.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func page(
        of match: MatchID,
        buckets: ClosedRange<Bucket>,
        scope: Scope,
        since: Instant,
        after cursor: AudienceCursor = .start,
        limit: Int
    ) async throws(FollowError) -> AudiencePage<StartCandidate> {
        let now = clock.wall
        let binds: [Bind] = [
            .text(match.text), .smallint(buckets.lowerBound.number), .smallint(buckets.upperBound.number),
            .smallint(cursor.bucket), .uuid(cursor.device), .timestamp(since), .bool(scope == .supporters),
            .int(Int64(rowsPerPage)), .int(Int64(limit)),
        ]
        return try await pool.commit { connection in
            let read = try connection.query(StartStatements.page, binds) { row in
                (cursor: try AudienceCursor(row), place: Int(try row.int(2)), isDue: try row.bool(3))
            }
            let due = read.filter { $0.isDue }
            let isFull = due.count >= limit
            guard let last = isFull ? due.last : read.last else { return AudiencePage(members: [], next: nil) }
            let dueKeys = due.map { DeviceMatchKey(match: match, device: $0.cursor.device) }
            let found = try Self.candidates(among: dueKeys, scope, since: since, on: connection)
            let free = try Self.devicesWithRoom(found, match: match, scope, at: now, on: connection)
            let starting = found.compactMap(\.candidate).filter { free.contains($0.target.device) }
            let keys = starting.map { DeviceMatchKey(match: match, device: $0.target.device) }
            // While this waited for the devices, another node may have started their followers.
            let binds = keys.binds + [.timestamp(now), .timestamp(since)]
            let marked = Set(try connection.query(StartStatements.mark, binds) { try $0.uuid(0) })
            let members = starting.filter { marked.contains($0.target.device) }
            let next = isFull || last.place >= rowsPerPage ? last.cursor : nil
            return AudiencePage(members: members, next: next, rowsRead: last.place)
        }
    }

    /// Removes the marks of starts that were certainly not sent, so that their followers are found again.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer; a repetition does no harm.
    public func release(_ unsent: [UnsentStart]) async throws(FollowError) {
        for start in stride(from: 0, to: unsent.count, by: FollowLimits.rowsPerStatement) {
            let batch = unsent[start..<min(unsent.count, start + FollowLimits.rowsPerStatement)]
            let keys = batch.map { DeviceMatchKey(match: $0.match, device: $0.device) }
            let binds = keys.binds + [.optionalTimestamps(batch.map(\.markedUntil))]
            _ = try await pool.commit { try $0.execute(StartStatements.release, binds) }
        }
    }

    /// Records that APNs accepted starts on channels: each counts as an activity until its device reports.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func confirm(_ starts: [ChannelStart]) async throws(FollowError) {
        let keys = starts.map { DeviceMatchKey(match: $0.match, device: $0.device) }
        let binds = keys.binds + [.texts(starts.map(\.channel.text))]
        try await pool.commit { connection in
            try connection.execute(StartStatements.confirm, binds)
            try connection.openChannels(starts.lazy.map { ($0.environment, $0.channel) }, at: clock.wall)
        }
    }

    private static func candidates(
        among keys: [DeviceMatchKey],
        _ scope: Scope,
        since: Instant,
        on connection: isolated Connection
    ) throws -> [(cursor: AudienceCursor, candidate: StartCandidate?)] {
        guard !keys.isEmpty else { return [] }
        let binds = keys.binds + [.timestamp(since), .bool(scope == .supporters)]
        return try connection.query(StartStatements.candidates, binds) { try candidate($0) }
    }

    private static func devicesWithRoom(
        _ found: [(cursor: AudienceCursor, candidate: StartCandidate?)],
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
                .timestamp(now - FollowLimits.startAnswerTime), .timestamp(now + FollowLimits.startReserveTime),
                .timestamp(now), .timestamp(now - FollowLimits.activityLife),
            ]
        ) { row in (try row.uuid(0), try row.int(1), try row.int(2)) }
        let free = counts.filter { _, taken, reserved in
            taken + (scope == .neutrals ? reserved : 0) < Int64(FollowLimits.startsPerDevice)
        }
        return Set(free.map(\.0))
    }

    /// Reads the twelve columns of a candidate.
    static func candidate(_ row: Row) throws -> (cursor: AudienceCursor, candidate: StartCandidate?) {
        let cursor = try AudienceCursor(row)
        guard let token = PushToken(bytes: try row.bytes(2)) else { return (cursor, nil) }
        let candidate = StartCandidate(
            target: PushRecipient(
                device: cursor.device,
                generation: try row.medium(3),
                environment: try row.environment(4),
                token: token
            ),
            variant: try row.variant(5),
            abilities: DeviceAbilities(rawValue: try row.small(6)),
            schemaVersion: try row.small(7),
            teamIntent: TeamIntent(rawValue: try row.small(8)) ?? .neither,
            alerts: AlertKinds(rawValue: try row.small(9)),
            quietHours: try row.quietHours(10)
        )
        return (cursor, candidate)
    }
}
