-- The schema of score-server. Tables are in the order in which data flows: nodes and their leases, feeds and the
-- journal, devices and follows, activities and channels, progress, sweeps, administration.
--
-- Each table says what it holds, which target writes it, how many rows a final makes, and which code deletes them.
-- The final is a T20 of 250 balls with F = 50,000,000 followers, one device and one activity each. Rows of a match were
-- counted in a played match of 247 balls; sizes are those of 200,000 rows in PostgreSQL 15, fill factor included.
--
-- bucket = hash(device_id) mod 1024, 0 to 1023, the same for ever. It is in the key of every table that grows with the
-- audience, and the unit of ownership, of progress and of partitioning: eight partitions of 128 buckets each.
-- In these tables columns of a fixed width are first, the widest before the others, so that rows have no padding.

-- Facts about the schema ----------------------------------------------------------------------------------------------

-- Holds:   the facts that every node compares with its own at its start.
-- Written: Postgres, with this file.
-- Rows:    1.
-- Deleted: never.
create table meta (
    only_row     boolean primary key default true check (only_row),
    bucket_count integer not null
);
insert into meta (bucket_count) values (1024);

-- Nodes and leases ----------------------------------------------------------------------------------------------------

-- A term is the number of one life of one node. The rows that a node owns have its term, so that a write of an older
-- life is recognised and refused.
create sequence node_term;

-- Holds:   the nodes and how long each may act.
-- Written: Postgres (`Membership`): at a node's start, renewed every second.
-- Rows:    one a node.
-- Deleted: a day after `expires_at`, by the next node that starts.
create table node (
    node_id    text primary key,
    -- Starting again under the same name takes a new term.
    term       bigint not null unique default nextval('node_term'),
    -- The node is alive until then, by the clock of PostgreSQL.
    expires_at timestamptz not null,
    -- When this life began, and the release that it runs.
    since      timestamptz not null default now(),
    version    text not null default '',
    -- What the node reported with its newest renewal: whether it accepts requests, and its open streams.
    is_ready   boolean not null default false,
    streams    integer not null default 0,
    -- Whether it sends pushes: it has a signing key. A node that sends none owns no buckets.
    sends      boolean not null default true,
    -- When an operator drained it, and the seconds over which it ends its streams; null: not drained. A new life of the
    -- node is not drained.
    drained_at    timestamptz,
    drain_seconds integer
);

-- Holds:   the owner of each bucket: the node that sends to its devices.
-- Written: Postgres (`Membership`), when buckets are claimed and released.
-- Rows:    1,024.
-- Deleted: never.
create table bucket_owner (
    bucket smallint primary key,
    -- 0 for none.
    term   bigint not null default 0
) with (fillfactor = 50);
insert into bucket_owner (bucket) select generate_series(0, 1023);

-- Holds:   the term of the node that owns each bucket, by which other targets fence their writes.
create view bucket_term as select bucket, term from bucket_owner;

-- Holds:   the owner of each duty that one node at a time has: polling (`feed:<id>`, `feeds:<group>`), clearing up
--          channels (`channels`), sweeping (`sweep:<kind>`).
-- Written: Postgres (`Membership`), when a lease is acquired.
-- Rows:    one a feed, one a group of feeds, 2 others.
-- Deleted: when its holder releases it; a lease of a dead term stays and is taken over.
create table lease (
    name text primary key,
    term bigint not null
) with (fillfactor = 50);

-- Feeds and the journal -----------------------------------------------------------------------------------------------

-- Holds:   the feeds that an operator paused at least once.
-- Written: ScoreIngest, for an operator's pause and resume.
-- Rows:    at most one a feed.
-- Deleted: never.
create table feed (
    feed_id       text primary key,
    provider      text not null,
    -- Null: not paused.
    paused_reason text
);

-- Holds:   our ids of providers' ids, so that two feeds report the same match, team or player.
-- Written: ScoreIngest, for an operator and for `score-server aliases import`.
-- Rows:    as many as operators enter, at most 200,000; a final of two feeds needs one match, two teams, 30 players.
-- Deleted: by an operator.
create table alias (
    kind        text not null check (kind in ('match', 'team', 'player')),
    provider    text not null,
    provider_id text not null,
    our_id      text not null,
    added_at    timestamptz not null default now(),
    primary key (kind, provider, provider_id)
);

