-- The record of matches, followers and progress. Large tables carry `bucket` in every key and are ranged over it.

-- Facts that every node asserts at start.
create table meta (
    only_row     boolean primary key default true check (only_row),
    bucket_count integer not null
);
insert into meta (bucket_count) values (1024);

-- Nodes and what they own -------------------------------------------------------------------------------------------

create sequence node_term;

-- A node is alive until expires_at; registering again under the same name gives a new term at once.
create table node (
    node_id    text primary key,
    term       bigint not null unique default nextval('node_term'),
    expires_at timestamptz not null,
    want_share boolean not null default true
);

create table bucket_owner (
    bucket smallint primary key,
    term   bigint not null default 0
) with (fillfactor = 50);
insert into bucket_owner (bucket) select generate_series(0, 1023);

-- Named single-holder duties: polling a feed, a timer's sweep.
create table lease (
    name text primary key,
    term bigint not null
) with (fillfactor = 50);

-- Matches -----------------------------------------------------------------------------------------------------------

create table match (
    match_id    text primary key,
    feed_id     text not null,
    epoch       text not null,
    rev         bigint not null default 0,
    apns_ts     bigint not null default 0,
    -- 0 scheduled, 1 live, 2 break, 3 over
    phase       smallint not null default 0,
    starts_at   timestamptz,
    over_at     timestamptz,
    held_reason text,
    -- Summary for lists: teams, competition, format, score line; written with each publication.
    summary     jsonb not null default '{}',
    created_at  timestamptz not null default now()
) with (fillfactor = 50);

-- What changed, one row a revision, for ever in order; folding it gives the match.
create table journal (
    match_id text not null references match,
    rev      bigint not null,
    at       timestamptz not null,
    kind     text not null,
    item_key text,
    body     jsonb not null,
    primary key (match_id, rev)
);

-- The durable intent to publish: one row for each accepted reply, confirmation and keep-alive.
create table publication (
    match_id  text not null references match,
    rev       bigint not null,
    apns_ts   bigint not null,
    at        timestamptz not null,
    -- When the feed's reply that led to it had been read.
    seen_at   timestamptz not null,
    priority  smallint not null check (priority in (5, 10)),
    alert_key text,
    cause     text not null,
    primary key (match_id, rev)
);

-- Alerts that were told, so that no key is told twice.
create table alert_told (
    match_id text not null references match,
    key      text not null,
    subject  text not null,
    rev      bigint not null,
    primary key (match_id, key, subject)
);

create table feed (
    feed_id       text primary key,
    provider      text not null,
    paused_reason text
);

-- Followers ---------------------------------------------------------------------------------------------------------

create table device (
    device_id       uuid not null,
    created_at      timestamptz not null default now(),
    seen_at         timestamptz not null default now(),
    alert_token_at  timestamptz,
    start_token_at  timestamptz,
    -- The device's own count of its wishes, one for each thing it may set
    alert_seq       bigint not null default 0,
    start_seq       bigint not null default 0,
    alert_gen       integer not null default 0,
    start_gen       integer not null default 0,
    bucket          smallint not null,
    env             smallint not null,
    schema_version  smallint not null default 1,
    -- What a started activity decodes: 0 our own attributes type, 1 the portable one
    start_variant   smallint not null default 0,
    -- Bits: 1 activities allowed, 2 frequent pushes allowed, 4 alerts allowed, 8 broadcast channels (iOS 18)
    abilities       smallint not null default 0,
    credential_hash bytea not null,
    bundle_id       text not null,
    profile         jsonb not null default '{}',
    alert_token     bytea,
    start_token     bytea,
    primary key (bucket, device_id)
) partition by range (bucket);

create table follow (
    device_id   uuid not null,
    changed_at  timestamptz not null default now(),
    client_seq  bigint not null default 0,
    bucket      smallint not null,
    -- 0 no longer wanted, kept so that a late retry cannot revive it; 1 wanted
    wants       smallint not null default 1,
    -- 0 nobody's side, 1 and 2 the match's first and second team
    team_intent smallint not null default 0,
    -- Bits of the alerts wanted: 1 wicket, 2 milestone, 4 result, 8 start
    alerts      smallint not null default 15,
    -- A Live Activity is wanted, not alerts alone
    wants_activity boolean not null default true,
    -- The activity was dismissed by its person: never started by push again
    dismissed   boolean not null default false,
    -- A start was sent and not yet answered by a registration
    start_sent_at timestamptz,
    match_id    text not null,
    primary key (match_id, bucket, device_id)
) partition by range (bucket);
create index follow_of_device on follow (bucket, device_id);

