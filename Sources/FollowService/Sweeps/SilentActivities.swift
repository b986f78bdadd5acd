// A phone must not show yesterday's score for ever: what nothing was accepted for is found and ended, once.

internal import Postgres
public import ScoreTypes

/// What a sweep found.
public struct SilentFindings: Sendable, Hashable {
    /// Activities with tokens; they are marked as ending, their end push is to be sent.
    public let activities: [EndingActivity]
    /// Channels that have been silent; their end broadcast is to be sent, then ``SilentActivities/finish(_:in:)``.
    public let channels: [SilentChannel]
    /// More wait; ask again.
    public let hasMore: Bool
}

/// A channel that nothing was broadcast on for too long.
public struct SilentChannel: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// Apple's world.
    public let environment: PushEnvironment
    /// Apple's name for it.
    public let channel: ChannelID
    /// The Swift type that its activities decode.
    public let attributesType: String

    /// Names a channel whose activities are to be ended.
    public init(_ record: ChannelRecord) {
        self.init(
            match: record.match,
            environment: record.environment,
            channel: record.channel,
            attributesType: record.attributesType
        )
    }

    fileprivate init(match: MatchID, environment: PushEnvironment, channel: ChannelID, attributesType: String) {
        self.match = match
        self.environment = environment
        self.channel = channel
        self.attributesType = attributesType
    }
}

/// Finds silent activities by the progress of their buckets and channels; no activity has a time of its own to be kept.
public struct SilentActivities: Sendable {
    /// Nothing accepted for this long makes an activity silent.
    public static let silenceMax = Duration.seconds(30 * 60)
    /// An end that was decided this long ago and not answered is sent again.
    public static let endRetryAfter = Duration.seconds(600)

    /// A match to come has nothing to say, and is silent half an hour after its first ball was due at the earliest.
    ///
    /// Of a match that an operator holds nothing may be sent, an end neither: it is silent half an hour after it was
    /// let go at the earliest. One that nothing was ever sent for has no progress, and its activities nobody who serves
    /// them: they are found by what phones show.
    private static let tokens = Statement(
        """
        with awaited as materialized (
            select match_id from match
            where phase = 0 and removed_at is null and starts_at > $2
               or held_reason is not null or released_at > $2
        )
        (select a.match_id, a.device_id, a.gen
         from fanout f join activity a on a.match_id = f.match_id and a.bucket = f.bucket
         where f.bucket = any($1) and f.sent_at < $2 and a.state = 1 and a.channel_id is null and a.started_at < $2
           and f.match_id not in (select match_id from awaited)
         limit $4)
        union all
        (select a.match_id, a.device_id, a.gen
         from shown_match s join activity a on a.match_id = s.match_id
         where not exists (select from fanout f where f.match_id = s.match_id)
           and a.bucket = any($1) and a.state = 1 and a.channel_id is null and a.started_at < $2
           and s.match_id not in (select match_id from awaited)
         limit $4)
        union all
        (select a.match_id, a.device_id, a.gen
         from activity a
         where a.bucket = any($1) and a.state = 2 and a.ending_at < $3 and a.channel_id is null
         limit $4)
        """
    )

    private static let exceptions = Statement(
        """
        select a.match_id, a.device_id, a.gen
        from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        where a.state = 1 and a.channel_id is null and a.started_at < $4
          and a.match_id not in (
              select m.match_id from match m where m.held_reason is not null or m.released_at > $4)
        """
    )

    private static let channels = Statement(
        """
        select match_id, env, channel_id, attributes_type from channel
        where retired_at is null and coalesce(sent_at, created_at) < $1
          and (swept_at is null or swept_at < coalesce(sent_at, created_at))
          and match_id not in (
              select m.match_id from match m
              where m.phase = 0 and m.removed_at is null and m.starts_at > $1
                 or m.held_reason is not null or m.released_at > $1)
        order by match_id, env, channel_id
        """
    )

    private static let finishChannel = Statement(
        """
        with target as materialized (
            select match_id, bucket, device_id from activity
            where match_id = $1 and bucket = any($2) and channel_id = $3 and state <> 3
            order by bucket, device_id limit $5 for update
        )
        update activity a set state = 3, end_reason = $4 from target t
        where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
        """
    )