-- Holds:   the head of each match: its newest revision, its phase and the decisions of operators about it.
-- Written: MatchJournal, by the node that holds the lease of the match's feed, in the transaction of each append;
--          by any node when an operator holds or releases the match.
-- Rows:    one a match, about 600 bytes.
-- Deleted: `EndedMatches`, `match.retention.days` after its end, with all rows of the match in one transaction; never
--          while it is held, followed or has activities.
create table match (
    match_id     text primary key,
    -- The feed of the first revision.
    feed_id      text not null,
    -- Eight letters or digits; with `rev` it orders all states of the match.
    epoch        text not null,
    -- The newest revision: the number of rows in the journal.
    rev          bigint not null default 0,
    -- `aps.timestamp` of the newest revision: Unix time in seconds, strictly increasing within the match.
    apns_ts      bigint not null default 0,
    -- 0 scheduled, 1 live, 2 break, 3 over.
    phase        smallint not null default 0,
    starts_at    timestamptz,
    over_at      timestamptz,
    -- When an operator held the match, why, and the revision that it shows until it is released; null: not held.
    held_reason  text,
    held_at      timestamptz,
    held_rev     bigint,
    -- When an operator released it last. Nothing was sent while it was held, so silence counts from here.
    released_at  timestamptz,
    -- Since when no feed has answered about a match in play; null while one does.
    silent_since timestamptz,
    -- When its provider no longer listed it, before its start or after its end; null while it is listed.
    removed_at   timestamptz,
    -- The fields of lists: teams, competition, format, score line.
    summary      jsonb not null default '{}',
    created_at   timestamptz not null default now()
) with (fillfactor = 50);

-- Holds:   the columns of a match that other targets read: its phase, its times, and whether an operator holds it.
create view match_state as
select match_id, phase, starts_at, over_at, removed_at, held_reason, released_at from match;

-- Holds:   the matches that have ended, and since when: those that are over, and those dropped before their start.
create view ended_match as
select match_id, case phase when 3 then over_at else removed_at end as ended_at
from match
where phase = 3 or phase = 0 and removed_at is not null;

-- Holds:   the values that operators set in place of the feed's, each for a limited time.
-- Written: MatchJournal: by any node for an operator; `feed_says` by the node that holds the feed's lease.
-- Rows:    at most one a field of a match that an operator corrects: status, target, result, start.
-- Deleted: MatchJournal, when the override has expired or was lifted and the feed's value is journalled again, and with
--          its match.
create table match_override (
    match_id   text not null references match,
    field      text not null,
    value      jsonb not null,
    -- 1970 when an operator lifted it.
    expires_at timestamptz not null,
    actor      text not null,
    reason     text not null,
    created_at timestamptz not null default now(),
    -- The feed's value meanwhile, which returns with the end of the override; null until the feed reported one.
    feed_says  jsonb,
    primary key (match_id, field)
);

-- Holds:   every accepted change of a match. Folding a match's rows in order of `rev` gives the match.
-- Written: MatchJournal, by the node that holds the lease of the match's feed; one transaction for all changes of a
--          reply.
-- Rows:    1.15 a ball: 290 a T20 (247 balls made 284), about 600 bytes each.
-- Deleted: with its match.
create table journal (
    match_id text not null references match,
    rev      bigint not null,
    -- When the row was written.
    at       timestamptz not null,
    -- inserted, amended, withdrawn (a delivery), innings, inningsWithdrawn, info, status, result, confirmed, keepAlive.
    kind     text not null,
    -- The delivery, the ordinal of the innings or the confirmed moments; null for a change of the match as a whole.
    item_key text,
    body     jsonb not null,
    -- The source of the change; empty for a change without a source, such as a keep-alive.
    feed_id  text not null default '',
    provider text not null default '',
    -- When the reply with the change was read completely.
    seen_at  timestamptz,
    primary key (match_id, rev)
);

-- Holds:   the intent to publish a revision: the only durable trigger of everything that is sent.
-- Written: MatchJournal, in the transaction of the journal rows that it publishes.
-- Rows:    one an append (accepted reply, confirmed moment, keep-alive): 280 a T20, about 90 bytes each.
-- Deleted: with its match.
create table publication (
    match_id  text not null references match,
    rev       bigint not null,
    -- `aps.timestamp`: Unix time in seconds.
    apns_ts   bigint not null,
    at        timestamptz not null,
    -- When the reply with the newest change was read completely.
    seen_at   timestamptz not null,
    -- `apns-priority`.
    priority  smallint not null check (priority in (5, 10)),
    -- The moment that alerts; null for a silent publication.
    alert_key text,
    -- reply, confirmation, keepAlive.
    cause     text not null,
    primary key (match_id, rev)
);

