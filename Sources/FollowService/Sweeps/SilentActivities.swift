// An activity for which nothing was accepted for half an hour is ended, so that no phone shows an old score for ever.

internal import Postgres
public import ScoreTypes

/// The silent activities and channels of one sweep.
public struct SilentFindings: Sendable, Hashable {
    /// Activities on tokens; they are marked as ending, and their end push is yet to be sent.
    public let activities: [EndingActivity]
    /// Silent channels; after the end broadcast ``SilentActivities/finish(_:in:reason:)`` ends their activities.
    public let channels: [ChannelRecord]
    /// Whether more wait for the next call.
    public let hasMore: Bool
}

/// Finds silent activities by the progress of their buckets and channels, since activities have no time of their own.
public struct SilentActivities: Sendable {
    /// Before its first ball a match has no updates: it is silent half an hour after that at the earliest.
    ///
    /// Nothing may be sent for a held match, no end either: it is silent half an hour after its release at the
    /// earliest. A match without pushes has no progress rows: its activities are found by `shown_match`.
    private static let tokens: Statement = """
        with awaited as materialized (
            select match_id from match_state
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
         where a.bucket = any($1) and a.state = 2 and a.ending_at < $3
         limit $4)
        """

    private static let exceptions: Statement = """
        select a.match_id, a.device_id, a.gen
        from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        where a.state = 1 and a.channel_id is null and a.started_at < $4
          and a.match_id not in (
              select m.match_id from match_state m where m.held_reason is not null or m.released_at > $4)
        """

    private static let channels: Statement = """
        select \(ChannelRecords.columns) from channel c
        where retired_at is null and coalesce(sent_at, created_at) < $1
          and (swept_at is null or swept_at < coalesce(sent_at, created_at))
          and match_id not in (
              select m.match_id from match_state m
              where m.phase = 0 and m.removed_at is null and m.starts_at > $1
                 or m.held_reason is not null or m.released_at > $1)
        order by match_id, env, channel_id
        """

    /// Ends activities of a channel behind a cursor; returns the last of them, and their number.
    private static let finishChannel: Statement = """
        with target as materialized (
            select match_id, bucket, device_id from activity
            where match_id = $1 and bucket = any($2) and channel_id = $3 and state <> 3
              and (bucket, device_id) > ($6, $7)
            order by bucket, device_id limit $5 for update
        ), ended as (
            update activity a set state = 3, end_reason = $4 from target t
            where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
            returning a.bucket, a.device_id
        )
        select bucket, device_id, count(*) over () from ended order by bucket desc, device_id desc limit 1
        """

    private static let noteSwept: Statement =
        "update channel set swept_at = $3 where env = $1 and channel_id = $2"

    let activities: Activities

    /// Finds and marks silent activities of buckets, and finds silent channels.
    ///
    /// - `cutoff`: Activities and channels without an accepted push since then are silent.
    /// - `exceptions`: Activities that received nothing since the cutoff although their bucket was sent.
    /// - `limit`: Activities of each sort; more wait for the next call.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func find(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)] = [],
        limit: Int
    ) async throws(FollowError) -> SilentFindings {
        let silent = try await silent(before: cutoff, buckets: buckets, exceptions: exceptions, limit: limit)
        var ending: [EndingActivity] = []
        for start in stride(from: 0, to: silent.keys.count, by: FollowLimits.rowsPerStatement) {
            let batch = Array(silent.keys[start..<min(silent.keys.count, start + FollowLimits.rowsPerStatement)])
            ending += try await activities.beginEnd(batch, reason: .silent)
        }
        return SilentFindings(activities: ending, channels: silent.channels, hasMore: silent.keys.count >= limit)
    }

    /// The number of activities and channels that ``find(before:buckets:exceptions:limit:)`` would return; marks none.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func count(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)] = [],
        limit: Int
    ) async throws(FollowError) -> (count: Int, hasMore: Bool) {
        let silent = try await silent(before: cutoff, buckets: buckets, exceptions: exceptions, limit: limit)
        return (Set(silent.keys.map(\.key)).count + silent.channels.count, silent.keys.count >= limit)
    }

    private func silent(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)],
        limit: Int
    ) async throws(FollowError) -> (keys: [(key: DeviceMatchKey, generation: Int32?)], channels: [ChannelRecord]) {
        let retry = activities.clock.wall - FollowLimits.endRetryTime
        let binds: [Bind] = [
            .smallints(buckets.map(\.number)), .timestamp(cutoff), .timestamp(retry), .int(Int64(limit)),
        ]
        var keys = try await activities.pool.rows(Self.tokens, binds, decode: Self.key)
        if !exceptions.isEmpty {
            let excepted = exceptions.map { DeviceMatchKey(match: $0.match, device: $0.device) }.binds
            keys += try await activities.pool.rows(Self.exceptions, excepted + [.timestamp(cutoff)], decode: Self.key)
        }
        let channels = try await activities.pool.rows(Self.channels, [.timestamp(cutoff)]) { try $0.channelRecord() }
        return (keys, channels.compactMap(\.self))
    }

    /// Marks the activities of a channel as ended, after APNs accepted the end broadcast.
    ///
    /// The channel is found again only after a further broadcast and a further silence.
    ///
    /// - Returns: The number of ended activities.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func finish(
        _ channel: ChannelRecord,
        in buckets: [Bucket],
        reason: EndReason
    ) async throws(FollowError) -> Int {
        let binds: [Bind] = [
            .text(channel.match.text), .smallints(buckets.map(\.number)), .text(channel.channel.text),
            .text(reason.rawValue), .int(Int64(FollowLimits.rowsPerStatement)),
        ]
        var (ended, before) = (0, -1)
        // The last pass finds the activities that were registered behind the cursor meanwhile.
        while ended > before {
            before = ended
            var cursor: AudienceCursor? = .start
            while let after = cursor {
                let place: [Bind] = [.smallint(after.bucket), .uuid(after.device)]
                let page = try await activities.pool.commit { connection in
                    try connection.query(Self.finishChannel, binds + place) { row in
                        (last: AudienceCursor(bucket: try row.small(0), device: try row.uuid(1)), count: try row.int(2))
                    }
                }.first
                ended += Int(page?.count ?? 0)
                cursor = page.flatMap { $0.count < FollowLimits.rowsPerStatement ? nil : $0.last }
            }
        }
        let swept: [Bind] = [
            .smallint(channel.environment.code), .text(channel.channel.text), .timestamp(activities.clock.wall),
        ]
        try await activities.pool.write(Self.noteSwept, swept)
        return ended
    }

    private static let key: @Sendable (Row) throws -> (key: DeviceMatchKey, generation: Int32?) = { row in
        (try row.activityKey(), try row.medium(2))
    }
}
