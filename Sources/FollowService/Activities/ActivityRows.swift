// All statements take keys as columns for `unnest`.

internal import Postgres
internal import ScoreTypes

/// Rows of activities by key, as the columns that a statement takes.
struct ActivityRows {
    private(set) var matches: [String] = []
    private(set) var buckets: [Int16] = []
    private(set) var devices: [DeviceID] = []

    init(_ keys: some Sequence<DeviceMatchKey> = []) {
        for key in keys { append(key) }
    }

    var isEmpty: Bool { matches.isEmpty }

    mutating func append(_ key: DeviceMatchKey) {
        matches.append(key.match.text)
        buckets.append(Bucket(of: key.device).number)
        devices.append(key.device)
    }

    /// Match, bucket, device.
    var binds: [Bind] { [.texts(matches), .smallints(buckets), .uuids(devices)] }
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
        let buckets = devices.map { Bucket(of: $0).number }
        try execute(
            ActivityStatements.noteChanges,
            [.texts(matches), .smallints(buckets), .uuids(devices), .integers(firsts), .integers(lasts)]
        )
    }
}

extension Connection {
    /// Stores that activities of matches were dismissed, with the device's client sequence.
    func dismiss(_ dismissals: [(key: DeviceMatchKey, clientSequence: Int64)]) throws {
        guard !dismissals.isEmpty else { return }
        try execute(
            ActivityStatements.dismiss,
            ActivityRows(dismissals.map(\.key)).binds + [.ints(dismissals.map(\.clientSequence))]
        )
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
