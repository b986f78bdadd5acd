// The SQL of silent activities. A statement reads a limited number of activities, whatever the audience of a match.

internal import Postgres

enum SilentStatements {
    /// Matches with activities in a bucket without an accepted push since $2, whether each ended before $3, and the
    /// number of such buckets.
    ///
    /// Before its first ball a match has no updates: it is silent half an hour after that at the earliest. Nothing may
    /// be sent for a held match, no end either: it is silent half an hour after its release at the earliest. A match
    /// without pushes has no progress rows.
    static let matches: Statement = """
        with awaited as materialized (
            select match_id from match_state
            where phase = 0 and removed_at is null and starts_at > $2
               or held_reason is not null or released_at > $2
        )
        select s.match_id, coalesce(e.ended_at < $3, false), case known when 0 then cardinality($1) else silent end
        from shown_match s left join ended_match e on e.match_id = s.match_id
        cross join lateral (
            select count(*) as known, count(*) filter (where f.bucket = any($1) and f.sent_at < $2) as silent
            from fanout f where f.match_id = s.match_id) p
        where (known = 0 or silent > 0) and s.match_id not in (select match_id from awaited)
        order by s.match_id
        """

    /// The silent activities of a match among $6 activities behind a cursor, at most $7.
    ///
    /// The limit stands before the choice of the silent ones, so that a page without any costs no more. The last row is
    /// the last activity that was read, with the number of them.
    static let page: Statement = """
        with place as materialized (
            select b.bucket from unnest($2) as b(bucket)
            where b.bucket >= $3
              and (exists (select from fanout f where f.match_id = $1 and f.bucket = b.bucket and f.sent_at < $5)
                   or not exists (select from fanout f where f.match_id = $1))
            order by b.bucket
        ), page as materialized (
            select a.bucket, a.device_id, a.gen,
                   a.state = 1 and a.channel_id is null and a.started_at < $5 as is_silent
            from place p cross join lateral (
                select * from activity r
                where r.match_id = $1 and r.bucket = p.bucket and (p.bucket > $3 or r.device_id > $4)
                order by r.device_id) a
            limit $6
        )
        (select bucket, device_id, gen, 0::bigint from page where is_silent order by bucket, device_id limit $7)
        union all
        (select bucket, device_id, gen, (select count(*) from page) from page
         order by bucket desc, device_id desc limit 1)
        """

    /// Ends that were decided before $2 and have no answer; those of a held match wait for its release.
    static let unanswered: Statement = """
        select a.match_id, a.device_id, a.gen from activity a
        where a.bucket = any($1) and a.state = 2 and a.ending_at < $2
          and a.match_id not in (select m.match_id from match_state m where m.held_reason is not null)
        limit $3
        """

    static let exceptions: Statement = """
        select a.match_id, a.device_id, a.gen
        from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        where a.state = 1 and a.channel_id is null and a.started_at < $4
          and a.match_id not in (
              select m.match_id from match_state m where m.held_reason is not null or m.released_at > $4)
        """

    static let channels: Statement = """
        select \(ChannelRecords.columns) from channel c
        where retired_at is null and coalesce(sent_at, created_at) < $1
          and (swept_at is null or swept_at < coalesce(sent_at, created_at))
          and match_id not in (
              select m.match_id from match_state m
              where m.phase = 0 and m.removed_at is null and m.starts_at > $1
                 or m.held_reason is not null or m.released_at > $1)
        order by match_id, env, channel_id
        """

    /// Ends at most $8 activities of a channel among $5 activities of its match behind a cursor.
    ///
    /// The first row has the place behind which the next call continues, whether more may follow, and the number of
    /// ended activities.
    static let finishChannel: Statement = """
        with place as materialized (
            select b.bucket from unnest($2) as b(bucket) where b.bucket >= $6 order by b.bucket
        ), page as materialized (
            select a.bucket, a.device_id, a.state <> 3 and a.channel_id is not distinct from $3 as is_on
            from place p cross join lateral (
                select * from activity r
                where r.match_id = $1 and r.bucket = p.bucket and (p.bucket > $6 or r.device_id > $7)
                order by r.device_id) a
            limit $5
        ), chosen as materialized (
            select bucket, device_id from page where is_on order by bucket, device_id limit $8
        ), target as materialized (
            select a.match_id, a.bucket, a.device_id
            from chosen c join activity a on a.match_id = $1 and a.bucket = c.bucket and a.device_id = c.device_id
            where a.channel_id = $3 and a.state <> 3
            order by a.bucket, a.device_id for update of a
        ), ended as (
            update activity a set state = 3, end_reason = $4 from target t
            where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
            returning 1
        ), counts as materialized (
            select (select count(*) from page) as read, (select count(*) from chosen) as chosen,
                   (select count(*) from ended) as ended
        )
        (select c.bucket, c.device_id, true, n.ended from chosen c cross join counts n
         where n.chosen = $8 order by c.bucket desc, c.device_id desc limit 1)
        union all
        (select p.bucket, p.device_id, n.read = $5, n.ended from page p cross join counts n
         order by p.bucket desc, p.device_id desc limit 1)
        """

    /// Channels that were retired after $1 and before $2, after APNs accepted their end.
    static let retired: Statement = """
        select \(ChannelRecords.columns) from channel c
        where retired_at > $1 and retired_at < $2 and coalesce(sent_at, created_at) < swept_at
        order by match_id, env, channel_id
        """

    static let noteSwept: Statement =
        "update channel set swept_at = $3 where env = $1 and channel_id = $2"
}