-- Holds:   the moments that were announced or were too old to be, so that none is announced twice.
-- Written: MatchJournal, in the transaction of the publication that announces them.
-- Rows:    about 25 a T20 (22 in the played match): wickets, milestones, innings, result.
-- Deleted: with its match.
create table announced_moment (
    match_id text not null references match,
    -- The moment, for example `w:1:4` for the fourth wicket of the first innings.
    key      text not null,
    -- The person or side of the moment: a withdrawn wicket renumbers the later ones, their batters stay the same.
    subject  text not null,
    -- The revision that announced it.
    rev      bigint not null,
    primary key (match_id, key, subject)
);

-- Holds:   how many moments each feed reported, and how many of them were wrong, by the age in whole seconds at which the
--          mistake was last reported; from these counts follows how long an alert waits.
-- Written: MatchJournal (`EvidenceService`), every 30 seconds for the matches of a node.
-- Rows:    at most 27 a feed and kind of moment, 243 a feed; a final adds none.
-- Deleted: never; counts are halved when a kind has more than 4,000 moments.
create table correction (
    feed_id text not null,
    -- caught, bowled, lbw, stumped, run_out, other_dismissal, milestone, innings, match.
    kind    text not null,
    -- -1: moments that were reported; 0 to 24: mistakes; 25: mistakes that were left for longer.
    age     smallint not null,
    count   bigint not null,
    primary key (feed_id, kind, age)
);

-- Holds:   alerts whose moment was withdrawn later, with what had confirmed it.
-- Written: MatchJournal (`EvidenceService`).
-- Rows:    one in a thousand alerts by the default target.
-- Deleted: all but the newest 10,000, whenever one is added.
create table revoked_alert (
    id               bigint generated always as identity primary key,
    at               timestamptz not null default clock_timestamp(),
    -- Seconds from the first report of the moment to its confirmation, and to the last reply that had it.
    waited           bigint not null,
    last_reported_at bigint not null,
    match_id         text not null,
    feed_id          text not null,
    kind             text not null,
    alert_key        text not null,
    title            text not null,
    body             text not null,
    -- final, next_ball, new_batter, second_feed, unchanged, bound.
    confirmed_by     text not null
);

-- Devices and follows -------------------------------------------------------------------------------------------------

