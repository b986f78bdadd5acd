// The SQL of follows.

internal import Postgres

enum FollowStatements {
    private static let columns: StaticString = """
        f.match_id, f.device_id, f.wants, f.team_intent, f.alerts, f.wants_activity, f.dismissed, f.client_seq,
        f.changed_at, f.surfaces
        """

    /// Writes follows and unfollows; returns the written rows, and whether each began a follow.
    ///
    /// A follow after an unfollow clears an earlier start, and a dismissal with a lower client sequence.
    static let put: Statement = """
        insert into follow as f (match_id, bucket, device_id, wants, team_intent, alerts, wants_activity, client_seq,
                                 surfaces, changed_at, since_seq)
        select match_id, bucket, device_id, wants, team_intent, alerts, wants_activity, client_seq, surfaces, $10,
               client_seq
        from unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)
             as r(match_id, bucket, device_id, wants, team_intent, alerts, wants_activity, client_seq, surfaces)
        on conflict (match_id, bucket, device_id) do update set
            wants = excluded.wants, client_seq = excluded.client_seq, changed_at = excluded.changed_at,
            team_intent = case excluded.wants when 1 then excluded.team_intent else f.team_intent end,
            alerts = case excluded.wants when 1 then excluded.alerts else f.alerts end,
            wants_activity = case excluded.wants when 1 then excluded.wants_activity else f.wants_activity end,
            surfaces = case excluded.wants when 1 then excluded.surfaces else f.surfaces end,
            since_seq = case when f.wants = 0 and excluded.wants = 1 then excluded.client_seq else f.since_seq end,
            start_sent_at = case when f.wants = 0 and excluded.wants = 1 then null else f.start_sent_at end,
            start_channel = case when f.wants = 0 and excluded.wants = 1 then null else f.start_channel end
        where excluded.client_seq > f.client_seq
        returning \(columns), f.since_seq = f.client_seq
        """

    static let stored: Statement = """
        select \(columns) from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join follow f on f.match_id = r.match_id and f.bucket = r.bucket and f.device_id = r.device_id
        """

    /// The number of matches that are not over and that each device follows, and whether it follows this one.
    static let counts: Statement = """
        select r.place, count(*) filter (where m.phase is distinct from 3),
               coalesce(bool_or(f.match_id = r.match_id), false)
        from unnest($1, $2, $3) with ordinality as r(match_id, bucket, device_id, place)
        join follow f on f.bucket = r.bucket and f.device_id = r.device_id and f.wants = 1
        left join match_state m on m.match_id = f.match_id
        group by r.place
        """

    /// How many of some matches are not over.
    static let countUnfinished: Statement = """
        select count(*) from unnest($1::text[]) as r(match_id)
        left join match_state m on m.match_id = r.match_id
        where m.phase is distinct from 3
        """

    /// Erasures and lists of devices, locked until the transaction ends.
    static let deviceStates: Statement = """
        select d.device_id, d.erased_at is not null, d.list_seq
        from unnest($1, $2) as r(bucket, device_id)
        join device d on d.bucket = r.bucket and d.device_id = r.device_id
        order by d.bucket, d.device_id
        for share of d
        """

    /// The same for one device, before its list changes.
    static let lockDeviceState: Statement = """
        select d.device_id, d.erased_at is not null, d.list_seq from device d
        where d.bucket = $1 and d.device_id = $2
        for update
        """

    static let noteList: Statement =
        "update device set list_seq = $3 where bucket = $1 and device_id = $2 and list_seq < $3"

    static let list: Statement = """
        select \(columns) from follow f where f.bucket = $1 and f.device_id = $2 and f.wants = 1
        order by f.match_id
        """

    /// All follows of a device, also ended ones, locked in the order of the key.
    static let lockAll: Statement = """
        select \(columns) from follow f where f.bucket = $1 and f.device_id = $2
        order by f.match_id
        for update
        """
}

extension Row {
    /// Reads the ten columns that every statement on follows gives.
    func follow() throws -> Follow {
        let key = try activityKey()
        return Follow(
            device: key.device,
            settings: FollowSettings(
                match: key.match,
                teamIntent: TeamIntent(rawValue: try small(3)) ?? .neither,
                alerts: AlertKinds(rawValue: try small(4)),
                wantsActivity: try bool(5),
                surfaces: FollowSurfaces(rawValue: try small(9))
            ),
            isFollowed: try int(2) == 1,
            isDismissed: try bool(6),
            clientSequence: try int(7),
            changedAt: try timestamp(8)
        )
    }
}
