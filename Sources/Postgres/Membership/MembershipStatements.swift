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

        /// The locks make sure that no renewal is on its way unseen while somebody's end is being decided.
        static let livingNodes = Statement(
            "select term, want_share, expires_at > clock_timestamp() from node order by node_id for share"
        )

        static let ownBuckets = Statement("select bucket from bucket_owner where term = $1")
        static let releaseBuckets = Statement(
            "update bucket_owner set term = 0 where term = $1 and bucket = any($2)"
        )
        static let claimBuckets = Statement(
            """
            with free as materialized (
                select bucket from bucket_owner where term <> all($2) order by bucket limit $3 for update skip locked
            )
            update bucket_owner set term = $1 from free where bucket_owner.bucket = free.bucket
            returning bucket_owner.bucket
            """
        )
        static let notify = Statement("select pg_notify($1, '')")

        static let makeLease = Statement(
            "insert into lease (name, term) values ($1, 0) on conflict do nothing"
        )
        static let lockLease = Statement("select term from lease where name = $1 for update skip locked")
        static let takeLease = Statement("update lease set term = $2 where name = $1")
    }
}
