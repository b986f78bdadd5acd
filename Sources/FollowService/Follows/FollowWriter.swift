// The transactions behind follows.

internal import Postgres
internal import ScoreTypes

enum FollowWriter {
    static func write(_ calls: [FollowCall], in pool: Pool, at now: Instant) async throws -> [FollowOutcome] {
        try await pool.transaction { connection in
            let erased = try erased(Set(calls.map(\.device)), on: connection)
            let known = erased.isEmpty ? calls : calls.filter { !erased.contains($0.device) }
            let (refused, followed) = try held(known, on: connection)
            let allowed = known.filter { !refused.contains($0.key) }
            let shown = try connection.lockActivities(allowed.map(\.key))
            let written = try put(allowed, at: now, on: connection)
            try connection.copyWishes(to: shown)
            let others = allowed.filter { written[$0.key] == nil }
            let stored = try readStored(others.map(\.key), on: connection)
            return calls.map { call in
                if erased.contains(call.device) { return .unknownDevice }
                if let follow = written[call.key] {
                    return .stored(follow, isNew: follow.isWanted && !followed.contains(call.key))
                }
                guard let follow = stored[call.key] else { return .limitReached }
                return follow.clientSeq > call.clientSeq ? .outdated(follow) : .unchanged(follow)
            }
        }
    }

    private static func erased(
        _ devices: Set<DeviceID>,
        on connection: isolated Connection
    ) throws -> Set<DeviceID> {
        let devices = Array(devices)
        let binds: [Bind] = [.smallints(devices.map { Bucket(of: $0).number }), .uuids(devices)]
        return Set(try connection.query(FollowStatements.erased, binds) { try $0.uuid(0) })
    }

    /// The wishes for one match too many, and those for what is followed already.
    private static func held(
        _ calls: [FollowCall],
        on connection: isolated Connection
    ) throws -> (refused: Set<DeviceMatchKey>, followed: Set<DeviceMatchKey>) {
        let wishes = calls.filter { $0.wish != nil }
        guard !wishes.isEmpty else { return ([], []) }
        let counts = try connection.query(FollowStatements.counts, ActivityRows(wishes.map(\.key)).binds) { row in
            (place: Int(try row.int(0)) - 1, held: Int(try row.int(1)), isFollowed: try row.bool(2))
        }
        var held: [DeviceID: Int] = [:]
        var followed: Set<DeviceMatchKey> = []
        for count in counts {
            let key = wishes[count.place].key
            if count.isFollowed { followed.insert(key) }
            held[key.device] = count.held
        }
        var refused: Set<DeviceMatchKey> = []
        for key in wishes.map(\.key) where !followed.contains(key) {
            let count = held[key.device] ?? 0
            if count >= Follows.perDeviceMax { refused.insert(key) } else { held[key.device] = count + 1 }
        }
        return (refused, followed)
    }

    private static func put(
        _ calls: [FollowCall],
        at now: Instant,
        on connection: isolated Connection
    ) throws -> [DeviceMatchKey: Follow] {
        guard !calls.isEmpty else { return [:] }
        let binds =
            ActivityRows(calls.map(\.key)).binds + [
                .smallints(calls.map { $0.wish == nil ? 0 : 1 }),
                .smallints(calls.map { $0.wish?.teamIntent.rawValue ?? 0 }),
                .smallints(calls.map { ($0.wish?.alerts ?? .all).rawValue }),
                .bools(calls.map { $0.wish?.wantsActivity ?? true }),
                .ints(calls.map(\.clientSeq)),
                .smallints(calls.map { ($0.wish?.surfaces ?? .all).rawValue }),
                .timestamp(now),
            ]
        return byKey(try connection.query(FollowStatements.put, binds) { try $0.follow() })
    }

    private static func readStored(
        _ keys: [DeviceMatchKey],
        on connection: isolated Connection
    ) throws -> [DeviceMatchKey: Follow] {
        guard !keys.isEmpty else { return [:] }
        return byKey(try connection.query(FollowStatements.stored, ActivityRows(keys).binds) { try $0.follow() })
    }

    private static func byKey(_ follows: [Follow]) -> [DeviceMatchKey: Follow] {
        Dictionary(follows.map { (DeviceMatchKey(match: $0.match, device: $0.device), $0) }) { first, _ in first }
    }

    static func replaceAll(
        _ wishes: [MatchID: FollowWish],
        keeping kept: Set<MatchID>,
        of device: DeviceID,
        clientSeq: Int64,
        in pool: Pool,
        at now: Instant
    ) async throws -> FollowListOutcome {
        try await pool.transaction { connection in
            guard try erased([device], on: connection).isEmpty else { return .unknownDevice }
            guard try hasRoom(for: Array(wishes.keys), on: connection) else { return .limitReached }
            let place: [Bind] = [.smallint(Bucket(of: device).number), .uuid(device)]
            let shown = try connection.lockActivities(of: device)
            let before = try connection.query(FollowStatements.lockAll, place) { try $0.follow() }
            let withdrawn = before.filter { $0.isWanted && wishes[$0.match] == nil && !kept.contains($0.match) }
            let calls =
                wishes.values.map { FollowCall(device: device, match: $0.match, wish: $0, clientSeq: clientSeq) }
                + withdrawn.map { FollowCall(device: device, match: $0.match, wish: nil, clientSeq: clientSeq) }
            let newer = before.filter { $0.clientSeq > clientSeq }
            let outdated = Set(newer.map(\.match)).intersection(calls.map(\.match))
            if !calls.isEmpty, outdated.count == calls.count {
                return .outdated(clientSeq: newer.map(\.clientSeq).max() ?? clientSeq)
            }
            let written = try put(calls.sorted { $0.key < $1.key }, at: now, on: connection)
            try connection.copyWishes(to: shown)
            let wantedBefore = Set(before.filter(\.isWanted).map(\.match))
            return .replaced(
                FollowListChange(
                    follows: try connection.query(FollowStatements.list, place) { try $0.follow() },
                    added: written.values.filter { $0.isWanted && !wantedBefore.contains($0.match) }.map(\.match)
                        .sorted(),
                    removed: written.values.filter { !$0.isWanted }.map(\.match).sorted(),
                    outdated: outdated.sorted()
                )
            )
        }
    }

    private static func hasRoom(for matches: [MatchID], on connection: isolated Connection) throws -> Bool {
        guard matches.count > Follows.perDeviceMax else { return true }
        let binds: [Bind] = [.texts(matches.map(\.text))]
        let count = try connection.query(FollowStatements.countUnfinished, binds) { try $0.int(0) }.first ?? 0
        return count <= Int64(Follows.perDeviceMax)
    }
}
