// A phone ends an activity after eight hours; activities of longer matches are started again before that.

internal import Postgres
public import ScoreTypes

/// Starts old activities again, and ends those that could not be renewed.
///
/// The old activity stays in the fan-out until its device registers the new one.
public struct Renewals: Sendable {
    private static let starts: Statement = """
        with target as materialized (
            select f.match_id, f.bucket, f.device_id
            from unnest($2, $3) as r(bucket, device_id)
            join follow f on f.match_id = $1 and f.bucket = r.bucket and f.device_id = r.device_id
            where f.wants = 1 and f.wants_activity and not f.dismissed
              and (f.start_sent_at is null or f.start_sent_at < $5)
            order by f.bucket, f.device_id for update of f
        ), marked as (
            update follow f set start_sent_at = $4, start_channel = null from target t
            where f.match_id = t.match_id and f.bucket = t.bucket and f.device_id = t.device_id
            returning f.bucket, f.device_id, f.team_intent, f.alerts
        )
        \(candidates)
        """

    private static let candidates: StaticString = """
        select f.bucket, f.device_id, d.start_token, d.start_gen, d.env, d.start_variant, d.abilities, d.schema_version,
               f.team_intent, f.alerts, d.quiet_from, d.quiet_until
        from marked f join device d on d.bucket = f.bucket and d.device_id = f.device_id
        where d.start_token is not null and d.abilities & 1 = 1
        """

    /// A start that no registration has answered yet may be under way, so it is not repeated.
    private static let restarts: Statement = """
        with target as materialized (
            select f.match_id, f.bucket, f.device_id
            from unnest($2, $3, $6) as r(bucket, device_id, activity_id)
            join activity a on a.match_id = $1 and a.bucket = r.bucket and a.device_id = r.device_id
                 and a.activity_id = r.activity_id and a.state = 1
            join device d on d.bucket = r.bucket and d.device_id = r.device_id
                 and d.start_token is not null and d.abilities & 1 = 1
            join follow f on f.match_id = $1 and f.bucket = r.bucket and f.device_id = r.device_id
            where f.wants = 1 and f.wants_activity and not f.dismissed and f.restarted_at is null
              and (f.start_sent_at is null or f.start_sent_at < $5 or f.start_sent_at < a.token_at)
            order by f.bucket, f.device_id for update of f
        ), marked as (
            update follow f set start_sent_at = $4, restarted_at = $4 from target t
            where f.match_id = t.match_id and f.bucket = t.bucket and f.device_id = t.device_id
            returning f.bucket, f.device_id, f.team_intent, f.alerts
        )
        \(candidates)
        """

    /// Devices on a channel that were not started again; each page is marked, so that it is not found a second time.
    ///
    /// Devices that were started on the channel and have reported no activity since are on it, too.
    private static let waiting: Statement = """
        select f.device_id
        from follow f
        left join activity a on a.match_id = f.match_id and a.bucket = f.bucket and a.device_id = f.device_id
        where f.match_id = $1 and f.bucket = $2
          and f.wants = 1 and f.wants_activity and not f.dismissed
          and (f.start_sent_at is null or f.start_sent_at < $4)
          and (a.channel_id = $3 and a.state = 1
               or f.start_channel = $3 and a.state is distinct from 1
                  and (a.state is null or a.token_at < f.start_sent_at))
        limit $5
        """

    private static let anyOnChannel: Statement = """
        (select 1::bigint from activity where match_id = $1 and channel_id = $2 and state = 1 limit 1)
        union all
        (select 1 from follow f
         left join activity a on a.match_id = f.match_id and a.bucket = f.bucket and a.device_id = f.device_id
         where f.match_id = $1 and f.start_channel = $2 and f.wants = 1 and a.state is distinct from 1
           and (a.state is null or a.token_at < f.start_sent_at)
         limit 1)
        """

    let activities: Activities

    /// Marks devices of a match as started again.
    ///
    /// Devices that no longer follow the match, or that were started since their renewal was due, are left out.
    ///
    /// - Returns: The devices that can be started by push.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func start(_ devices: [DeviceID], of match: MatchID) async throws(FollowError) -> [StartCandidate] {
        let binds: [Bind] = [
            .text(match.text), .smallints(devices.map { Bucket(of: $0).number }), .uuids(devices),
            .timestamp(activities.clock.wall), .timestamp(began),
        ]
        return try await activities.pool.commit { connection in
            try connection.query(Self.starts, binds) { try StartCandidates.candidate($0) }
        }.compactMap(\.candidate)
    }

    /// Marks devices of a match whose activity is stuck as started again; each device of a match is marked once.
    ///
    /// It leaves out devices that were marked before, no longer follow the match, show another activity, or cannot be
    /// started by push.
    ///
    /// - Returns: The devices to start.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func restart(
        _ stuck: [(device: DeviceID, activityID: ActivityID)],
        of match: MatchID
    ) async throws(FollowError) -> [StartCandidate] {
        let binds: [Bind] = [
            .text(match.text), .smallints(stuck.map { Bucket(of: $0.device).number }), .uuids(stuck.map(\.device)),
            .timestamp(activities.clock.wall), .timestamp(began), .texts(stuck.map(\.activityID.text)),
        ]
        return try await activities.pool.commit { connection in
            try connection.query(Self.restarts, binds) { try StartCandidates.candidate($0) }
        }.compactMap(\.candidate)
    }

    /// The next page of devices of a bucket that are on a channel and were not started again.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func waiting(
        on channel: ChannelID,
        of match: MatchID,
        in bucket: Bucket
    ) async throws(FollowError) -> [DeviceID] {
        let binds: [Bind] = [
            .text(match.text), .smallint(bucket.number), .text(channel.text), .timestamp(began),
            .int(Int64(FollowLimits.renewalsPerPage)),
        ]
        return try await activities.pool.rows(Self.waiting, binds) { try $0.uuid(0) }
    }

    /// Whether no activity of any bucket, reported or only started, is on a channel.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func isEmpty(_ channel: ChannelID, of match: MatchID) async throws(FollowError) -> Bool {
        try await activities.pool.rows(Self.anyOnChannel, [.text(match.text), .text(channel.text)]) {
            try $0.int(0)
        }.isEmpty
    }

    /// Removes overdue activities from the fan-out; returns the data for the pushes that end them.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func end(_ old: [HeldActivity], of match: MatchID) async throws(FollowError) -> [EndingActivity] {
        let keys = old.map { (key: DeviceMatchKey(match: match, device: $0.device), generation: Int32?($0.generation)) }
        return try await activities.beginEnd(keys, reason: .expired)
    }

    /// The earliest start that may belong to a renewal under way.
    private var began: Instant { activities.clock.wall + (FollowLimits.renewalAge - FollowLimits.unrenewedAge) }
}
