// The transactions behind follows.

internal import Postgres
internal import ScoreTypes

/// Rows are locked in the order activity, device, follow, here and wherever else two of them are.
enum FollowWriter {
    static func write(_ calls: [FollowCall], in pool: Pool, at now: Instant) async throws -> [FollowAnswer] {
        try await pool.transaction { connection in
            let shown = try connection.lockActivities(calls.map(\.key))
            let standings = try standings(of: calls, on: connection)
            let known = standings.isEmpty ? calls : calls.filter { standings[$0.device]?.isErased != true }
            let withdrawn = try withdrawn(known, by: standings, on: connection)
            let (refused, followed) = try held(known.filter { withdrawn[$0.key] == nil }, on: connection)
            let allowed = known.filter { !refused.contains($0.key) }.map { withdrawn[$0.key] ?? $0 }
            let written = try put(allowed, at: now, on: connection)
            try connection.copyWishes(to: shown)
            let others = allowed.filter { written[$0.key] == nil }
            let stored = try readStored(others.map(\.key), on: connection)
            return calls.map { call in
                if standings[call.device]?.isErased == true { return FollowAnswer(outcome: .unknownDevice) }
                if let (follow, mayBeMissed) = written[call.key] {
                    let isNew = follow.isFollowed && !followed.contains(call.key)
                    let isLate = withdrawn[call.key] != nil
                    let outcome: FollowOutcome = isLate ? .outdated(follow) : .stored(follow, isNew: isNew)
                    return FollowAnswer(outcome: outcome, mayBeMissed: mayBeMissed)
                }
                guard let follow = stored[call.key] else { return FollowAnswer(outcome: .limitReached) }
                if follow.clientSequence > call.clientSequence { return FollowAnswer(outcome: .outdated(follow)) }
                // Who wrote it the first time may have died before it looked once more.
                return FollowAnswer(outcome: .unchanged(follow), mayBeMissed: true)
            }
        }
    }

    /// What a device was last told as a whole.
    private struct Standing {
        let isErased: Bool
        /// The count of its newest list; 0 for none.
        let listSeq: Int64

        init(_ row: Row) throws { (isErased, listSeq) = (try row.bool(1), try row.int(2)) }
    }

    /// The standings of the devices that call, which have either been told something as a whole or are not listed.
    private static func standings(
        of calls: [FollowCall],
        on connection: isolated Connection
    ) throws -> [DeviceID: Standing] {
        let devices = Array(Set(calls.map(\.device)))
        let binds: [Bind] = [.smallints(devices.map { Bucket(of: $0).number }), .uuids(devices)]
        let rows = try connection.query(FollowStatements.standings, binds) { (try $0.uuid(0), try Standing($0)) }
        return Dictionary(rows.filter { $1.isErased || $1.listSeq > 0 }) { first, _ in first }
    }

    /// Wishes that come after a newer list of their device, as that list withdrew them; what is followed decides by
    /// itself.
    private static func withdrawn(
        _ calls: [FollowCall],
        by standings: [DeviceID: Standing],
        on connection: isolated Connection
    ) throws -> [DeviceMatchKey: FollowCall] {
        let late = calls.filter { $0.settings != nil && $0.clientSequence < standings[$0.device]?.listSeq ?? 0 }
        let stored = try readStored(late.map(\.key), on: connection)
        var withdrawn: [DeviceMatchKey: FollowCall] = [:]
        for call in late where stored[call.key]?.isFollowed != true {
            let listSeq = standings[call.device]?.listSeq ?? call.clientSequence
            withdrawn[call.key] = FollowCall(
                device: call.device,
                match: call.match,
                settings: nil,
                clientSequence: listSeq
            )
        }
        return withdrawn
    }

