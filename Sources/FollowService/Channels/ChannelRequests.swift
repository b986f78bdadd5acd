// A channel has to exist before an app needs it, so the first answer about a follow requests it.

internal import Postgres
public import ScoreTypes

/// A requested channel that does not exist yet.
public struct ChannelRequest: Sendable, Hashable {
    /// The channel's properties.
    public let kind: ChannelKind
    /// The start of the match, also one that has passed.
    public let startsAt: Instant

    /// Makes the value from its fields.
    public init(kind: ChannelKind, startsAt: Instant) {
        self.kind = kind
        self.startsAt = startsAt
    }
}

extension ChannelRecords {
    /// The channels on which activities are started, and the requests for others, in the form of channels.
    private static let current: Statement = """
        select c.match_id, c.env, c.attributes_type, c.profile, c.channel_id
        from channel c
        where c.match_id = any($1) and c.env = $2 and c.retired_at is null and c.superseded_at is null
        union all
        select r.match_id, r.env, r.attributes_type, r.profile, null
        from channel_request r where r.match_id = any($1) and r.env = $2
        """

    private static let request: Statement = """
        insert into channel_request (match_id, env, attributes_type, profile, requested_at)
        select r.match_id, r.env, r.attributes_type, r.profile, $5
        from unnest($1, $2, $3, $4) as r(match_id, env, attributes_type, profile)
        where not exists (select from ended_match m where m.match_id = r.match_id)
        on conflict do nothing
        """

    /// A match in play comes first, then the one that begins first.
    private static let due: Statement = """
        select r.match_id, r.env, r.attributes_type, r.profile, coalesce(m.starts_at, $2)
        from channel_request r join match_state m on m.match_id = r.match_id
        where r.env = $1 and m.removed_at is null
          and (m.phase in (1, 2) or m.phase = 0 and m.starts_at between $4 and $3)
          and not exists (
              select from channel c
              where c.match_id = r.match_id and c.env = r.env and c.attributes_type = r.attributes_type
                and c.profile = r.profile and c.retired_at is null and c.superseded_at is null)
        order by m.phase = 0, m.starts_at, r.match_id, r.attributes_type, r.profile
        limit $5
        """

    private static let unused: Statement = """
        select \(columns), m.starts_at
        from channel c join match_state m on m.match_id = c.match_id
        where c.env = $1 and m.phase = 0 and m.starts_at > $2 and c.opened_at is null and c.retired_at is null
        order by m.starts_at desc, c.match_id desc, c.channel_id
        limit $3
        """

    private static let countOfEnvironment = Statement("select count(*) from channel where env = $1")

    private static let dropRequests: Statement =
        "delete from channel_request r using ended_match m where m.match_id = r.match_id"

