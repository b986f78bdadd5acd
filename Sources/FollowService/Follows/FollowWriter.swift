// The transactions behind follows.

internal import Postgres
internal import ScoreTypes

/// Rows are locked in the order activity, device, follow, here and wherever else two of them are.
enum FollowWriter {
    static func write(_ calls: [FollowCall], in pool: Pool, at now: Instant) async throws -> [FollowAnswer] {
        try await pool.transaction { connection in
            let shown = try connection.lockActivities(calls.map(\.key))
            let deviceStates = try deviceStates(of: calls, on: connection)
            let known = deviceStates.isEmpty ? calls : calls.filter { deviceStates[$0.device]?.isErased != true }
            let withdrawn = try withdrawn(known, by: deviceStates, on: connection)
            let (refused, followed) = try held(known.filter { withdrawn[$0.key] == nil }, on: connection)
            let missing = try missing(known, on: connection)
            let allowed = known.filter { !refused.contains($0.key) && !missing.contains($0.key) }
                .map { withdrawn[$0.key] ?? $0 }
            let written = try put(allowed, at: now, on: connection)
            try connection.copyWishes(to: shown)
            let others = allowed.filter { written[$0.key] == nil }
            let stored = try readStored(others.map(\.key), on: connection)
            return calls.map { call in
                if deviceStates[call.device]?.isErased == true { return FollowAnswer(outcome: .unknownDevice) }
                if missing.contains(call.key) {
                    return FollowAnswer(outcome: .unchanged(call.unfollowed(at: now)))
                }
                if let (follow, mayBeMissed) = written[call.key] {
                    let isNew = follow.isFollowed && !followed.contains(call.key)
                    let isLate = withdrawn[call.key] != nil
                    let outcome: FollowOutcome = isLate ? .outdated(follow) : .stored(follow, isNew: isNew)
                    return FollowAnswer(outcome: outcome, mayBeMissed: mayBeMissed)
                }
                guard let follow = stored[call.key] else { return FollowAnswer(outcome: .limitReached) }
                if follow.outdates(call.settings, clientSequence: call.clientSequence) {
                    return FollowAnswer(outcome: .outdated(follow))
                }
                // The node that wrote it first may have failed before its second check.
                return FollowAnswer(outcome: .unchanged(follow), mayBeMissed: true)
            }
        }
    }

    /// The newest change of a device that concerns all of its follows.
    private struct DeviceState {
        let isErased: Bool
        /// The count of its newest list; 0 for none.
        let listSeq: Int64

        init(_ row: Row) throws { (isErased, listSeq) = (try row.bool(1), try row.int(2)) }
    }

    /// These changes for the calling devices; devices without one are absent.
    private static func deviceStates(
        of calls: [FollowCall],
        on connection: isolated Connection
    ) throws -> [DeviceID: DeviceState] {
        let devices = Array(Set(calls.map(\.device)))
        let binds: [Bind] = devices.binds
        let rows = try connection.query(FollowStatements.deviceStates, binds) { (try $0.uuid(0), try DeviceState($0)) }
        return Dictionary(rows.filter { $1.isErased || $1.listSeq > 0 }) { first, _ in first }
    }

    /// Calls that are not newer than the newest list of their device, as unfollows by that list; existing follows are
    /// compared by their own client sequence.
    private static func withdrawn(
        _ calls: [FollowCall],
        by deviceStates: [DeviceID: DeviceState],
        on connection: isolated Connection
    ) throws -> [DeviceMatchKey: FollowCall] {
        let late = calls.filter { call in
            guard call.settings != nil, let state = deviceStates[call.device] else { return false }
            return call.clientSequence <= state.listSeq
        }
        let stored = try readStored(late.map(\.key), on: connection)
        var withdrawn: [DeviceMatchKey: FollowCall] = [:]
        for call in late where stored[call.key]?.isFollowed != true {
            let listSeq = deviceStates[call.device]?.listSeq ?? call.clientSequence
            withdrawn[call.key] = FollowCall(
                device: call.device,
                match: call.match,
                settings: nil,
                clientSequence: listSeq
            )
        }
        return withdrawn
    }

    /// The unfollows of unknown matches that the device never followed.
    private static func missing(
        _ calls: [FollowCall],
        on connection: isolated Connection
    ) throws -> Set<DeviceMatchKey> {
        let unknown = calls.filter { !$0.isKnown }.map(\.key)
        let stored = try readStored(unknown, on: connection)
        return Set(unknown.filter { stored[$0] == nil })
    }