create table activity (
    device_id   uuid not null,
    started_at  timestamptz not null,
    -- When this token or channel was registered; an older word of its death does not hold
    token_at    timestamptz not null,
    -- When the end was decided; what stays at 2 is picked up again by a later sweep
    ending_at   timestamptz,
    client_seq  bigint not null default 0,
    -- The newest revision that the device is known to have had at registration
    known_rev   bigint not null default 0,
    gen         integer not null default 1,
    bucket      smallint not null,
    env         smallint not null,
    -- 1 active, 2 ending, 3 ended
    state       smallint not null default 1,
    -- 0 our own attributes type, 1 the portable one
    variant     smallint not null default 0,
    -- 0 the app, 1 a push
    started_by  smallint not null default 0,
    match_id    text not null,
    activity_id text not null,
    end_reason  text,
    -- Set for an activity on a broadcast channel: it has no token and takes no place in an arena
    channel_id  text,
    token       bytea not null default '',
    primary key (match_id, bucket, device_id),
    check (octet_length(token) <= 256)
) partition by range (bucket);
alter table activity alter column token set storage plain;
-- An app names its activities by their own ids, and reconciles all of a device at once.
create index activity_of_device on activity (device_id);

-- Progress of each match by bucket; never a row per push.
create table fanout (
    match_id text not null,
    bucket   smallint not null,
    term     bigint not null,
    sent_rev bigint not null default 0,
    sent_at  timestamptz not null,
    primary key (match_id, bucket)
) partition by range (bucket);

do $$
begin
    for part in 0..7 loop
        execute format('create table device_%s partition of device for values from (%s) to (%s)',
                       part, part * 128, (part + 1) * 128);
        execute format('create table follow_%s partition of follow for values from (%s) to (%s)',
                       part, part * 128, (part + 1) * 128);
        execute format('create table activity_%s partition of activity for values from (%s) to (%s) with (fillfactor = 85)',
                       part, part * 128, (part + 1) * 128);
        execute format('create table fanout_%s partition of fanout for values from (%s) to (%s) with (fillfactor = 50)',
                       part, part * 128, (part + 1) * 128);
    end loop;
end $$;

-- What changed in activity, written in the same transaction, tailed by transaction id.
create table change (
    xid       xid8 not null default pg_current_xact_id(),
    bucket    smallint not null,
    match_id  text not null,
    device_id uuid not null
);
create index change_by_xid on change (xid);

-- Pushes ------------------------------------------------------------------------------------------------------------

create table channel (
    match_id        text not null,
    env             smallint not null,
    attributes_type text not null,
    -- loud or quiet
    profile         text not null,
    generation      integer not null,
    channel_id      text not null,
    created_at      timestamptz not null default now(),
    retired_at      timestamptz,
    sent_rev        bigint not null default 0,
    sent_at         timestamptz,
    primary key (match_id, env, attributes_type, profile, generation),
    unique (env, channel_id)
) with (fillfactor = 50);

-- One signed provider token for all nodes, so that APNs sees no second one inside 20 minutes.
create table provider_token (
    env       smallint not null,
    key_id    text not null,
    team_id   text not null,
    token     text not null,
    issued_at timestamptz not null,
    primary key (env, key_id, team_id)
);

create table sweep_run (
    kind    text not null,
    slot    text not null,
    at      timestamptz not null default now(),
    -- Null while it runs
    summary jsonb,
    primary key (kind, slot)
);

-- Operators ---------------------------------------------------------------------------------------------------------

create table admin_token (
    token_id    text primary key,
    name        text not null,
    role        text not null,
    secret_hash bytea not null,
    created_at  timestamptz not null default now(),
    expires_at  timestamptz
);

create table audit (
    audit_id   bigint primary key generated always as identity,
    at         timestamptz not null default now(),
    actor      text not null,
    role       text not null,
    action     text not null,
    target     text not null,
    reason     text not null,
    outcome    text not null,
    request_id text not null,
    detail     jsonb not null default '{}'
);
