// The transactions behind follows.

internal import Postgres
internal import ScoreTypes

enum FollowWriter {
    static func write(_ calls: [FollowCall], in pool: Pool, at now: Instant) async throws -> [FollowOutcome] {
        try await pool.transaction { connection in
            let refused = try overLimit(calls, on: connection)
            let allowed = calls.filter { !refused.contains($0.key) }
            let shown = try connection.lockActivities(allowed.map(\.key))
            let written = try put(allowed, at: now, on: connection)
            try connection.copyWishes(to: shown)
            let others = allowed.filter { written[$0.key] == nil }
            let stored = try readStored(others.map(\.key), on: connection)
            return calls.map { call in
                if let follow = written[call.key] { return .stored(follow) }
                guard let follow = stored[call.key] else { return .limitReached }
                return follow.clientSeq > call.clientSeq ? .outdated(follow) : .unchanged(follow)
            }
        }
    }

    /// The wishes for one match too many.
    private static func overLimit(
        _ calls: [FollowCall],
        on connection: isolated Connection
    ) throws -> Set<DeviceMatchKey> {
        let wishes = calls.filter { $0.wish != nil }
        guard !wishes.isEmpty else { return [] }
        let counts = try connection.query(FollowStatements.counts, ActivityRows(wishes.map(\.key)).binds) { row in
            (place: Int(try row.int(0)) - 1, others: Int(try row.int(1)), follows: try row.bool(2))
        }
        var others: [DeviceID: Int] = [:]
        var followed: Set<DeviceMatchKey> = []
        for count in counts {
            let key = wishes[count.place].key
            if count.follows { followed.insert(key) }
            others[key.device] = max(others[key.device] ?? 0, count.others + (count.follows ? 1 : 0))
        }
        var refused: Set<DeviceMatchKey> = []
        for key in wishes.map(\.key) where !followed.contains(key) {
            let held = others[key.device] ?? 0
            if held >= Follows.perDeviceMax { refused.insert(key) } else { others[key.device] = held + 1 }
        }
        return refused
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
        of device: DeviceID,
        clientSeq: Int64,
        in pool: Pool,
        at now: Instant
    ) async throws -> FollowListOutcome {
        try await pool.transaction { connection in
            let place: [Bind] = [.smallint(Bucket(of: device).number), .uuid(device)]
            let shown = try connection.lockActivities(of: device)
            let before = try connection.query(FollowStatements.lockAll, place) { try $0.follow() }
            let withdrawn = before.filter { $0.isWanted && wishes[$0.match] == nil }.map(\.match)
            let calls =
                wishes.values.map { FollowCall(device: device, match: $0.match, wish: $0, clientSeq: clientSeq) }
                + withdrawn.map { FollowCall(device: device, match: $0, wish: nil, clientSeq: clientSeq) }
            let written = try put(calls.sorted { $0.key < $1.key }, at: now, on: connection)
            try connection.copyWishes(to: shown)
            let wantedBefore = Set(before.filter(\.isWanted).map(\.match))
            let newer = Set(before.filter { $0.clientSeq > clientSeq }.map(\.match))
            return FollowListOutcome(
                follows: try connection.query(FollowStatements.list, place) { try $0.follow() },
                added: written.values.filter { $0.isWanted && !wantedBefore.contains($0.match) }.map(\.match).sorted(),
                removed: written.values.filter { !$0.isWanted }.map(\.match).sorted(),
                outdated: calls.map(\.match).filter { newer.contains($0) }.sorted()
            )
        }
    }
}