-- Holds:   the installations of apps: credential, tokens of the device, quiet hours.
-- Written: FollowService, for calls of the device and orders of operators; a token is set to null when APNs rejects it.
-- Rows:    F = 50,000,000 at 480 bytes (51 in indexes): 24 GB (2.5). They grow with installations, not with matches.
--          A token for widgets adds its length, and 40 bytes in an index.
-- Deleted: an erasure empties the row; `ErasedDevices` deletes it 30 days later, 1,000 a sweep. `IdleDevices` erases
--          devices without a call for `device.retention.days`.
create table device (
    device_id       uuid not null,
    created_at      timestamptz not null default now(),
    seen_at         timestamptz not null default now(),
    alert_token_at  timestamptz,
    start_token_at  timestamptz,
    widget_token_at timestamptz,
    -- When the app last compared its activities with the server, exact to an hour; null: never.
    reconciled_at   timestamptz,
    -- When the device was erased. The row then refuses late calls of the device.
    erased_at       timestamptz,
    -- Since when an operator blocks the device: its calls are refused, and it has no token; null: not blocked.
    blocked_at      timestamptz,
    -- When the device was last blocked, unblocked, revoked or erased. Each node reads the newest ones every second,
    -- forgets their credentials in memory and ends the streams of those that are refused.
    access_at       timestamptz,
    -- Since when an operator may send test notifications to the device; null: never.
    tester_at       timestamptz,
    -- Counters of the device, one for each kind of token that it sets; a call with a lower one changes nothing.
    alert_seq       bigint not null default 0,
    start_seq       bigint not null default 0,
    widget_seq      bigint not null default 0,
    -- Of the newest whole list of follows: it withdraws an older follow of a match that it does not name.
    list_seq        bigint not null default 0,
    -- Of the newest change of the profile.
    profile_seq     bigint not null default 0,
    -- Counters of the server, one step for each new token; a rejection of an older token changes nothing.
    alert_gen       integer not null default 0,
    start_gen       integer not null default 0,
    widget_gen      integer not null default 0,
    bucket          smallint not null,
    -- APNs environment of the tokens: 0 sandbox, 1 production.
    env             smallint not null,
    -- Version of the content state that the app decodes.
    schema_version  smallint not null default 1,
    -- The attributes type of activities started by push: 0 our own, 1 the portable one.
    start_variant   smallint not null default 0,
    -- Bits: 1 activities allowed, 2 frequent pushes allowed, 4 alerts allowed, 8 broadcast channels (iOS 18).
    abilities       smallint not null default 0,
    -- Quiet hours: minutes after midnight in the phone's time zone; both or neither.
    quiet_from      smallint,
    quiet_until     smallint,
    -- Bits of the tokens that another device or a block has taken, or that Apple has rejected, and that this device has
    -- not registered since: 1 for notifications, 2 for push-to-start, 4 for widgets.
    moved_tokens    smallint not null default 0,
    -- Empty: an operator revoked the credential, or the device was erased.
    credential_hash bytea not null,
    -- The credential that the newest rotation replaced, and the time until which it is valid.
    replaced_hash   bytea,
    replaced_until  timestamptz,
    -- The hash of that rotation's Idempotency-Key, and random bytes: the replaced secret, the key and these bytes give
    -- the new secret, so that every node repeats a lost answer and no secret is stored.
    rotation_key    bytea,
    rotation_salt   bytea,
    bundle_id       text not null,
    -- Facts that the app reports: versions, time zone.
    profile         jsonb not null default '{}',
    -- Tokens of at most 256 bytes for notifications, for push-to-start and for widgets; null: none. A device has one
    -- for widgets while a widget of the app is on its screens.
    alert_token     bytea,
    start_token     bytea,
    widget_token    bytea,
    -- Activities that were dismissed before they were registered, by id, with the counter of the dismissal; at most 16.
    early_ends      jsonb,
    primary key (bucket, device_id),
    check ((quiet_from is null) = (quiet_until is null))
) partition by range (bucket);
-- Few devices have no sound, quiet hours, no frequent pushes or early ends, or are blocked; each registration of an
-- activity looks its device up here.
create index device_of_exception on device (bucket, device_id)
    where quiet_from is not null or abilities & 6 <> 6 or early_ends is not null or blocked_at is not null;
-- The devices whose widgets are reloaded by push: a part of the installations.
create index device_of_widget on device (bucket, device_id) where widget_token is not null;
create index device_erased on device (erased_at) where erased_at is not null;
create index device_access on device (access_at) where access_at is not null;

-- Holds:   the device of each token for notifications, push-to-start and widgets: a token belongs to one device.
-- Written: FollowService, in the transaction that registers the token. A registration by another device moves it.
-- Rows:    one a token, 2F = 100,000,000 at 68 bytes (51 in the index): 6.8 GB (5.1). They grow with installations.
-- Deleted: when its device replaces or removes the token, when APNs rejects it, and with an erasure.
create table token_owner (
    device_id uuid not null,
    -- The first 15 bytes of the token's SHA-256 and the first letter of its kind. The first six are its fingerprint in
    -- logs, so that this index finds the device of one. The key is no device, so there are no buckets.
    digest    bytea primary key
);

