// Keys become columns for `unnest`, and rows become values, in the same way in all statements.

internal import Postgres
internal import ScoreTypes

extension DeviceID {
    /// Bucket and device.
    var binds: [Bind] { [.smallint(Bucket(of: self).number), .uuid(self)] }
}

extension Array<DeviceID> {
    /// The columns of buckets and of devices.
    var binds: [Bind] { [.smallints(map { Bucket(of: $0).number }), .uuids(self)] }
}

extension Array<DeviceMatchKey> {
    /// The columns of matches, of buckets and of devices.
    var binds: [Bind] { [.texts(map(\.match.text))] + map(\.device).binds }
}

extension Connection {
    /// Writes the change rows that update the arenas, in the transaction of the change itself.
    func noteChanges(_ keys: some Sequence<DeviceMatchKey>) throws {
        var devicesOfMatch: [MatchID: [DeviceID]] = [:]
        for key in keys { devicesOfMatch[key.match, default: []].append(key.device) }
        guard !devicesOfMatch.isEmpty else { return }
        var (matches, devices): ([String], [DeviceID]) = ([], [])
        var (firsts, lasts): ([Int32], [Int32]) = ([], [])
        for (match, changed) in devicesOfMatch {
            matches.append(match.text)
            firsts.append(Int32(clamping: devices.count + 1))
            devices += changed
            lasts.append(Int32(clamping: devices.count))
        }
        try execute(
            ActivityStatements.noteChanges,
            [.texts(matches)] + devices.binds + [.integers(firsts), .integers(lasts)]
        )
    }

    /// Stores that activities of matches were dismissed, with the device's client sequence.
    func dismiss(_ dismissals: [(key: DeviceMatchKey, clientSequence: Int64)]) throws {
        guard !dismissals.isEmpty else { return }
        let binds = dismissals.map(\.key).binds + [.ints(dismissals.map(\.clientSequence))]
        try execute(ActivityStatements.dismiss, binds)
    }

    /// Runs a statement that ends activities or marks them as ending, and writes their change rows.
    ///
    /// - Returns: The activities with a route, for the push that ends them on their phones.
    func endActivities(_ statement: Statement, _ binds: [Bind]) throws -> [EndingActivity] {
        let ended = try query(statement, binds) { row in (try row.activityKey(), try row.endingActivity()) }
        try noteChanges(ended.map(\.0))
        return ended.compactMap(\.1)
    }
}

extension Row {
    /// Reads a match's id and a device's id from neighbouring columns.
    func activityKey(_ column: Int = 0) throws -> DeviceMatchKey {
        DeviceMatchKey(match: MatchID(unchecked: try text(column)), device: try uuid(column + 1))
    }

    /// Reads a 16-bit number.
    func small(_ column: Int) throws -> Int16 { Int16(clamping: try int(column)) }

    /// Reads a 32-bit number.
    func medium(_ column: Int) throws -> Int32 { Int32(clamping: try int(column)) }

    /// Reads an environment's code; an unknown one is read as production, where a push does least harm.
    func environment(_ column: Int) throws -> PushEnvironment {
        PushEnvironment(code: try small(column)) ?? .production
    }

    /// Reads the content state that an activity decodes.
    func variant(_ column: Int) throws -> ActivityVariant { ActivityVariant(code: try small(column)) ?? .own }

    /// Reads an activity that is to be ended; nil without a route.
    ///
    /// Columns: match, device, gen, env, variant, channel, token, reason.
    func endingActivity() throws -> EndingActivity? {
        let route: ActivityRoute
        if let channel = try textIfPresent(5).flatMap({ ChannelID($0) }) {
            route = .channel(channel)
        } else if let token = PushToken(bytes: try bytes(6)) {
            route = .token(token)
        } else {
            return nil
        }
        let key = try activityKey()
        return EndingActivity(
            match: key.match,
            device: key.device,
            generation: try medium(2),
            environment: try environment(3),
            variant: try variant(4),
            route: route,
            reason: try textIfPresent(7).flatMap { EndReason(rawValue: $0) } ?? .silent
        )
    }
}