    /// The calls that exceed the limit of matches, and those for matches that are followed already.
    private static func held(
        _ calls: [FollowCall],
        on connection: isolated Connection
    ) throws -> (refused: Set<DeviceMatchKey>, followed: Set<DeviceMatchKey>) {
        let follows = calls.filter { $0.settings != nil }
        guard !follows.isEmpty else { return ([], []) }
        let counts = try connection.query(FollowStatements.counts, follows.map(\.key).binds) { row in
            (place: Int(try row.int(0)) - 1, held: Int(try row.int(1)), isFollowed: try row.bool(2))
        }
        var held: [DeviceID: Int] = [:]
        var followed: Set<DeviceMatchKey> = []
        for count in counts {
            let key = follows[count.place].key
            if count.isFollowed { followed.insert(key) }
            held[key.device] = count.held
        }
        var refused: Set<DeviceMatchKey> = []
        for key in follows.map(\.key) where !followed.contains(key) {
            let count = held[key.device] ?? 0
            if count >= FollowLimits.followsPerDevice { refused.insert(key) } else { held[key.device] = count + 1 }
        }
        return (refused, followed)
    }

    /// Writes calls; returns for each written one its row, and whether a registration may have copied older settings.
    ///
    /// It may not when the settings are and were the defaults, since it copied these; nearly all calls are so.
    private static func put(
        _ calls: [FollowCall],
        at now: Instant,
        on connection: isolated Connection
    ) throws -> [DeviceMatchKey: (follow: Follow, mayBeMissed: Bool)] {
        guard !calls.isEmpty else { return [:] }
        let binds =
            calls.map(\.key).binds + [
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
        return Dictionary(written.map { ($0.follow.key, $0) }) { first, _ in first }
    }

    private static func readStored(
        _ keys: [DeviceMatchKey],
        on connection: isolated Connection
    ) throws -> [DeviceMatchKey: Follow] {
        guard !keys.isEmpty else { return [:] }
        let follows = try connection.query(FollowStatements.stored, keys.binds) { try $0.follow() }
        return Dictionary(follows.map { ($0.key, $0) }) { first, _ in first }
    }

    static func replaceAll(
        _ follows: [MatchID: FollowSettings],
        keeping kept: Set<MatchID>,
        of device: DeviceID,
        clientSequence: Int64,
        in pool: Pool,
        at now: Instant
    ) async throws -> FollowListOutcome {
        let outcome: FollowListOutcome = try await pool.transaction { connection in
            let place = device.binds
            let shown = try connection.lockActivities(of: device)
            let state = try connection.query(FollowStatements.lockDeviceState, place) { try DeviceState($0) }.first
            if state?.isErased == true { return .unknownDevice }
            if let listSeq = state?.listSeq, listSeq > clientSequence { return .outdated(clientSequence: listSeq) }
            guard try hasRoom(for: Array(follows.keys), on: connection) else { return .limitReached }
            let before = try connection.query(FollowStatements.lockAll, place) { try $0.follow() }
            let withdrawn = before.filter { $0.isFollowed && follows[$0.match] == nil && !kept.contains($0.match) }
            let calls =
                follows.values.map {
                    FollowCall(device: device, match: $0.match, settings: $0, clientSequence: clientSequence)
                }
                + withdrawn.map {
                    FollowCall(device: device, match: $0.match, settings: nil, clientSequence: clientSequence)
                }
            let stored = Dictionary(before.map { ($0.match, $0) }) { first, _ in first }
            let newer = calls.compactMap { call in
                stored[call.match].flatMap {
                    $0.outdates(call.settings, clientSequence: clientSequence) ? $0 : nil
                }
            }
            if !calls.isEmpty, newer.count == calls.count {
                // The list still withdraws older follows of other matches that arrive later.
                try connection.execute(FollowStatements.noteList, place + [.int(clientSequence)])
                return .outdated(clientSequence: newer.map(\.clientSequence).max() ?? clientSequence)
            }
            // A repetition of the newest list finds all of it stored; another list with its number does not.
            let isUnstored = calls.contains { stored[$0.match].map { $0.clientSequence < clientSequence } ?? true }
            if state?.listSeq == clientSequence, isUnstored { return .outdated(clientSequence: clientSequence) }
            try connection.execute(FollowStatements.noteList, place + [.int(clientSequence)])
            let outdated = newer.map(\.match)
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
        try await RegistrationBarrier.catchUp(device, in: pool)
        return outcome
    }

    private static func hasRoom(for matches: [MatchID], on connection: isolated Connection) throws -> Bool {
        guard matches.count > FollowLimits.followsPerDevice else { return true }
        let binds: [Bind] = [.texts(matches.map(\.text))]
        let count = try connection.query(FollowStatements.countUnfinished, binds) { try $0.int(0) }.first ?? 0
        return count <= Int64(FollowLimits.followsPerDevice)
    }
}