-- Holds:   the matches that each device follows, and the alerts that it wants.
-- Written: FollowService, for calls of the device; `start_sent_at` before each push-to-start.
-- Rows:    F = 50,000,000 a final at 110 bytes (130 in indexes): 5.5 GB (6.5). A withdrawn follow keeps its row.
-- Deleted: `FinishedMatches`, 48 hours after the end of the match, 1,000 rows a transaction and 10,000 a sweep: at one
--          sweep a minute 3.5 days for F. An erasure deletes the rows of its device at once.
create table follow (
    device_id      uuid not null,
    changed_at     timestamptz not null default now(),
    -- Counter of the device at the newest change; a call with a lower one changes nothing.
    client_seq     bigint not null default 0,
    -- The counter with which following began last: an older dismissal belongs to an earlier follow.
    since_seq      bigint not null default 0,
    -- Counter of the newest dismissal of an activity of the match; null: none.
    dismissed_seq  bigint,
    bucket         smallint not null,
    -- 1 followed; 0 withdrawn, kept so that a late retry does not revive it.
    wants          smallint not null default 1,
    -- 0 neither side, 1 and 2 the match's first and second team.
    team_intent    smallint not null default 0,
    -- Bits of the moments that alert: 1 wicket, 2 milestone, 4 result, 8 start.
    alerts         smallint not null default 15,
    -- Bits: 1 widget, 2 control, 4 lock accessory, 8 standby. Apps read these; with 1 the match is on the device's
    -- widgets, which are then reloaded by push.
    surfaces       smallint not null default 15,
    -- True: a Live Activity, not notifications alone.
    wants_activity boolean not null default true,
    -- The person dismissed the activity after following began: it is not started by push again.
    dismissed      boolean not null generated always as (coalesce(dismissed_seq >= since_seq, false)) stored,
    -- When a push-to-start was sent that no registration has answered yet; null: none.
    start_sent_at  timestamptz,
    -- When the activity was started again because it was stuck, which happens once; null: never.
    restarted_at   timestamptz,
    match_id       text not null,
    -- The channel of that start, once APNs has accepted it: it counts as an activity until the device reports one or
    -- reports that it has none. Null: a start on a token, or none.
    start_channel  text,
    primary key (match_id, bucket, device_id)
) partition by range (bucket);
create index follow_of_device on follow (bucket, device_id);
-- Few people choose moments or a side; each registration of an activity looks its follow up here.
create index follow_of_choice on follow (bucket, device_id, match_id) where alerts <> 15 or team_intent <> 0;

-- Activities and channels ---------------------------------------------------------------------------------------------

-- Holds:   the Live Activity of a device for a match, with its token or its channel.
-- Written: FollowService, by any node: registered by the app, ended by the app, by APNs' rejections and by sweeps.
--          Never by a push: progress is in `fanout` and `channel`.
-- Rows:    F = 50,000,000 a final at 293 bytes with a token of 80 bytes, 228 on a channel (91 in indexes): 11.4 to
--          14.6 GB (4.6).
-- Deleted: `FinishedMatches`, 12 hours after the end of the match, 1,000 rows a transaction and 10,000 a sweep: at one
--          sweep a minute 3.5 days for F.
create table activity (
    device_id   uuid not null,
    started_at  timestamptz not null,
    -- When this token or channel was registered; a rejection that APNs dates before it changes nothing.
    token_at    timestamptz not null,
    -- When the end was decided or reported; a row that stays in state 2 is picked up by a later sweep.
    ending_at   timestamptz,
    -- Counter of the device; a call with a lower one changes nothing.
    client_seq  bigint not null default 0,
    -- The newest revision that the device had at its registration.
    known_rev   bigint not null default 0,
    -- One step for each registration; an answer of APNs for an older one changes nothing.
    gen         integer not null default 1,
    bucket      smallint not null,
    -- APNs environment of the token: 0 sandbox, 1 production.
    env         smallint not null,
    -- 1 active, 2 ending, 3 ended.
    state       smallint not null default 1,
    -- 0 our own attributes type, 1 the portable one.
    variant     smallint not null default 0,
    -- 0 the app, 1 a push.
    started_by  smallint not null default 0,
    -- Bits of the moments that alert, as in `follow.alerts`; 16 and 32: those of the first or second side only;
    -- 64: the device does not allow frequent pushes. A copy of `follow` and `device`, without moments for a device
    -- without sound, so that the fan-out reads one table.
    wish        smallint not null default 15,
    match_id    text not null,
    -- ActivityKit's id of the activity.
    activity_id text not null,
    -- ActivityKit's id of the activity that the newest registration replaced; null: none.
    replaced_id text,
    end_reason  text,
    -- The broadcast channel of the activity; it then has no token and no place in an arena.
    channel_id  text,
    token       bytea not null default '',
    -- The columns of a fixed width are first: a registration then costs PostgreSQL a third less.
    primary key (bucket, device_id, match_id),
    check (octet_length(token) <= 256)
) partition by range (bucket);
-- Tokens do not compress.
alter table activity alter column token set storage plain;
-- The tokens of a match, for arenas and sweeps.
create index activity_of_match on activity (match_id, bucket);
-- Ends that were decided and not answered, for the sweep.
create index activity_ending on activity (ending_at) where state = 2;

-- Holds:   the matches that have activities: one index probe a match, whatever the number of activities.
create view shown_match as
with recursive step(match_id) as (
    (select match_id from activity order by match_id limit 1)
    union all
    select (select a.match_id from activity a where a.match_id > s.match_id order by a.match_id limit 1)
    from step s where s.match_id is not null
)
select match_id from step where match_id is not null;

