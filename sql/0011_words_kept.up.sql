-- What comes back when an operator's word ends, and what a held match shows meanwhile.

alter table match_override
    -- What the feed says in the meantime; null until the match's writer has looked.
    add column feed_says jsonb;

alter table match
    -- Since when an operator holds the match, and the revision that it shows until it is let go.
    add column held_at  timestamptz,
    add column held_rev bigint;
update match set held_at = now(), held_rev = rev where held_reason is not null;
