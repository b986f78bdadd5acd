// The statements of the journal, each beside the reading of its row.

internal import MatchEngine
internal import Postgres
internal import ScoreTypes

/// Statements and row readers of the journal.
enum SQL {
    static let open = Statement(
        """
        insert into match (match_id, feed_id, epoch) values ($1, $2, $3) on conflict (match_id) do nothing
        """
    )

    static let head = Statement(
        """
        select match_id, feed_id, epoch, rev, apns_ts, phase, held_reason,
               (extract(epoch from clock_timestamp() - over_at) * 1000)::bigint, clock_timestamp(),
               silent_since, removed_at, held_at, held_rev
        from match where match_id = $1
        """
    )

    static let heads = Statement(
        """
        select match_id, feed_id, epoch, rev, apns_ts, phase, held_reason,
               (extract(epoch from clock_timestamp() - over_at) * 1000)::bigint, clock_timestamp(),
               silent_since, removed_at, held_at, held_rev
        from match where rev > 0 and (phase < 3 or over_at > clock_timestamp() - make_interval(secs => $1::bigint))
        """
    )

    static let matches = Statement(
        """
        select match_id, feed_id, epoch, rev, apns_ts, phase, held_reason,
               (extract(epoch from clock_timestamp() - over_at) * 1000)::bigint, clock_timestamp(),
               silent_since, removed_at, held_at, held_rev,
               starts_at, over_at, summary
        from match where phase = any ($1::smallint[]) and removed_at is null order by starts_at nulls last, match_id
        """
    )

    static let finished = Statement(
        """
        select m.match_id from match m
        join lateral (
            select p.at from publication p where p.match_id = m.match_id order by p.rev desc limit 1
        ) newest on true
        where m.phase = 3 and m.removed_at is null and newest.at > clock_timestamp() - make_interval(secs => $1::bigint)
        order by newest.at desc, m.match_id limit $2
        """
    )

    static let starting = Statement(
        """
        select match_id, feed_id, epoch, rev, apns_ts, phase, held_reason,
               (extract(epoch from clock_timestamp() - over_at) * 1000)::bigint, clock_timestamp(),
               silent_since, removed_at, held_at, held_rev,
               starts_at, over_at, summary
        from match
        where phase = 0 and rev > 0 and removed_at is null and starts_at < clock_timestamp() + make_interval(secs => $1)
          and starts_at > clock_timestamp() - make_interval(secs => $3)
        order by starts_at, match_id limit $2
        """
    )

    static let entries = Statement(
        "select rev, at, body from journal where match_id = $1 and rev > $2 order by rev limit $3"
    )

    static let statements = Statement(
        """
        select rev, at, body, provider, feed_id, seen_at from journal
        where match_id = $1 and rev > $2 and ($3::text is null or item_key = $3) order by rev limit $4
        """
    )

    static let publications = Statement(
        """
        select p.rev, p.apns_ts, p.at, p.seen_at, p.priority, p.alert_key, p.cause,
               array(select t.key from announced_moment t where t.match_id = p.match_id and t.rev = p.rev
                     order by t.key, t.subject),
               array(select t.subject from announced_moment t where t.match_id = p.match_id and t.rev = p.rev
                     order by t.key, t.subject),
               coalesce((select j.feed_id from journal j where j.match_id = p.match_id and j.rev <= p.rev
                         and j.feed_id <> '' order by j.rev desc limit 1), '')
        from publication p where p.match_id = $1 and p.rev > $2 and p.rev <= $4 order by p.rev desc limit $3
        """
    )

    static let publishedRevision = Statement(
        "select rev from publication where match_id = $1 and rev <= $2 order by rev desc limit 1"
    )

    static let announced = Statement("select key, subject from announced_moment where match_id = $1 order by rev, key")

    static let sincePublication = Statement(
        """
        select (extract(epoch from clock_timestamp() - at) * 1000)::bigint
        from publication where match_id = $1 order by rev desc limit 1
        """
    )

    static let hold = Statement(
        """
        with steered as (
            update match set held_reason = $2, held_at = coalesce(held_at, clock_timestamp()),
                held_rev = coalesce(held_rev, rev)
            where match_id = $1 returning match_id
        )
        select match_id, pg_notify('publication', match_id) from steered
        """
    )

    static let release = Statement(
        """
        with steered as (
            update match set held_reason = null, held_at = null, held_rev = null,
                released_at = case when held_reason is null then released_at else clock_timestamp() end
            where match_id = $1 returning match_id
        )
        select match_id, pg_notify('publication', match_id) from steered
        """
    )

    /// An entry that came from no feed does not count.
    static let lastReport = Statement(
        """
        select (extract(epoch from clock_timestamp() - at) * 1000)::bigint, feed_id
        from journal where match_id = $1 and feed_id <> '' order by rev desc limit 1
        """
    )