-- Holds:   the devices whose activities a transaction changed. Nodes that hold tokens in memory read it by `xid`.
-- Written: FollowService, in the transaction that changes `activity`, one row a match.
-- Rows:    one a batch of registrations: 25,000 for F in full batches of 2,000; at most 120,000 a node when they come
--          within ten minutes (two lanes, a batch every 10 ms). Their lists hold 18 bytes a registration: 0.9 GB for F.
-- Deleted: by each node, the rows that it read 30 minutes ago; `change_dropped` has the bound.
create table change (
    xid      xid8 not null default pg_current_xact_id(),
    match_id text not null,
    -- Two lists of the same length.
    buckets  smallint[] not null,
    devices  uuid[] not null
);
-- Ids do not compress.
alter table change alter column devices set storage external, alter column buckets set storage external;
create index change_by_xid on change (xid);

-- Holds:   the transaction below which rows of `change` were deleted. A node that has not read up to it reads
--          `activity` again.
-- Written: FollowService, with each deletion from `change`.
-- Rows:    1.
-- Deleted: never.
create table change_dropped (
    only_row boolean primary key default true check (only_row),
    -- Changes of older transactions are gone.
    below    xid8 not null default '0'
) with (fillfactor = 50);
insert into change_dropped default values;

-- Holds:   the broadcast channels of matches, and the newest broadcast on each.
-- Written: FollowService, by the node that owns the match's own bucket.
-- Rows:    environments x attributes types x profiles x generations: 1 x 2 x 2 x 1 = 4 a final, 8 when an activity
--          outlives 7.5 hours.
-- Deleted: FollowService, for the node with the lease `channels`: eight hours after the end of the match and the last
--          broadcast, eight hours after the channel was retired, and before its first use when Apple's limit allows no
--          channel for a match that begins sooner.
create table channel (
    match_id        text not null,
    -- 0 sandbox, 1 production.
    env             smallint not null,
    attributes_type text not null,
    -- loud (alerts of the default moments) or quiet (none).
    profile         text not null,
    -- 1, 2, ...: an activity lives eight hours, so a longer match moves its activities to a new channel.
    generation      integer not null,
    -- Apple's id.
    channel_id      text not null,
    -- Whether Apple stores its newest message for phones that join later: 0 no, 1 yes. Apple never changes it.
    storage         smallint not null default 0,
    created_at      timestamptz not null default now(),
    -- When its first activity was started or reported; null: no activity is on it. The eight hours count from here.
    opened_at       timestamptz,
    -- When the next generation was opened: no activity starts on this channel any more; broadcasts go on, silently.
    superseded_at   timestamptz,
    -- When the channel was retired: no activity starts on it and nothing is broadcast on it any more.
    retired_at      timestamptz,
    -- The newest revision that APNs accepted, and when.
    sent_rev        bigint not null default 0,
    sent_at         timestamptz,
    -- The newest revision whose broadcast with an alert got no answer: APNs may have processed it. Its state is
    -- broadcast again, without the alert.
    alert_rev       bigint not null default 0,
    -- When an end was broadcast because of silence; a later `sent_at` begins the next silence.
    swept_at        timestamptz,
    primary key (match_id, env, attributes_type, profile, generation),
    unique (env, channel_id)
) with (fillfactor = 50);

-- Holds:   the channels that followers need: each is created when its match begins within 48 hours.
-- Written: FollowService, with the first answer to a device with channels that has no channel for a followed match.
-- Rows:    at most environments x attributes types x profiles: 4 a final, whatever the audience.
-- Deleted: FollowService, for the node with the lease `channels`, after the end of the match.
create table channel_request (
    match_id        text not null,
    env             smallint not null,
    attributes_type text not null,
    profile         text not null,
    requested_at    timestamptz not null,
    primary key (match_id, env, attributes_type, profile)
);

-- Holds:   the signed provider token that all nodes use: APNs refuses a second one within 20 minutes.
-- Written: FollowService, by the first node that finds it more than 30 minutes old.
-- Rows:    one an environment and signing key.
-- Deleted: never; it is replaced.
create table provider_token (
    env        smallint not null,
    key_id     text not null,
    team_id    text not null,
    -- SHA-256 of the public key: a token of a wrong key file under this id is not used once the file is right.
    key_digest bytea not null,
    -- A secret: the JSON Web Token of the `authorization` header.
    token      text not null,
    -- The time inside the token.
    issued_at  timestamptz not null,
    primary key (env, key_id, team_id, key_digest)
);

