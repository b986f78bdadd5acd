// The SQL of membership in one place, since its rules hold only together.

extension Membership {
    /// Single statements; a node is alive while `expires_at` lies ahead on Postgres's own clock.
    enum Statements {
        /// Also forgets nodes that have been dead for a day, since names may come from containers.
        static let join = Statement(
            """
            with forgotten as (
                delete from node where expires_at < clock_timestamp() - interval '1 day' and node_id <> $1
            ), told as (
                select pg_notify($3, $1)
            )
            insert into node (node_id, expires_at)
            select $1, clock_timestamp() + make_interval(secs => $2) from told
            on conflict (node_id) do update
                set term = nextval('node_term'), expires_at = excluded.expires_at, want_share = true
            returning term
            """
        )

        /// A term that has expired is never renewed: others may have acted on its end.
        static let renew = Statement(
            """
            update node set expires_at = clock_timestamp() + make_interval(secs => $3)
            where node_id = $1 and term = $2 and expires_at > clock_timestamp()
            """
        )

        static let resign = Statement(
            """
            with ended as (
                update node set expires_at = clock_timestamp() where node_id = $1 and term = $2 returning node_id
            )
            select pg_notify($3, node_id) from ended
            """
        )

        static let termOfNode = Statement("select term from node where node_id = $1")
        static let setShare = Statement("update node set want_share = $2 where node_id = $1")

        static let releaseLease = Statement(
            """
            with freed as (
                delete from lease where name = $1 and term = $2 returning name
            )
            select pg_notify($3, name) from freed
            """
        )

        static let nodes = Statement(
            """
            select node_id, term, expires_at > clock_timestamp(), want_share,
                (select count(*) from bucket_owner where bucket_owner.term = node.term)
            from node order by node_id
            """
        )

        /// Whether the own term lives, whether it wants a share, how many living ones do, and the own buckets.
        static let holdings = Statement(
            """
            select coalesce(bool_or(term = $1), false), coalesce(bool_or(term = $1 and want_share), false),
                count(*) filter (where want_share),
                array(select bucket from bucket_owner where bucket_owner.term = $1)
            from node where expires_at > clock_timestamp()
            """
        )

        static let releaseBuckets = Statement(
            """
            with released as (
                update bucket_owner set term = 0 where term = $1 and bucket = any($2) returning 1
            )
            select pg_notify($3, '') from (select count(*) from released) as done
            """
        )

        /// Whether the own term lives, and the buckets that it took.
        ///
        /// Claims are single statements: a node that is stopped inside of a transaction would keep everybody from
        /// renewing. Their locks make sure that no renewal is on its way unseen while somebody's end is being decided.
        /// A term younger than the look at the nodes is none of the dead.
        static let claimBuckets = Statement(
            """
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
        )

        static let makeLease = Statement(
            "insert into lease (name, term) values ($1, 0) on conflict do nothing"
        )

        /// Whether the own term lives, and whether the lease is its own now; the same rules as for buckets.
        ///
        /// The lease's row is never waited for: a writer may hold it, and the nodes' rows would be held meanwhile.
        static let claimLease = Statement(
            """
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
        )
    }
}
