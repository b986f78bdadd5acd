-- Who said what and when, which ids mean the same, what operators said instead, and which feeds are silent.

-- A row's `at` is when it was written; the reply that led to it had been read at `seen_at`.
alter table journal
    add column feed_id  text not null default '',
    add column provider text not null default '',
    add column seen_at  timestamptz;

alter table match
    -- Since when no feed has answered about a match in play; null while one does.
    add column silent_since timestamptz,
    -- When its provider was found to know it no more, before it had begun.
    add column removed_at timestamptz;

-- Ids of providers that stand for ours: matches, teams and players are one across providers only by this table.
create table alias (
    kind        text not null check (kind in ('match', 'team', 'player')),
    provider    text not null,
    provider_id text not null,
    our_id      text not null,
    added_at    timestamptz not null default now(),
    primary key (kind, provider, provider_id)
);

-- What operators said in place of the feed, each until its time is over.
create table match_override (
    match_id   text not null references match,
    field      text not null,
    value      jsonb not null,
    expires_at timestamptz not null,
    actor      text not null,
    reason     text not null,
    created_at timestamptz not null default now(),
    primary key (match_id, field)
);