-- Progress ------------------------------------------------------------------------------------------------------------

-- Holds:   the revision up to which each bucket of a match was sent. Nothing is written per push.
-- Written: FollowService, by the bucket's owner, once a bucket and revision, in one statement every 200 ms (25 ms while
--          an alert is under way).
-- Rows:    1,024 a match, whatever the audience, 70 bytes each.
-- Deleted: `FinishedMatches`, 12 hours after the end of the match, with the last of its activities.
create table fanout (
    match_id text not null,
    bucket   smallint not null,
    -- Of the owner; a report of another term is refused.
    term     bigint not null,
    -- The newest revision that every token of the bucket has an answer for, and when the last one came.
    sent_rev bigint not null default 0,
    sent_at  timestamptz not null,
    -- The newest revision whose moments were sent as notifications.
    alert_rev bigint not null default 0,
    -- Devices without `sent_rev`, because APNs answered 429 or 5xx: the owner of the bucket retries them, and so does
    -- its successor. Null in most rows.
    owed     uuid[],
    primary key (match_id, bucket)
) partition by range (bucket);

-- Partitions ----------------------------------------------------------------------------------------------------------

-- By default PostgreSQL vacuums a table when a fifth of it is dead: a million rows in a partition of `activity` after a
-- final. `fanout` changes with every ball.
do $$
begin
    for part in 0..7 loop
        execute format('create table device_%s partition of device for values from (%s) to (%s)',
                       part, part * 128, (part + 1) * 128);
        execute format('create table follow_%s partition of follow for values from (%s) to (%s)',
                       part, part * 128, (part + 1) * 128);
        execute format('create table activity_%s partition of activity for values from (%s) to (%s) '
                       'with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02)',
                       part, part * 128, (part + 1) * 128);
        execute format('create table fanout_%s partition of fanout for values from (%s) to (%s) '
                       'with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01)',
                       part, part * 128, (part + 1) * 128);
    end loop;
end $$;

-- Sweeps --------------------------------------------------------------------------------------------------------------

-- Holds:   the sweeps that ran, so that a timer, an operator and a scheduler run a slot once, and how they went.
-- Written: FollowService (`SweepRecords`), with the lease of the sweep.
-- Rows:    one a slot: 1,440 a day for each of three timers of a minute, 24 for that of an hour.
-- Deleted: by a later sweep of the kind, after 24 hours; the newest successful one stays.
create table sweep_run (
    kind    text not null,
    -- The time of the sweep as text: `timer-<Unix seconds>`, `run-<Unix milliseconds>` of an operator, or the slot that
    -- a scheduler sends.
    slot    text not null,
    at      timestamptz not null default now(),
    -- `timer:<node>`, `scheduler:<name>` or `token:<name>`.
    caller  text not null default '',
    -- Null while it runs, and after a failure.
    summary jsonb,
    -- Why it failed: the slot may then be run again. Null: it did not.
    error   text,
    primary key (kind, slot)
);

-- Administration ------------------------------------------------------------------------------------------------------

-- Holds:   the bearer tokens of the internal listener, and the sessions of browsers that were opened with one.
-- Written: ScoreServer, by route and by command.
-- Rows:    one an operator, scheduler, scraper or open browser.
-- Deleted: 30 days after its end, by the hourly upkeep of the audit log.
create table admin_token (
    token_id     text primary key,
    -- Null: a token. Else the token that opened this session, which ends with it.
    parent_id    text references admin_token on delete cascade,
    name         text not null,
    -- viewer, operator, admin, scheduler, metrics.
    role         text not null,
    -- SHA-256 of the secret, which is shown once and never stored.
    secret_hash  bytea not null,
    created_by   text not null,
    created_at   timestamptz not null,
    expires_at   timestamptz not null,
    -- Exact to a minute.
    last_used_at timestamptz,
    revoked_at   timestamptz
);

-- Holds:   the switches that operators changed; one without a row has its default.
-- Written: ScoreServer, with a notification on `flags` that all nodes receive.
-- Rows:    one a switch: 6.
-- Deleted: never.
create table flag (
    name       text primary key,
    -- A JSON value of the switch's type.
    value      text not null,
    -- One step for each change.
    revision   bigint not null,
    -- When the default applies again; null: never.
    expires_at timestamptz,
    changed_at timestamptz not null,
    changed_by text not null,
    reason     text not null
);