    static let lastFeed = Statement(
        """
        select feed_id from journal
        where match_id = $1 and feed_id <> '' and kind in ('innings', 'inserted', 'amended', 'withdrawn')
        order by rev desc limit 1
        """
    )

    static let silence = Statement(
        """
        with steered as (update match set silent_since = $2 where match_id = $1 returning match_id)
        select pg_notify('publication', match_id) from steered
        """
    )

    static let remove = Statement(
        """
        with steered as (
            update match set removed_at = clock_timestamp()
            where match_id = $1 and phase in (0, 3) and removed_at is null returning match_id
        )
        select pg_notify('publication', match_id) from steered
        """
    )

    static let restore = Statement(
        """
        with steered as (
            update match set removed_at = null where match_id = $1 and removed_at is not null returning match_id
        )
        select pg_notify('publication', match_id) from steered
        """
    )

    static let lock = Statement("select rev from match where match_id = $1 for update")

    static let insertEntries = Statement(
        """
        insert into journal (match_id, rev, at, kind, item_key, body, provider, feed_id, seen_at)
        select $1, $2::bigint + item.place, now(), item.kind, item.key, item.body, $6, $7, $8::timestamptz
        from unnest($3::text[], $4::text[], $5::jsonb[]) with ordinality as item (kind, key, body, place)
        """
    )

    static let moveHead = Statement(
        """
        update match set
            rev = $2,
            apns_ts = greatest(floor(extract(epoch from clock_timestamp()))::bigint, apns_ts + 1),
            phase = $3::smallint,
            starts_at = $4::timestamptz,
            over_at = case when $3::smallint = 3 then coalesce(over_at, now()) end,
            summary = $5::jsonb,
            silent_since = case when $6::boolean or $3::smallint = 3 then null else silent_since end,
            removed_at = null,
            epoch = coalesce($8::text, epoch),
            feed_id = case when rev = 0 and $7::text <> '' then $7::text else feed_id end
        where match_id = $1
        returning match_id, feed_id, epoch, rev, apns_ts, phase, held_reason,
                  (extract(epoch from clock_timestamp() - over_at) * 1000)::bigint, clock_timestamp(),
                  silent_since, removed_at, held_at, held_rev
        """
    )

    static let insertPublication = Statement(
        """
        insert into publication (match_id, rev, apns_ts, at, seen_at, priority, alert_key, cause)
        values ($1, $2, $3, now(), $4, $5, $6, $7)
        """
    )

    static let insertAnnounced = Statement(
        """
        insert into announced_moment (match_id, key, subject, rev)
        select $1, item.key, item.subject, $2::bigint from unnest($3::text[], $4::text[]) as item (key, subject)
        on conflict do nothing
        """
    )

    static let notify = Statement("select pg_notify('publication', $1)")

    static func head(_ row: Row) throws -> JournalHead {
        let match = MatchID(unchecked: try row.text(0))
        guard let epoch = Epoch(try row.text(2)) else {
            throw JournalError.unreadable(revision: 0, reason: "match.epoch: expected eight letters or digits")
        }
        return JournalHead(
            match: match,
            feed: FeedID(unchecked: try row.text(1)),
            revision: Revision(epoch: epoch, number: try row.int(3)),
            apnsTimestamp: try row.int(4),
            phase: MatchPhase(stored: try row.int(5)),
            heldReason: try row.textIfPresent(6),
            silentSince: try row.timestampIfPresent(9),
            removedAt: try row.timestampIfPresent(10),
            heldSince: try row.timestampIfPresent(11),
            heldRevision: try row.intIfPresent(12),
            overFor: try row.intIfPresent(7).map { .milliseconds($0) },
            readAt: try row.timestamp(8)
        )
    }

    static func match(_ row: Row) throws -> MatchRow {
        MatchRow(
            head: try head(row),
            startsAt: try row.timestampIfPresent(13),
            overAt: try row.timestampIfPresent(14),
            summary: try row.json(15)
        )
    }

    static func publication(_ row: Row) throws -> PublicationRow {
        PublicationRow(
            revision: try row.int(0),
            apnsTimestamp: try row.int(1),
            at: try row.timestamp(2),
            seenAt: try row.timestamp(3),
            priority: Int(clamping: try row.int(4)),
            alertKey: try row.textIfPresent(5),
            // An unknown cause of a newer server is published as a confirmation.
            cause: PublicationCause(rawValue: try row.text(6)) ?? .confirmation,
            feed: try row.text(9),
            announced: zip(try row.texts(7), try row.texts(8)).map { AnnouncedMoment(key: MomentKey($0), subject: $1) }
        )
    }
}

extension MatchPhase {
    /// The number of column `phase`.
    var stored: Int16 {
        switch self {
        case .scheduled: 0
        case .live: 1
        case .onBreak: 2
        case .over: 3
        }
    }

    /// Reads column `phase`; the phase of a newer server counts as play.
    init(stored: Int64) { self = Self.allCases.first { Int64($0.stored) == stored } ?? .live }
}
