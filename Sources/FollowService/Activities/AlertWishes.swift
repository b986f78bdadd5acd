// An activity has a copy of its follower's alert settings, which the transactions of follows and devices update.

internal import Postgres
internal import ScoreTypes

/// The SQL of the copies; with quiet hours or alerts turned off, a device receives no alert through an activity.
enum AlertWishStatements {
    /// The settings that differ from the default, and the devices without sound, without frequent pushes, with early
    /// ends, erased or blocked; all others want all alerts.
    ///
    /// An erased device is stored as silent, so that the index of such devices finds it; a lookup of every device at
    /// every registration would cost more. Two joins end at once where all settings are defaults; one join over both
    /// tables costs a registration 4 % more.
    static let chosen: Statement = """
        select r.place, f.alerts | (f.team_intent << 4), false, false, false, null::jsonb
        from unnest($1, $2, $3) with ordinality as r(match_id, bucket, device_id, place)
        join follow f on f.bucket = r.bucket and f.device_id = r.device_id and f.match_id = r.match_id
        where f.wants = 1 and (f.alerts <> 15 or f.team_intent <> 0)
        union all
        select r.place, null::smallint, d.quiet_from is not null or d.abilities & 4 = 0,
               d.erased_at is not null or d.blocked_at is not null, d.abilities & 2 = 0, d.early_ends
        from unnest($1, $2, $3) with ordinality as r(match_id, bucket, device_id, place)
        join device d on d.bucket = r.bucket and d.device_id = r.device_id
        where d.quiet_from is not null or d.abilities & 6 <> 6 or d.early_ends is not null or d.blocked_at is not null
        """

    /// Locks activities before the rows that their copies come from, in the order of all transactions.
    static let lock: Statement = """
        select a.match_id, a.device_id
        from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        where a.state <> 3
        order by a.bucket, a.device_id, a.match_id
        for update of a
        """

    /// The same for all of a device.
    static let lockOfDevice: Statement = """
        select a.match_id, a.device_id from activity a
        where a.bucket = $1 and a.device_id = $2 and a.state <> 3
        order by a.match_id
        for update
        """

    /// The copies of activities, without locks.
    static let held: Statement = """
        select a.match_id, a.device_id, a.wish
        from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        where a.state <> 3
        """

    /// The same for all of a device.
    static let heldByDevice: Statement =
        "select match_id, device_id, wish from activity where bucket = $1 and device_id = $2 and state <> 3"

    /// Writes copies to locked activities; returns the changed ones.
    static let write: Statement = """
        update activity a set wish = r.wish
        from unnest($1, $2, $3, $4) as r(match_id, bucket, device_id, wish)
        where a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id and a.wish <> r.wish
        returning a.match_id, a.device_id
        """
}

/// The current settings for keys, by their index.
struct CurrentWishes {
    /// The stored number of the alerts of each key.
    var alerts: [Int16]
    /// The keys of devices that are erased or blocked.
    var refused: Set<Int> = []
    /// The activities that the devices of some keys dismissed before their registration.
    var earlyEnds: [Int: EarlyEnds] = [:]
}

extension Connection {
    /// The current settings for keys.
    func wishes(of keys: [DeviceMatchKey]) throws -> CurrentWishes {
        var current = CurrentWishes(alerts: [Int16](repeating: Int16(AlertWish.all.rawValue), count: keys.count))
        let chosen = try query(AlertWishStatements.chosen, keys.binds) { row in
            (
                place: Int(try row.int(0)) - 1, alerts: try row.intIfPresent(1), isSilent: try row.bool(2),
                isRefused: try row.bool(3), isInfrequent: try row.bool(4),
                earlyEnds: try row.jsonIfPresent(5).map { EarlyEnds(json: $0) }
            )
        }
        for choice in chosen {
            if let alerts = choice.alerts { current.alerts[choice.place] = Int16(clamping: alerts) }
            if choice.isRefused { current.refused.insert(choice.place) }
            if let earlyEnds = choice.earlyEnds { current.earlyEnds[choice.place] = earlyEnds }
        }
        for choice in chosen where choice.isSilent { current.alerts[choice.place] = 0 }
        let infrequent = Int16(AlertWish(kinds: 0, isInfrequent: true).rawValue)
        for choice in chosen where choice.isInfrequent { current.alerts[choice.place] |= infrequent }
        return current
    }

    /// Locks the activities that exist; returns them.
    func lockActivities(_ keys: [DeviceMatchKey]) throws -> [DeviceMatchKey] {
        guard !keys.isEmpty else { return [] }
        return try query(AlertWishStatements.lock, keys.binds) { try $0.activityKey() }
    }

    /// Locks all activities of a device; returns them.
    func lockActivities(of device: DeviceID) throws -> [DeviceMatchKey] {
        try query(AlertWishStatements.lockOfDevice, device.binds) { try $0.activityKey() }
    }

    /// The activities of some keys whose copy differs from the current settings.
    func behind(_ keys: [DeviceMatchKey]) throws -> [DeviceMatchKey] {
        try behind(AlertWishStatements.held, keys.binds)
    }

    /// The same for all activities of a device.
    func behind(_ device: DeviceID) throws -> [DeviceMatchKey] {
        try behind(AlertWishStatements.heldByDevice, device.binds)
    }

    private func behind(_ statement: Statement, _ binds: [Bind]) throws -> [DeviceMatchKey] {
        let held = try query(statement, binds) { row in (key: try row.activityKey(), wish: try row.small(2)) }
        guard !held.isEmpty else { return [] }
        let due = try wishes(of: held.map(\.key)).alerts
        return zip(held, due).filter { $0.wish != $1 }.map(\.0.key)
    }

    /// Copies the current settings to locked activities, and writes change rows for the arenas.
    func copyWishes(to locked: [DeviceMatchKey]) throws {
        guard !locked.isEmpty else { return }
        let binds = locked.binds + [.smallints(try wishes(of: locked).alerts)]
        try noteChanges(try query(AlertWishStatements.write, binds) { try $0.activityKey() })
    }
}
