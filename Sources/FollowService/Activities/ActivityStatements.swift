// The SQL of activities; the tests check each statement against a table of rules.

internal import Postgres

enum ActivityStatements {
    /// Writes registrations; returns those written, with the activity of the match that each replaces.
    ///
    /// A lower or equal client sequence changes nothing, nor does a call for an activity that its app ended ($14: the
    /// final reasons). To unnest in the list of columns avoids an intermediate table, which is measurable here.
    static let register: Statement = """
        insert into activity as a (match_id, bucket, device_id, activity_id, env, variant, started_by,
                                   started_at, token_at, client_seq, known_rev, channel_id, token, wish)
        select unnest($1), unnest($2), unnest($3), unnest($4), unnest($5), unnest($6), unnest($7),
               unnest($8), $13, unnest($9), unnest($10), unnest($11), unnest($12), unnest($15)
        on conflict (bucket, device_id, match_id) do update set
            activity_id = excluded.activity_id, gen = a.gen + 1, env = excluded.env, variant = excluded.variant,
            started_by = excluded.started_by, state = 1, end_reason = null, ending_at = null,
            started_at = case when a.activity_id = excluded.activity_id then a.started_at else excluded.started_at end,
            token_at = excluded.token_at, client_seq = excluded.client_seq, known_rev = excluded.known_rev,
            channel_id = excluded.channel_id, token = excluded.token, wish = excluded.wish,
            replaced_id = case when a.activity_id <> excluded.activity_id then a.activity_id end
        where excluded.client_seq > a.client_seq
          and not (a.state <> 1 and a.activity_id = excluded.activity_id and a.end_reason = any($14))
        returning a.device_id, a.gen, a.match_id, a.replaced_id
        """

    /// Reads the rows that registrations did not change.
    static let stored: Statement = """
        select r.place, a.activity_id, a.gen, a.client_seq, a.state, a.end_reason, a.env, a.variant, a.started_by,
               a.known_rev, a.channel_id, a.token
        from unnest($1, $2, $3) with ordinality as r(match_id, bucket, device_id, place)
        join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        """

    /// Writes change rows for the arenas.
    ///
    /// $2 and $3 have the devices of all matches in sequence; $5 has the end index of each match.
    static let noteChanges: Statement = """
        insert into change (match_id, buckets, devices)
        select r.match_id, ($2::smallint[])[r.first:r.last], ($3::uuid[])[r.first:r.last]
        from unnest($1::text[], $4::int[], $5::int[]) as r(match_id, first, last)
        """

    /// Finds activities by ActivityKit's id, and locks them in the order of the key.
    static let findForEnd: Statement = """
        select r.place, a.match_id, a.client_seq, a.state, a.end_reason
        from unnest($1, $2, $3) with ordinality as r(bucket, device_id, activity_id, place)
        join activity a on a.bucket = r.bucket and a.device_id = r.device_id and a.activity_id = r.activity_id
        order by a.bucket, a.device_id, a.match_id
        for update of a
        """

    /// Ends rows that are locked already, at $6.
    static let end: Statement = """
        update activity a
        set state = 3, token = '', ending_at = $6, end_reason = r.reason,
            client_seq = greatest(a.client_seq, r.client_seq)
        from unnest($1, $2, $3, $4, $5) as r(match_id, bucket, device_id, reason, client_seq)
        where a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        """

    /// Stores that a person dismissed the activity of a match, also for a follow before it that arrives later.
    static let dismiss: Statement = """
        with target as materialized (
            select f.match_id, f.bucket, f.device_id, r.client_seq
            from (
                select match_id, bucket, device_id, max(client_seq) as client_seq
                from unnest($1, $2, $3, $4) as one(match_id, bucket, device_id, client_seq) group by 1, 2, 3
            ) r
            join follow f on f.match_id = r.match_id and f.bucket = r.bucket and f.device_id = r.device_id
            where f.dismissed_seq is null or f.dismissed_seq < r.client_seq
            order by f.bucket, f.device_id, f.match_id
            for update of f
        )
        update follow f
        set dismissed_seq = t.client_seq,
            start_channel = case when f.since_seq <= t.client_seq then null else f.start_channel end
        from target t
        where f.match_id = t.match_id and f.bucket = t.bucket and f.device_id = t.device_id
        """

    /// Marks active rows as ending; returns the data for the end push.
    ///
    /// With $7, only rows with a lower client sequence.
    static let beginEnd: Statement = """
        with target as materialized (
            select a.match_id, a.bucket, a.device_id
            from unnest($1, $2, $3, $4) as r(match_id, bucket, device_id, gen)
            join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
            where a.state <> 3 and (r.gen = 0 or a.gen = r.gen)
              and ($7::bigint is null or a.client_seq < $7)
            order by a.bucket, a.device_id, a.match_id
            for update of a
        )
        update activity a set state = 2, ending_at = $6,
            end_reason = case when a.state = 2 and $5 = 'silent' then a.end_reason else $5 end
        from target t
        where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
        returning a.match_id, a.device_id, a.gen, a.env, a.variant, a.channel_id, a.token, a.end_reason
        """

    /// Ends rows of a generation after their end push was answered, or because the token is dead (at $5).
    ///
    /// The time of death says which alerts the activity still received.
    static let finish: Statement = """
        with target as materialized (
            select a.match_id, a.bucket, a.device_id, r.dead_at
            from unnest($1, $2, $3, $4, $5) as r(match_id, bucket, device_id, gen, dead_at)
            join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
            where a.state <> 3 and a.gen = r.gen and (r.dead_at is null or a.token_at <= r.dead_at)
            order by a.bucket, a.device_id, a.match_id
            for update of a
        )
        update activity a
        set state = 3, token = '', end_reason = coalesce($6, a.end_reason), ending_at = coalesce(a.ending_at, t.dead_at)
        from target t
        where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
        returning a.match_id, a.device_id
        """
}
