// The SQL that fills arenas and keeps them current.

internal import Postgres

enum ArenaStatements {
    /// The oldest transaction that a snapshot may not have seen.
    static let oldest = Statement("select pg_snapshot_xmin(pg_current_snapshot())::text::bigint")

    /// The oldest transaction that may still run, the next one to begin, and the one before which changes are deleted.
    ///
    /// All transactions before the first are committed or rolled back.
    static let horizon: Statement = """
        select pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
               pg_snapshot_xmax(pg_current_snapshot())::text::bigint, below::text::bigint
        from change_dropped
        """

    /// Another value means that transaction ids may repeat.
    ///
    /// A server that recovered from a crash has lost ids of transactions without writes; a promoted replica may lack
    /// more. After the crash of a backend the server's process continues, but its statistics are reset.
    static let life: Statement =
        "select concat(pg_postmaster_start_time(), ' ', (select stats_reset from pg_stat_bgwriter))"

    /// The tokens of a match; read by COPY.
    static let tokens: Statement = """
        select bucket, device_id, gen, env, variant, started_at, token_at, known_rev, token, wish
        from activity
        where match_id = $1 and bucket = any($2) and state = 1 and channel_id is null
        """

    /// The newest revision sent to each bucket of a match, and its time.
    static let progress: Statement =
        "select bucket, sent_rev, sent_at from fanout where match_id = $1 and bucket = any($2)"

    /// The current rows of the changes in [$1, $2), in the order of the transactions.
    ///
    /// The limit and the empty text force a lookup by the key of the device: while the statistics do not know the size
    /// of a match, the planner would read the whole match or bucket for each change.
    static let changes: Statement = """
        select c.xid, c.match_id, d.device_id, a.gen, a.env, a.variant, a.started_at, a.token_at, a.known_rev, a.token,
               coalesce(a.state = 1 and a.channel_id is null, false), a.wish
        from (select xid, match_id, buckets, devices from change
              where xid >= $1::xid8 and xid < $2::xid8 and match_id = any($3) order by xid) c
        cross join lateral unnest(c.buckets, c.devices) as d(bucket, device_id)
        left join lateral (
            select * from activity
            where bucket = d.bucket and device_id = d.device_id and match_id || '' = c.match_id limit 1
        ) a on true
        where d.bucket = any($4)
        order by c.xid
        limit $5
        """

    /// Inserts no row; fails when this login could not insert into `change`.
    static let checkChangeInsert: Statement = """
        insert into change (match_id, buckets, devices)
        select '', array[]::smallint[], array[]::uuid[] where false
        """

    /// Deletes changes and records it in the same transaction, so that readers that missed them know it.
    static let prune: Statement = """
        with noted as (
            update change_dropped set below = $1::xid8
            where below < $1::xid8 or below > pg_snapshot_xmax(pg_current_snapshot())
        )
        delete from change where ctid = any(array(
            select ctid from change where xid < $1::xid8 order by xid limit $2 for update skip locked))
        """

    /// The number of change rows varies within seconds, faster than the statistics; the index suits every number.
    static let planning: StaticString =
        "set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off"
}