    /// The channel of each kind on which activities are started; requests a missing one, once.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func currentOrRequested(_ kinds: Set<ChannelKind>) async throws(FollowError) -> [ChannelKind: ChannelID] {
        var found: [ChannelKind: ChannelID] = [:]
        var missing = kinds
        for (environment, kinds) in Dictionary(grouping: kinds, by: \.environment) {
            let binds: [Bind] = [.texts(Set(kinds.map(\.match.text)).sorted()), .smallint(environment.code)]
            let rows = try await pool.rows(Self.current, binds) { row in
                (kind: try row.channelKind(), channel: try row.textIfPresent(4).flatMap { ChannelID($0) })
            }
            for case (let kind?, let channel) in rows {
                missing.remove(kind)
                if let channel, kinds.contains(kind) { found[kind] = channel }
            }
        }
        if !missing.isEmpty { try await request(missing) }
        return found
    }

    /// Requests channels; a repeated request changes nothing.
    private func request(_ kinds: Set<ChannelKind>) async throws(FollowError) {
        let kinds = Array(kinds)
        let binds: [Bind] = [
            .texts(kinds.map(\.match.text)), .smallints(kinds.map(\.environment.code)),
            .texts(kinds.map(\.attributesType)), .texts(kinds.map(\.profile.rawValue)), .timestamp(clock.wall),
        ]
        try await pool.write(Self.request, binds)
    }

    /// At most `limit` requested channels that do not exist, of matches that are in play or begin soon.
    ///
    /// - Parameters:
    ///   - environment: The APNs environment.
    ///   - ahead: Time before the start from which a channel is created.
    ///   - late: Time after a listed start at which a match that has not begun counts as abandoned by its feed.
    ///   - limit: The most requests.
    /// - Returns: The requests of matches in play, then the others by their start.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func due(
        _ environment: PushEnvironment,
        ahead: Duration,
        late: Duration,
        limit: Int
    ) async throws(FollowError) -> [ChannelRequest] {
        let now = clock.wall
        let binds: [Bind] = [
            .smallint(environment.code), .timestamp(now), .timestamp(now + ahead), .timestamp(now - late),
            .int(Int64(limit)),
        ]
        return try await pool.rows(Self.due, binds) { row in
            let startsAt = try row.timestamp(4)
            return try row.channelKind().map { ChannelRequest(kind: $0, startsAt: startsAt) }
        }.compactMap { $0 }
    }

    /// At most `limit` channels without an activity of matches that begin after an instant; the latest match first.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func unused(
        _ environment: PushEnvironment,
        startingAfter instant: Instant,
        limit: Int
    ) async throws(FollowError) -> [(channel: ChannelRecord, startsAt: Instant)] {
        let binds: [Bind] = [.smallint(environment.code), .timestamp(instant), .int(Int64(limit))]
        return try await pool.rows(Self.unused, binds) { row in
            (channel: try row.channelRecord(), startsAt: try row.timestamp(ChannelRecords.columnCount))
        }.compactMap { unused in unused.channel.map { ($0, unused.startsAt) } }
    }

    /// The number of channels of an APNs environment, retired ones included.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func count(_ environment: PushEnvironment) async throws(FollowError) -> Int {
        Int(try await pool.rows(Self.countOfEnvironment, [.smallint(environment.code)]) { try $0.int(0) }.first ?? 0)
    }

    /// Deletes the requests of matches that have ended.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func dropEndedRequests() async throws(FollowError) { try await pool.write(Self.dropRequests, []) }
}

/// The SQL that notes the first use of a channel.
private enum ChannelUse {
    static let open: Statement = """
        with target as materialized (
            select c.env, c.channel_id
            from unnest($1, $2) as r(env, channel_id)
            join channel c on c.env = r.env and c.channel_id = r.channel_id and c.opened_at is null
            order by c.env, c.channel_id for update of c
        )
        update channel c set opened_at = $3 from target t where c.env = t.env and c.channel_id = t.channel_id
        """
}

extension Connection {
    /// Notes that activities are on channels; the time of the first one stays.
    func openChannels(_ channels: some Sequence<(PushEnvironment, ChannelID)>, at now: Instant) throws {
        var used: [PushEnvironment: Set<ChannelID>] = [:]
        for (environment, channel) in channels { used[environment, default: []].insert(channel) }
        let pairs = used.flatMap { environment, channels in channels.map { (environment.code, $0.text) } }
        guard !pairs.isEmpty else { return }
        try execute(ChannelUse.open, [.smallints(pairs.map(\.0)), .texts(pairs.map(\.1)), .timestamp(now)])
    }
}

extension Row {
    /// Reads match, environment, attributes type and profile; nil for a value of a newer version of the server.
    fileprivate func channelKind() throws -> ChannelKind? {
        guard let environment = PushEnvironment(code: try small(1)),
            let profile = ChannelProfile(rawValue: try text(3))
        else { return nil }
        return ChannelKind(
            match: MatchID(unchecked: try text(0)),
            environment: environment,
            attributesType: try text(2),
            profile: profile
        )
    }
}
