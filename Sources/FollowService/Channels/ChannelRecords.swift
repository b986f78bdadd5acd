// The channels of all matches, shared by all nodes.

internal import Postgres
public import ScoreTypes

/// The store of channels.
public struct ChannelRecords: Sendable {
    /// The columns of a whole record.
    static let columns: StaticString = """
        c.match_id, c.env, c.attributes_type, c.profile, c.generation, c.channel_id, c.created_at, c.retired_at,
        c.sent_rev, c.sent_at, c.superseded_at, c.storage, c.opened_at, c.alert_rev
        """

    /// The number of these columns; further ones of a statement follow.
    static let columnCount = 14

    private static let insert: Statement = """
        insert into channel (match_id, env, attributes_type, profile, generation, channel_id, created_at, storage)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict do nothing
        """

    private static let ofMatch: Statement = """
        select \(columns) from channel c where match_id = $1
        order by env, attributes_type, profile, generation
        """

    private static let ofEnvironment: Statement = """
        select \(columns) from channel c where env = $1
        order by match_id, attributes_type, profile, generation
        """

    private static let finished: Statement = """
        select \(columns)
        from channel c left join ended_match m on m.match_id = c.match_id
        where c.env = $1 and (m.ended_at < $2 or c.retired_at < $2) and coalesce(c.sent_at, c.created_at) < $2
        order by coalesce(c.retired_at, m.ended_at), c.channel_id
        limit $3
        """

    private static let named = Statement("select \(columns) from channel c where env = $1 and channel_id = $2")

    private static let retire: Statement =
        "update channel set retired_at = coalesce(retired_at, $3) where env = $1 and channel_id = $2"

    private static let supersede: Statement =
        "update channel set superseded_at = coalesce(superseded_at, $3) where env = $1 and channel_id = $2"

    private static let forget: Statement =
        "delete from channel where env = $1 and channel_id = $2 and retired_at is not null"

    private static let advance: Statement = """
        update channel set sent_rev = greatest(sent_rev, $3), sent_at = greatest(sent_at, $4)
        where env = $1 and channel_id = $2
        """

    private static let alert: Statement =
        "update channel set alert_rev = greatest(alert_rev, $3) where env = $1 and channel_id = $2"

    /// A broadcast after the end means that the channel is in use again.
    private static let ended: Statement = """
        select \(columns), c.swept_at from channel c
        where swept_at > $1 and coalesce(sent_at, created_at) < swept_at
        order by match_id, env, channel_id
        """

    let pool: Pool
    let clock: ServiceClock

    /// The channels of a match, retired ones included, the newest generation of a kind last.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func channels(of match: MatchID) async throws(FollowError) -> [ChannelRecord] {
        try await read(Self.ofMatch, [.text(match.text)])
    }

    /// The channels of an APNs environment, retired ones included.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func all(_ environment: PushEnvironment) async throws(FollowError) -> [ChannelRecord] {
        try await read(Self.ofEnvironment, [.smallint(environment.code)])
    }

    /// The channel of an id, a retired one included; nil if there is none.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func find(_ channel: ChannelID, in environment: PushEnvironment) async throws(FollowError) -> ChannelRecord?
    {
        try await read(Self.named, [.smallint(environment.code), .text(channel.text)]).first
    }

    /// At most `limit` channels that are no longer needed, the oldest first.
    ///
    /// Their match ended, or they were retired, and their last broadcast was sent, before the instant.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func finished(
        _ environment: PushEnvironment,
        before instant: Instant,
        limit: Int
    ) async throws(FollowError) -> [ChannelRecord] {
        try await read(Self.finished, [.smallint(environment.code), .timestamp(instant), .int(Int64(limit))])
    }

    /// The channels whose end APNs accepted since an instant, with that time.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func ended(since instant: Instant) async throws(FollowError) -> [(channel: ChannelRecord, at: Instant)] {
        try await pool.rows(Self.ended, [.timestamp(instant)]) { row in
            (channel: try row.channelRecord(), at: try row.timestamp(Self.columnCount))
        }.compactMap { ended in ended.channel.map { ($0, ended.at) } }
    }

    /// Stores a new channel, unless another node has stored one of the same match, kind and generation.
    ///
    /// - Returns: The stored channel; when it is not the given one, the given one is unused and can be deleted.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func save(_ record: ChannelRecord) async throws(FollowError) -> ChannelRecord {
        let binds: [Bind] = [
            .text(record.match.text), .smallint(record.environment.code), .text(record.attributesType),
            .text(record.profile.rawValue), .integer(record.generation), .text(record.channel.text),
            .timestamp(record.createdAt), .smallint(record.storage.rawValue),
        ]
        try await pool.write(Self.insert, binds)
        let held = try await channels(of: record.match).first { other in
            other.environment == record.environment && other.attributesType == record.attributesType
                && other.profile == record.profile && other.generation == record.generation
        }
        return held ?? record
    }

    /// Retires a channel: no activity is started on it from now on.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func retire(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        at: Instant
    ) async throws(FollowError) {
        try await write(Self.retire, channel, environment, [.timestamp(at)])
    }

    /// Marks a channel as replaced by its next generation: its activities stay, and new ones start on the other.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func supersede(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        at: Instant
    ) async throws(FollowError) {
        try await write(Self.supersede, channel, environment, [.timestamp(at)])
    }

    /// Deletes the record of a retired channel that Apple no longer has.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func forget(_ channel: ChannelID, in environment: PushEnvironment) async throws(FollowError) {
        try await write(Self.forget, channel, environment)
    }

    /// Records that APNs accepted a broadcast; an older revision changes nothing.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func recordBroadcast(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        revision: Int64,
        at: Instant
    ) async throws(FollowError) {
        try await write(Self.advance, channel, environment, [.int(revision), .timestamp(at)])
    }

    /// Records that a broadcast with an alert got no answer; an older revision changes nothing.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func recordUnansweredAlert(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        revision: Int64
    ) async throws(FollowError) {
        try await write(Self.alert, channel, environment, [.int(revision)])
    }

    func read(_ statement: Statement, _ binds: [Bind]) async throws(FollowError) -> [ChannelRecord] {
        try await pool.rows(statement, binds) { try $0.channelRecord() }.compactMap { $0 }
    }

    private func write(
        _ statement: Statement,
        _ channel: ChannelID,
        _ environment: PushEnvironment,
        _ binds: [Bind] = []
    ) async throws(FollowError) {
        try await pool.write(statement, [.smallint(environment.code), .text(channel.text)] + binds)
    }
}

extension Row {
    /// Reads the fourteen columns of a channel; nil for a value that only a newer version of the server knows.
    func channelRecord() throws -> ChannelRecord? {
        guard let environment = PushEnvironment(code: try small(1)),
            let profile = ChannelProfile(rawValue: try text(3)), let channel = ChannelID(try text(5)),
            let storage = ChannelStorage(rawValue: try small(11))
        else { return nil }
        return ChannelRecord(
            match: MatchID(unchecked: try text(0)),
            environment: environment,
            attributesType: try text(2),
            profile: profile,
            generation: try medium(4),
            channel: channel,
            storage: storage,
            createdAt: try timestamp(6),
            openedAt: try timestampIfPresent(12),
            retiredAt: try timestampIfPresent(7),
            sentRevision: try int(8),
            unansweredAlertRevision: try int(13),
            sentAt: try timestampIfPresent(9),
            supersededAt: try timestampIfPresent(10)
        )
    }
}