-- Holds:   the changed log levels, each for at most an hour.
-- Written: ScoreServer, with a notification on `flags` that all nodes receive.
-- Rows:    at most 50.
-- Deleted: with the next change after their end.
create table log_level (
    -- The beginning of the components; empty for all.
    component  text not null,
    -- Only lines about this match, and only on this node; empty for all.
    match_id   text not null,
    node_id    text not null,
    -- trace, debug, info, notice, warning, error, critical.
    level      text not null,
    expires_at timestamptz not null,
    changed_by text not null,
    reason     text not null,
    primary key (component, match_id, node_id)
);

-- Holds:   the head of the audit log, which a writer locks, and the end of the part that was deleted.
-- Written: ScoreServer, with each entry; the anchor by `forget_audit` alone.
-- Rows:    1.
-- Deleted: never.
create table audit_chain (
    only_row      boolean primary key default true check (only_row),
    head_number   bigint not null default 0,
    head_hash     bytea not null default '\x',
    -- Number and hash of the last deleted entry; 0 and empty: none was deleted.
    anchor_number bigint not null default 0,
    anchor_hash   bytea not null default '\x'
) with (fillfactor = 50);
insert into audit_chain default values;

-- Holds:   every write of operators, schedulers, commands and timers, and refused attempts; each entry has the hash of
--          the entry before it, so that a changed, deleted, inserted or moved one is found.
-- Written: ScoreServer: in the transaction of the change where that is in the database, else one entry with the
--          intent before it and one with the outcome after it. No entry is updated.
-- Rows:    1 or 2 an action; at most one a minute for sweeps that changed something.
-- Deleted: `forget_audit`, once an hour, entries older than `audit.retention.days`.
create table audit (
    -- 1, 2, ... without a gap.
    audit_id   bigint primary key,
    at         timestamptz not null,
    actor      text not null,
    -- The id of the actor's token; empty for others.
    actor_id   text not null,
    role       text not null,
    -- api, ui, cli, scheduler, system.
    via        text not null,
    -- The network of the client: 24 bits of IPv4, 48 of IPv6; empty for others.
    address    text not null,
    action     text not null,
    target     text not null,
    reason     text not null,
    -- intended, done, failed, denied.
    outcome    text not null,
    request_id text not null,
    -- JSON objects as text, since the hash covers their bytes; null: the action has no such state.
    before     text,
    after      text,
    detail     text not null,
    prev_hash  bytea not null,
    -- SHA-256 of prev_hash and the JSON array of all columns above it.
    hash       bytea not null
);
create index audit_by_action on audit (action, audit_id);

-- Deletes the oldest entries of the audit log, at most so many, and moves the anchor: the role of the server has no
-- right to delete entries itself. Returns the number and hash of the last deleted entry, and how many were deleted.
create function forget_audit(age interval, most integer, out through bigint, out through_hash bytea, out deleted bigint)
language plpgsql security definer set search_path from current as $$
begin
    if age < interval '30 days' then
        raise exception 'entries of the last 30 days are never deleted';
    end if;
    perform 1 from audit_chain for update;
    select o.audit_id, o.hash into through, through_hash
    from (select a.audit_id, a.hash, a.at from audit a order by a.audit_id limit most) o
    where o.at < now() - age order by o.audit_id desc limit 1;
    deleted := 0;
    if through is null then return; end if;
    delete from audit a where a.audit_id <= through;
    get diagnostics deleted = row_count;
    update audit_chain set anchor_number = through, anchor_hash = through_hash;
end $$;

-- Grants --------------------------------------------------------------------------------------------------------------

-- The role `score_server` may do what a node does, and of the audit log only append and read. A login that is a member
-- of it and owns nothing cannot change an entry; see docs/operations.md. It is a role of the whole cluster, hence it may
-- exist already, and a login without the right to create roles leaves it out.
do $$
begin
    create role score_server nologin;
exception when duplicate_object or unique_violation or insufficient_privilege then null;
end $$;
do $$
begin
    if not exists (select from pg_roles where rolname = 'score_server') then return; end if;
    grant select, insert, update, delete on all tables in schema public to score_server;
    grant usage on all sequences in schema public to score_server;
    revoke update, delete on audit, audit_chain from score_server;
    revoke insert on audit_chain from score_server;
    grant update (head_number, head_hash) on audit_chain to score_server;
    revoke execute on function forget_audit from public;
    grant execute on function forget_audit to score_server;
end $$;
