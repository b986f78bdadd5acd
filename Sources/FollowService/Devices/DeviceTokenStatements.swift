// The SQL of one kind of token: each kind has columns of its own, and a token belongs to one device.

internal import Postgres
internal import ScoreTypes

/// The statements of one kind of token.
struct DeviceTokenStatements: Sendable {
    /// Reads generation, client sequence, token, environment and variant; and whether a token was registered last.
    let states: Statement
    /// Makes devices the owners of tokens that are new here; returns the devices whose token has another owner, and
    /// that owner.
    ///
    /// It locks all owners, in the order of the digests, so that the registrations of a token follow each other.
    let claim: Statement
    /// Takes tokens from the devices that have them; returns these devices.
    let release: Statement
    /// Moves tokens to their new owners.
    let own: Statement
    /// Writes tokens with a higher client sequence than the stored one, and frees those that they replace.
    let set: Statement
    /// Removes tokens of a generation that APNs rejected, and frees them; the next reconcile requests them again.
    let drop: Statement

    /// The statements of a kind.
    static func of(_ kind: DeviceTokenKind) -> DeviceTokenStatements {
        switch kind {
        case .alert: alert
        case .pushToStart: start
        case .widget: widget
        }
    }

    private static let alert = DeviceTokenStatements("alert", bit: "1", variant: "null::smallint", also: "")
    private static let widget = DeviceTokenStatements("widget", bit: "4", variant: "null::smallint", also: "")
    private static let start =
        DeviceTokenStatements("start", bit: "2", variant: "d.start_variant", also: ", start_variant = t.variant")

    private init(_ kind: StaticString, bit: StaticString, variant: StaticString, also assignment: StaticString) {
        states = """
            select d.device_id, d.\(kind)_gen, d.\(kind)_seq, d.\(kind)_token, d.env, \(variant),
                   d.\(kind)_token_at is not null
            from unnest($1, $2) as r(bucket, device_id)
            join device d on d.bucket = r.bucket and d.device_id = r.device_id
            where d.erased_at is null and d.blocked_at is null
            """
        (claim, release, own) = (Self.claim(kind), Self.release(kind, bit), Self.own(kind))
        // Another transaction that holds the lock of an owner changes this owner, so that it is skipped here.
        set = """
            with target as materialized (
                select d.bucket, d.device_id, r.token, r.env, r.variant, r.client_seq, d.\(kind)_token as old_token
                from unnest($1, $2, $3, $4, $5, $6) as r(bucket, device_id, token, env, variant, client_seq)
                join device d on d.bucket = r.bucket and d.device_id = r.device_id
                where r.client_seq > d.\(kind)_seq and d.erased_at is null and d.blocked_at is null
                order by d.bucket, d.device_id for update of d
            ),
            replaced as materialized (
                select o.digest from target t
                join token_owner o on o.device_id = t.device_id
                 and o.digest = substr(sha256(t.old_token), 1, 15) || substr('\(kind)'::bytea, 1, 1)
                where t.token is distinct from t.old_token
                for update of o skip locked
            ),
            freed as (delete from token_owner o using replaced r where o.digest = r.digest)
            update device d set \(kind)_token = t.token, \(kind)_gen = d.\(kind)_gen + 1,
                   \(kind)_token_at = case when t.token is null then null else $7 end,
                   seen_at = $7, \(kind)_seq = t.client_seq, env = t.env,
                   moved_tokens = d.moved_tokens & ~\(bit)\(assignment)
            from target t where d.bucket = t.bucket and d.device_id = t.device_id
            returning d.device_id, d.\(kind)_gen
            """
        drop = """
            with target as materialized (
                select d.bucket, d.device_id, d.\(kind)_token as old_token
                from unnest($1, $2, $3, $4) as r(bucket, device_id, gen, dead_at)
                join device d on d.bucket = r.bucket and d.device_id = r.device_id
                where d.\(kind)_token is not null and d.\(kind)_gen = r.gen
                  and (r.dead_at is null or d.\(kind)_token_at <= r.dead_at)
                order by d.bucket, d.device_id for update of d
            ),
            dropped as materialized (
                select o.digest from target t
                join token_owner o on o.device_id = t.device_id
                 and o.digest = substr(sha256(t.old_token), 1, 15) || substr('\(kind)'::bytea, 1, 1)
                for update of o skip locked
            ),
            freed as (delete from token_owner o using dropped r where o.digest = r.digest)
            update device d set \(kind)_token = null, moved_tokens = d.moved_tokens | \(bit) from target t
            where d.bucket = t.bucket and d.device_id = t.device_id
            """
    }

    /// The two lists are compared by place: the planner expects one row of each, and would join them row by row.
    private static func claim(_ kind: StaticString) -> Statement {
        """
        with call as materialized (
            select substr(sha256(r.token), 1, 15) || substr('\(kind)'::bytea, 1, 1) as digest, r.device_id
            from unnest($1, $2, $3, $4) as r(bucket, device_id, token, client_seq)
            join device d on d.bucket = r.bucket and d.device_id = r.device_id
            where r.token is not null and r.client_seq > d.\(kind)_seq and d.erased_at is null and d.blocked_at is null
        ),
        claimed as (
            insert into token_owner as o (digest, device_id) select digest, device_id from call order by digest
            on conflict (digest) do update set device_id = o.device_id
            returning o.digest, o.device_id
        )
        select m.device_id, m.owner_id
        from unnest((select array_agg(device_id order by digest) from call),
                    (select array_agg(device_id order by digest) from claimed)) as m(device_id, owner_id)
        where m.device_id <> m.owner_id
        """
    }

    private static func release(_ kind: StaticString, _ bit: StaticString) -> Statement {
        """
        update device d set \(kind)_token = null, moved_tokens = d.moved_tokens | \(bit)
        from unnest($1, $2, $3) as r(bucket, device_id, token)
        where d.bucket = r.bucket and d.device_id = r.device_id and d.\(kind)_token = r.token
        returning d.device_id
        """
    }

    private static func own(_ kind: StaticString) -> Statement {
        """
        update token_owner o set device_id = r.device_id from unnest($1, $2) as r(device_id, token)
        where o.digest = substr(sha256(r.token), 1, 15) || substr('\(kind)'::bytea, 1, 1)
        """
    }

    /// Locks the activities of the devices that lose a token, before these devices.
    static let lockActivities: Statement = """
        select a.match_id from unnest($1, $2) as r(bucket, device_id)
        join activity a on a.bucket = r.bucket and a.device_id = r.device_id
        where a.state <> 3
        order by a.bucket, a.device_id, a.match_id
        for update of a
        """

    /// Locks the devices that lose or get a token.
    static let lockDevices: Statement = """
        select d.device_id from unnest($1, $2) as r(bucket, device_id)
        join device d on d.bucket = r.bucket and d.device_id = r.device_id
        order by d.bucket, d.device_id
        for update of d
        """

    /// Ends the activities of devices whose phone has registered as another device, which reports them anew.
    static let endActivities: Statement = """
        update activity a set state = 3, token = '', ending_at = $3, end_reason = 'moved'
        from unnest($1, $2) as r(bucket, device_id)
        where a.bucket = r.bucket and a.device_id = r.device_id and a.state <> 3
        returning a.match_id, a.device_id
        """
}