    /// The wishes for one match too many, and those for what is followed already.
    private static func held(
        _ calls: [FollowCall],
        on connection: isolated Connection
    ) throws -> (refused: Set<DeviceMatchKey>, followed: Set<DeviceMatchKey>) {
        let wishes = calls.filter { $0.settings != nil }
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

    /// Writes calls; for each that was written its row, and whether a registration may have copied something else.
    ///
    /// Not where everything is wanted and was wanted before, as by who follows a match for the first time, or leaves it
    /// having chosen nothing: such a registration copied the same. Those are nearly all.
    private static func put(
        _ calls: [FollowCall],
        at now: Instant,
        on connection: isolated Connection
    ) throws -> [DeviceMatchKey: (follow: Follow, mayBeMissed: Bool)] {
        guard !calls.isEmpty else { return [:] }
        let binds =
            ActivityRows(calls.map(\.key)).binds + [
                .smallints(calls.map { $0.settings == nil ? 0 : 1 }),
                .smallints(calls.map { $0.settings?.teamIntent.rawValue ?? 0 }),
                .smallints(calls.map { ($0.settings?.alerts ?? .all).rawValue }),
                .bools(calls.map { $0.settings?.wantsActivity ?? true }),
                .ints(calls.map(\.clientSequence)),
                .smallints(calls.map { ($0.settings?.surfaces ?? .all).rawValue }),
                .timestamp(now),
            ]
        let written = try connection.query(FollowStatements.put, binds) { row in
            let (follow, hasBegun) = (try row.follow(), try row.bool(10))
            let wantsAll = follow.settings.alerts == .all && follow.settings.teamIntent == .neither
            return (follow: follow, mayBeMissed: !wantsAll || follow.isFollowed && !hasBegun)
        }
        return Dictionary(
            written.map { (DeviceMatchKey(match: $0.follow.match, device: $0.follow.device), $0) }
        ) { first, _ in first }
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
        _ wishes: [MatchID: FollowSettings],
        keeping kept: Set<MatchID>,
        of device: DeviceID,
        clientSequence: Int64,
        in pool: Pool,
        at now: Instant
    ) async throws -> FollowListOutcome {
        let outcome: FollowListOutcome = try await pool.transaction { connection in
            let place: [Bind] = [.smallint(Bucket(of: device).number), .uuid(device)]
            let shown = try connection.lockActivities(of: device)
            let standing = try connection.query(FollowStatements.lockStanding, place) { try Standing($0) }.first
            if standing?.isErased == true { return .unknownDevice }
            if let listSeq = standing?.listSeq, listSeq > clientSequence { return .outdated(clientSequence: listSeq) }
            guard try hasRoom(for: Array(wishes.keys), on: connection) else { return .limitReached }
            try connection.execute(FollowStatements.noteList, place + [.int(clientSequence)])
            let before = try connection.query(FollowStatements.lockAll, place) { try $0.follow() }
            let withdrawn = before.filter { $0.isFollowed && wishes[$0.match] == nil && !kept.contains($0.match) }
            let calls =
                wishes.values.map {
                    FollowCall(device: device, match: $0.match, settings: $0, clientSequence: clientSequence)
                }
                + withdrawn.map {
                    FollowCall(device: device, match: $0.match, settings: nil, clientSequence: clientSequence)
                }
            let newer = before.filter { $0.clientSequence > clientSequence }
            let outdated = Set(newer.map(\.match)).intersection(calls.map(\.match))
            if !calls.isEmpty, outdated.count == calls.count {
                return .outdated(clientSequence: newer.map(\.clientSequence).max() ?? clientSequence)
            }
            let written = try put(calls.sorted { $0.key < $1.key }, at: now, on: connection)
            try connection.copyWishes(to: shown)
            let wantedBefore = Set(before.filter(\.isFollowed).map(\.match))
            return .replaced(
                FollowListChange(
                    follows: try connection.query(FollowStatements.list, place) { try $0.follow() },
                    added: written.values.map(\.follow).filter { $0.isFollowed && !wantedBefore.contains($0.match) }
                        .map(\.match).sorted(),
                    removed: written.values.map(\.follow).filter { !$0.isFollowed }.map(\.match).sorted(),
                    outdated: outdated.sorted()
                )
            )
        }
        try await RegistrationsUnderWay.catchUp(device, in: pool)
        return outcome
    }

    private static func hasRoom(for matches: [MatchID], on connection: isolated Connection) throws -> Bool {
        guard matches.count > Follows.perDeviceMax else { return true }
        let binds: [Bind] = [.texts(matches.map(\.text))]
        let count = try connection.query(FollowStatements.countUnfinished, binds) { try $0.int(0) }.first ?? 0
        return count <= Int64(Follows.perDeviceMax)
    }
}
