// A follow and a device say what a person wants to hear; the copy beside the token is kept here, in their transactions.

internal import Postgres
internal import ScoreTypes

/// The SQL of the copies; a device with quiet hours, or where alerts are off, hears nothing from an activity.
enum AlertWishStatements {
    /// The wishes of those who chose something, whose devices are silent, and who was erased; the rest want everything.
    ///
    /// What is left of an erased device hears nothing, so that the index of the silent ones finds it: to look up every
    /// device at every registration would cost more. Joins of their own end at once where nobody has chosen anything;
    /// one with both tables on its outer side cost a registration 4 % more.
    static let chosen = Statement(
        """
        select r.place, f.alerts | (f.team_intent << 4), false, false
        from unnest($1, $2, $3) with ordinality as r(match_id, bucket, device_id, place)
        join follow f on f.bucket = r.bucket and f.device_id = r.device_id and f.match_id = r.match_id
        where f.wants = 1 and (f.alerts <> 15 or f.team_intent <> 0)
        union all
        select r.place, 0::smallint, true, d.erased_at is not null
        from unnest($1, $2, $3) with ordinality as r(match_id, bucket, device_id, place)
        join device d on d.bucket = r.bucket and d.device_id = r.device_id
        where d.quiet_from is not null or d.abilities & 4 = 0
        """
    )

    /// Locks activities before the rows that their wishes come from, in the order in which all do.
    static let lock = Statement(
        """
        select a.match_id, a.device_id
        from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        where a.state <> 3
        order by a.bucket, a.device_id, a.match_id
        for update of a
        """
    )

    /// The same for all of a device.
    static let lockOfDevice = Statement(
        """
        select a.match_id, a.device_id from activity a
        where a.bucket = $1 and a.device_id = $2 and a.state <> 3
        order by a.match_id
        for update
        """
    )

    /// What activities hold, without locking them.
    static let held = Statement(
        """
        select a.match_id, a.device_id, a.wish
        from unnest($1, $2, $3) as r(match_id, bucket, device_id)
        join activity a on a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id
        where a.state <> 3
        """
    )

    /// The same for all of a device.
    static let heldByDevice = Statement(
        "select match_id, device_id, wish from activity where bucket = $1 and device_id = $2 and state <> 3"
    )

    /// Writes wishes to locked activities; returns those that changed.
    static let write = Statement(
        """
        update activity a set wish = r.wish
        from unnest($1, $2, $3, $4) as r(match_id, bucket, device_id, wish)
        where a.match_id = r.match_id and a.bucket = r.bucket and a.device_id = r.device_id and a.wish <> r.wish
        returning a.match_id, a.device_id
        """
    )
}

extension Connection {
    /// What the people behind the keys say now, as it is stored, in their order; and the places of erased devices.
    func wishes(of keys: [DeviceMatchKey]) throws -> (wishes: [Int16], erased: Set<Int>) {
        var wishes = [Int16](repeating: Int16(AlertWish.all.rawValue), count: keys.count)
        let chosen = try query(AlertWishStatements.chosen, ActivityRows(keys).binds) { row in
            let (place, wish) = (Int(try row.int(0)) - 1, try row.small(1))
            return (place: place, wish: wish, isSilent: try row.bool(2), isErased: try row.bool(3))
        }
        for choice in chosen { wishes[choice.place] = choice.wish }
        for choice in chosen where choice.isSilent { wishes[choice.place] = 0 }
        return (wishes, Set(chosen.filter(\.isErased).map(\.place)))
    }

    /// Locks those of the activities that there are; returns them.
    func lockActivities(_ keys: [DeviceMatchKey]) throws -> [DeviceMatchKey] {
        guard !keys.isEmpty else { return [] }
        return try query(AlertWishStatements.lock, ActivityRows(keys).binds) { try $0.activityKey() }
    }

    /// Locks all activities of a device; returns them.
    func lockActivities(of device: DeviceID) throws -> [DeviceMatchKey] {
        let place: [Bind] = [.smallint(Bucket(of: device).number), .uuid(device)]
        return try query(AlertWishStatements.lockOfDevice, place) { try $0.activityKey() }
    }

    /// Those of some activities whose wish is not what their people say now.
    func behind(_ keys: [DeviceMatchKey]) throws -> [DeviceMatchKey] {
        try behind(try query(AlertWishStatements.held, ActivityRows(keys).binds) { try $0.heldWish() })
    }

    /// The same of all activities of a device.
    func behind(_ device: DeviceID) throws -> [DeviceMatchKey] {
        let place: [Bind] = [.smallint(Bucket(of: device).number), .uuid(device)]
        return try behind(try query(AlertWishStatements.heldByDevice, place) { try $0.heldWish() })
    }

    private func behind(_ held: [HeldWish]) throws -> [DeviceMatchKey] {
        guard !held.isEmpty else { return [] }
        let due = try wishes(of: held.map(\.key)).wishes
        return zip(held, due).filter { $0.wish != $1 }.map(\.0.key)
    }

    /// Brings the wishes of locked activities up to what their people say now, and notes what changed for the arenas.
    func copyWishes(to locked: [DeviceMatchKey]) throws {
        guard !locked.isEmpty else { return }
        let binds = ActivityRows(locked).binds + [.smallints(try wishes(of: locked).wishes)]
        try noteChanges(try query(AlertWishStatements.write, binds) { try $0.activityKey() })
    }
}

/// The wish that lies beside an activity.
private struct HeldWish {
    let key: DeviceMatchKey
    let wish: Int16
}

extension Row {
    fileprivate func heldWish() throws -> HeldWish { HeldWish(key: try activityKey(), wish: try small(2)) }
}
