// The SQL of membership in one place, since its rules only hold together.

extension Membership {
    /// Single statements; a node is alive while `expires_at` is in the future by PostgreSQL's clock.
    enum Statements {
        /// Deletes nodes that have been dead for a day, since node ids may be names of containers.
        ///
        /// The first term of a process ends an order to drain; a later one, after a missed renewal, does not.
        static let join: Statement = """
            with forgotten as (
                delete from node where expires_at < clock_timestamp() - interval '1 day' and node_id <> $1
            ), notified as (
                select pg_notify($3, $1)
            )
            insert into node as n (node_id, expires_at, version, sends)
            select $1, clock_timestamp() + make_interval(secs => $2), $5, $6 from notified
            on conflict (node_id) do update
                set term = nextval('node_term'), expires_at = excluded.expires_at, version = excluded.version,
                    sends = excluded.sends,
                    since = case when $4 then clock_timestamp() else n.since end,
                    drained_at = case when $4 then null else n.drained_at end,
                    drain_seconds = case when $4 then null else n.drain_seconds end
            returning term
            """

        /// An expired term is never renewed: other nodes may have acted on its end.
        ///
        /// Returns the order to drain, the number of other living nodes that are not drained, and the time. For a node
        /// that sends pushes, only the others that send are counted: no other node can do all of its work.
        static let renew: Statement = """
            with renewed as (
                update node set expires_at = clock_timestamp() + make_interval(secs => $3), is_ready = $4, streams = $5
                where node_id = $1 and term = $2 and expires_at > clock_timestamp()
                returning drained_at, drain_seconds, sends
            )
            select drained_at, drain_seconds,
                   (select count(*) from node other
                    where other.node_id <> $1 and other.expires_at > clock_timestamp() and other.drained_at is null
                      and (other.sends or not renewed.sends)),
                   clock_timestamp()
            from renewed
            """

        static let releaseLeases: Statement = """
            with freed as (
                delete from lease where term = $1 returning name
            )
            select pg_notify($2, name) from freed
            """

        static let resign: Statement = """
            with ended as (
                update node set expires_at = clock_timestamp() where node_id = $1 and term = $2 returning node_id
            )
            select pg_notify($3, node_id) from ended
            """

        static let termOfNode = Statement("select term from node where node_id = $1")

        static let releaseLease: Statement = """
            with freed as (
                delete from lease where name = $1 and term = $2 returning name
            )
            select pg_notify($3, name) from freed
            """

        /// Whether this term is valid, the number of living nodes that send pushes, and the buckets of this term; then
        /// the number of living nodes that send and are not drained, whether this one is drained, and whether it sends.
        static let holdings: Statement = """
            select coalesce(bool_or(term = $1), false), count(*) filter (where sends),
                array(select bucket from bucket_owner where bucket_owner.term = $1),
                count(*) filter (where sends and drained_at is null),
                coalesce(bool_or(term = $1 and drained_at is not null), false),
                coalesce(bool_or(term = $1 and sends), false)
            from node where expires_at > clock_timestamp()
            """

        static let releaseBuckets: Statement = """
            with released as (
                update bucket_owner set term = 0 where term = $1 and bucket = any($2) returning 1
            )
            select pg_notify($3, '') from (select count(*) from released) as done
            """

        /// Whether this term is valid, and the buckets that it claimed.
        ///
        /// Each claim is a single statement: a node that is stopped inside a transaction would block all renewals. The
        /// row locks ensure that no renewal is in progress while a node is declared dead. A term that is newer than the
        /// snapshot of the nodes counts as alive.
        static let claimBuckets: Statement = """
            with seen as materialized (
                select term, expires_at > clock_timestamp() as lives from node order by node_id for share
            ), free as materialized (
                select bucket from bucket_owner
                where term <> all(array(select term from seen where lives))
                  and term <= (select max(term) from seen)
                  and $1 = any(array(select term from seen where lives))
                order by bucket limit $2 for update skip locked
            ), taken as (
                update bucket_owner set term = $1 from free where bucket_owner.bucket = free.bucket
                returning bucket_owner.bucket
            )
            select $1 = any(array(select term from seen where lives)), array(select bucket from taken)
            """

        static let makeLease: Statement =
            "insert into lease (name, term) values ($1, 0) on conflict do nothing"

        /// Whether this term is valid, and whether it holds the lease; the same rules as for buckets.
        ///
        /// The statement never waits for the lease's row: a writer may hold it, and the locked node rows would block
        /// renewals.
        static let claimLease: Statement = """
            with seen as materialized (
                select term, expires_at > clock_timestamp() as lives from node order by node_id for share
            ), held as materialized (
                select name, term from lease where name = $1 for update skip locked
            ), taken as (
                update lease set term = $2 from held
                where lease.name = held.name and held.term <> all(array(select term from seen where lives))
                  and held.term <= (select max(term) from seen)
                  and $2 = any(array(select term from seen where lives))
                returning 1
            )
            select $2 = any(array(select term from seen where lives)),
                exists (select from taken) or exists (select from held where term = $2)
            """
    }
}