    private static let noteSwept = Statement(
        "update channel set swept_at = $3 where env = $1 and channel_id = $2"
    )

    private let activities: Activities

    /// Makes the finder.
    public init(activities: Activities) { self.activities = activities }

    /// Finds and marks silent activities of owned buckets, and finds silent channels.
    ///
    /// - `cutoff`: What had nothing since then is silent.
    /// - `exceptions`: Activities whose bucket was sent but who themselves got nothing since the cutoff.
    /// - `limit`: Activities at most of each sort; more wait for the next call.
    public func find(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)] = [],
        limit: Int
    ) async throws(FollowError) -> SilentFindings {
        do {
            let silent = try await silent(before: cutoff, buckets: buckets, exceptions: exceptions, limit: limit)
            var ending: [EndingActivity] = []
            for start in stride(from: 0, to: silent.keys.count, by: FollowLimits.rowsPerStatement) {
                let batch = Array(silent.keys[start..<min(silent.keys.count, start + FollowLimits.rowsPerStatement)])
                ending += try await activities.beginEnd(batch, reason: .silent)
            }
            return SilentFindings(activities: ending, channels: silent.channels, hasMore: silent.keys.count >= limit)
        } catch {
            throw FollowError(error)
        }
    }

    /// How many activities and channels ``find(before:buckets:exceptions:limit:)`` would give, without marking any.
    public func count(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)] = [],
        limit: Int
    ) async throws(FollowError) -> (count: Int, hasMore: Bool) {
        do {
            let silent = try await silent(before: cutoff, buckets: buckets, exceptions: exceptions, limit: limit)
            return (Set(silent.keys.map(\.key)).count + silent.channels.count, silent.keys.count >= limit)
        } catch {
            throw FollowError(error)
        }
    }

    private func silent(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)],
        limit: Int
    ) async throws -> (keys: [(key: DeviceMatchKey, generation: Int32?)], channels: [SilentChannel]) {
        let retry = activities.clock.wall + (.zero - Self.endRetryAfter)
        var keys = try await activities.pool.query(
            Self.tokens,
            [
                .smallints(buckets.map(\.number)), .timestamp(cutoff), .timestamp(retry), .int(Int64(limit)),
            ],
            decode: Self.key
        )
        let excepted = ActivityRows(exceptions.map { DeviceMatchKey(match: $0.match, device: $0.device) })
        if !excepted.isEmpty {
            keys += try await activities.pool.query(
                Self.exceptions,
                excepted.binds + [.timestamp(cutoff)],
                decode: Self.key
            )
        }
        let channels = try await activities.pool.query(Self.channels, [.timestamp(cutoff)], decode: Self.channel)
        return (keys, channels.compactMap { $0 })
    }

    /// Marks the activities of a channel as ended whose end was broadcast; it is not found again before it was silent
    /// once more.
    ///
    /// - Returns: How many were ended.
    public func finish(
        _ channel: SilentChannel,
        in buckets: [Bucket],
        reason: EndReason = .silent
    ) async throws(FollowError) -> Int {
        let binds: [Bind] = [
            .text(channel.match.text), .smallints(buckets.map(\.number)), .text(channel.channel.text),
            .text(reason.rawValue), .int(Int64(FollowLimits.rowsPerStatement)),
        ]
        var ended = 0
        while true {
            do {
                let count = try await activities.pool.transaction { try $0.execute(Self.finishChannel, binds) }
                ended += count
                if count < FollowLimits.rowsPerStatement {
                    let swept: [Bind] = [
                        .smallint(channel.environment.code), .text(channel.channel.text),
                        .timestamp(activities.clock.wall),
                    ]
                    try await activities.pool.execute(Self.noteSwept, swept)
                    return ended
                }
            } catch {
                throw FollowError(error)
            }
        }
    }

    private static let key: @Sendable (Row) throws -> (key: DeviceMatchKey, generation: Int32?) = { row in
        (try row.activityKey(), try row.medium(2))
    }

    private static let channel: @Sendable (Row) throws -> SilentChannel? = { row in
        guard let channel = ChannelID(try row.text(2)) else { return nil }
        return SilentChannel(
            match: MatchID(unchecked: try row.text(0)),
            environment: try row.environment(1),
            channel: channel,
            attributesType: try row.text(3)
        )
    }
}
