// The SQL of starts.

internal import Postgres

enum StartStatements {
    /// Followers without a start since $6 among $8 followers of a match behind a cursor, at most $9.
    ///
    /// The limit stands before the choice, so that a page without any costs no more. The third column is the place of
    /// the follower in the page. Reading ends with follower $9; the last row of a page with fewer is the last one read.
    static let page: Statement = """
        with page as materialized (
            select f.bucket, f.device_id,
                   f.wants = 1 and f.wants_activity and not f.dismissed and (f.team_intent <> 0) = $7
                   and (f.start_sent_at is null or f.start_sent_at < $6) as is_due
            from follow f
            where f.match_id = $1 and f.bucket between $2 and $3 and (f.bucket, f.device_id) > ($4, $5)
            order by f.bucket, f.device_id limit $8
        ), numbered as materialized (
            select bucket, device_id, row_number() over () as place, is_due from page
        ), due as materialized (
            select bucket, device_id, place from numbered where is_due limit $9
        )
        (select bucket, device_id, place, true from due order by place)
        union all
        (select bucket, device_id, place, false from numbered
         where (select count(*) from due) < $9 order by place desc limit 1)
        """

    /// Followers whose activity may be started; the locks keep two matches from taking the last place of a device.
    ///
    /// An activity that ended since $4 is not started again, since a rejected token may mean that the person dismissed
    /// it. After a dismissal or an unfollow, a new follow starts another one.
    static let candidates: Statement = """
        select f.bucket, f.device_id, d.start_token, d.start_gen, d.env, d.start_variant, d.abilities, d.schema_version,
               f.team_intent, f.alerts, d.quiet_from, d.quiet_until
        from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join follow f on f.match_id = r.match_id and f.bucket = r.bucket and f.device_id = r.device_id
        join device d on d.bucket = f.bucket and d.device_id = f.device_id
        left join activity a on a.match_id = f.match_id and a.bucket = f.bucket and a.device_id = f.device_id
        where f.wants = 1 and f.wants_activity and not f.dismissed
          and (f.start_sent_at is null or f.start_sent_at < $4)
          and (f.team_intent <> 0) = $5
          and d.start_token is not null and d.abilities & 1 = 1
          and (a.state is null
               or (a.state = 3 and (a.token_at < $4 or a.end_reason in ('unfollowed', 'dismissed'))))
        order by f.bucket, f.device_id
        for update of d
        """

    /// The started activities of each device, and the places that are kept free.
    ///
    /// Starts before $4 without a registration do not count, except starts on a channel since $7; places are kept for
    /// matches of the person's side that begin before $5.
    static let taken: Statement = """
        select x.device_id,
               count(*) filter (where o.match_id is not null and (
                   (oa.state in (1, 2) and oa.started_by = 1)
                   or ((o.start_sent_at > $4 or o.start_channel is not null and o.start_sent_at > $7
                                                and m.phase is distinct from 3)
                       and (oa.state is null or oa.token_at < o.start_sent_at)))),
               count(*) filter (where o.team_intent <> 0 and o.wants = 1 and o.wants_activity and not o.dismissed
                   and o.start_sent_at is null and oa.state is null
                   and m.phase = 0 and m.starts_at between $6 and $5)
        from unnest($2, $3) as x(bucket, device_id)
        left join follow o on o.bucket = x.bucket and o.device_id = x.device_id and o.match_id <> $1
        left join activity oa on oa.match_id = o.match_id and oa.bucket = o.bucket and oa.device_id = o.device_id
        left join match_state m on m.match_id = o.match_id
        group by x.device_id
        """

    /// Marks the time at which starts are sent; returns the devices that no other node has marked since $5.
    static let mark: Statement = """
        with target as materialized (
            select f.match_id, f.bucket, f.device_id
            from unnest($1, $2, $3) as r(match_id, bucket, device_id)
            join follow f on f.match_id = r.match_id and f.bucket = r.bucket and f.device_id = r.device_id
            where f.start_sent_at is null or f.start_sent_at < $5
            order by f.bucket, f.device_id, f.match_id for update of f
        )
        update follow f set start_sent_at = $4, start_channel = null from target t
        where f.match_id = t.match_id and f.bucket = t.bucket and f.device_id = t.device_id
        returning f.device_id
        """

    /// Removes the marks of starts that were not sent; one with a time only if it was made until then.
    static let release: Statement = """
        with target as materialized (
            select f.match_id, f.bucket, f.device_id
            from unnest($1, $2, $3, $4) as r(match_id, bucket, device_id, marked_until)
            join follow f on f.match_id = r.match_id and f.bucket = r.bucket and f.device_id = r.device_id
            where r.marked_until is null or f.start_sent_at <= r.marked_until
            order by f.bucket, f.device_id, f.match_id for update of f
        )
        update follow f set start_sent_at = null, start_channel = null from target t
        where f.match_id = t.match_id and f.bucket = t.bucket and f.device_id = t.device_id
        """

    /// Records the channels of accepted starts; one that was withdrawn meanwhile stays so.
    static let confirm: Statement = """
        with target as materialized (
            select f.match_id, f.bucket, f.device_id, r.channel
            from unnest($1, $2, $3, $4) as r(match_id, bucket, device_id, channel)
            join follow f on f.match_id = r.match_id and f.bucket = r.bucket and f.device_id = r.device_id
            where f.start_sent_at is not null
            order by f.bucket, f.device_id, f.match_id for update of f
        )
        update follow f set start_channel = t.channel from target t
        where f.match_id = t.match_id and f.bucket = t.bucket and f.device_id = t.device_id
        """

    /// Followers who chose one of the alerts $12 and have no activity, or one without sound.
    ///
    /// A start on a channel since $9 counts as an activity until the device reports one, or its channel was ended. An
    /// activity on a channel that was retired, or superseded before $7, receives nothing or nothing with a sound. A
    /// follow that changed after $11 is left out. The last row is the last follower that was read, unless all were.
    static let alertAudience: Statement = """
        with \(PageStatements.lastRead)
        (select f.bucket, f.device_id, false, d.alert_token, d.alert_gen, d.env, f.team_intent, f.alerts,
                d.quiet_from, d.quiet_until, d.profile->>'timeZone', d.profile->>'stringsVersion'
        from follow f
        join device d on d.bucket = f.bucket and d.device_id = f.device_id
        left join activity a on a.match_id = f.match_id and a.bucket = f.bucket and a.device_id = f.device_id
        left join channel c on c.env = case a.state when 1 then a.env else d.env end
             and c.channel_id = case
                 when a.state = 1 then a.channel_id
                 when f.start_sent_at > $9 and (a.state is null or a.token_at < f.start_sent_at) then f.start_channel
             end
             and (a.state = 1 or c.swept_at is null or c.swept_at < f.start_sent_at)
        where \(PageStatements.isRead)
          and f.wants = 1 and f.alerts & $12 <> 0 and f.changed_at <= $11
          and d.alert_token is not null and d.abilities & 4 = 4
          and case
              when c.channel_id is not null then
                  c.profile = 'quiet' or c.retired_at is not null or coalesce(c.superseded_at < $7, false)
              when a.state = 1 then
                  a.channel_id is not null or a.wish & 15 = 0
                  or a.gen = 1 and ceil(extract(epoch from a.token_at)) > $10
              when a.state = 3 and extract(epoch from a.ending_at) >= $10 then false
              else f.start_sent_at is null or f.start_sent_at < $7
          end
        order by f.bucket, f.device_id
        limit $8)
        union all
        select bucket, device_id, true, null, null, null, null, null, null, null, null, null from last_read
        """
}
