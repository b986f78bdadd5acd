// The transactions of activities write rows together with their change rows.

internal import Postgres
internal import ScoreTypes

enum ActivityWriter {
    private static let finalReasons = EndReason.allCases.filter(\.isFinal).map(\.rawValue)

    static func register(
        _ calls: [ActivityRegistration],
        in pool: Pool,
        at now: Instant
    ) async throws -> [ActivityOutcome] {
        let binds = registrationBinds(calls, at: now)
        return try await pool.transaction(.marked(RegistrationBarrier.mark)) { connection in
            try connection.openChannels(calls.lazy.compactMap(\.channel), at: now)
            let current = try connection.wishes(of: calls.map(\.key))
            let dismissals = current.earlyEnds.compactMap { place, ends in
                ends.sequence(of: calls[place].activityID).map { (place: place, clientSequence: $0) }
            }
            let refused = current.refused.union(dismissals.map(\.place))
            guard !refused.isEmpty else { return try write(calls, binds, current.alerts, on: connection) }
            var outcomes = calls.indices.map { place -> ActivityOutcome in
                current.refused.contains(place) ? .unknownDevice : .ended(.dismissed)
            }
            let places = calls.indices.filter { !refused.contains($0) }
            if !places.isEmpty {
                let known = places.map { calls[$0] }
                let binds = registrationBinds(known, at: now)
                let written = try write(known, binds, places.map { current.alerts[$0] }, on: connection)
                for (place, outcome) in zip(places, written) { outcomes[place] = outcome }
            }
            try connection.dismiss(dismissals.map { (calls[$0.place].key, $0.clientSequence) })
            return outcomes
        }
    }

    private static func write(
        _ calls: [ActivityRegistration],
        _ binds: [Bind],
        _ wishes: [Int16],
        on connection: isolated Connection
    ) throws -> [ActivityOutcome] {
        var outcomes = [ActivityOutcome?](repeating: nil, count: calls.count)
        let written = try connection.query(ActivityStatements.register, binds + [.smallints(wishes)]) { row in
            (
                place: try place(of: row, in: calls), generation: try row.medium(1),
                replaced: try row.textIfPresent(3).map { ActivityID(unchecked: $0) }
            )
        }
        for row in written {
            outcomes[row.place] =
                row.replaced.map { .replaced($0, generation: row.generation) }
                ?? .registered(generation: row.generation)
        }
        try connection.noteChanges(written.lazy.map { calls[$0.place].key })
        let stored = try readStored(calls.indices.filter { outcomes[$0] == nil }, of: calls, on: connection)
        return calls.indices.map { place in outcomes[place] ?? stored[place] ?? .ended(.erased) }
    }

    /// The index of the sorted call that a row answers; its match is read only where a device has several.
    private static func place(of row: Row, in calls: [ActivityRegistration]) throws -> Int {
        let device = try row.uuid(0)
        let number = DeviceKey(device).sortNumber
        var (low, high) = (0, calls.count)
        while low < high {
            let middle = (low + high) / 2
            if calls[middle].key.sortNumber < number { low = middle + 1 } else { high = middle }
        }
        while low < calls.count, calls[low].device != device { low += 1 }
        let isShared = low + 1 < calls.count && calls[low + 1].device == device
        if isShared {
            let match = MatchID(unchecked: try row.text(2))
            while low < calls.count, calls[low].match != match { low += 1 }
        }
        guard low < calls.count else { throw PostgresError(.decoding, message: "a returned row matches no call") }
        return low
    }

    private static func registrationBinds(_ calls: [ActivityRegistration], at now: Instant) -> [Bind] {
        let oldest = now - FollowLimits.activityAge
        return calls.map(\.key).binds + [
            .texts(calls.map(\.activityID.text)),
            .smallints(calls.map(\.environment.code)),
            .smallints(calls.map(\.variant.code)),
            .smallints(calls.map(\.startedBy.code)),
            .timestamps(calls.map { min(max($0.startedAt, oldest), now) }),
            .ints(calls.map(\.clientSequence)),
            .ints(calls.map(\.knownRev)),
            .optionalTexts(
                calls.map { call in
                    if case .channel(let channel) = call.route { channel.text } else { nil }
                }
            ),
            .bytesArray(
                calls.map { call in
                    if case .token(let token) = call.route { token.bytes } else { [] }
                }
            ),
            .timestamp(now),
            .texts(finalReasons),
        ]
    }

    /// The outcomes of the calls that changed nothing, by their index.
    private static func readStored(
        _ places: [Int],
        of calls: [ActivityRegistration],
        on connection: isolated Connection
    ) throws -> [Int: ActivityOutcome] {
        guard !places.isEmpty else { return [:] }
        let rows = try connection.query(ActivityStatements.stored, places.map { calls[$0].key }.binds) { row in
            let place = places[Int(try row.int(0)) - 1]
            let isActive = try row.int(4) == 1
            let reason = try row.textIfPresent(5).flatMap { EndReason(rawValue: $0) } ?? .missing
            let stored = StoredActivity(
                activityID: ActivityID(unchecked: try row.text(1)),
                generation: try row.medium(2),
                clientSequence: try row.int(3),
                endReason: isActive ? nil : reason
            )
            let isRepeated = try row.hasContent(of: calls[place])
            return (place, ActivityOutcome(of: calls[place], stored: stored, isRepeated: isRepeated))
        }
        return Dictionary(rows) { first, _ in first }
    }

    static func end(_ calls: [ActivityEnd], in pool: Pool, at now: Instant) async throws -> [ActivityEndOutcome] {
        try await pool.transaction { connection in
            let found = try connection.query(
                ActivityStatements.findForEnd,
                calls.map(\.device).binds + [.texts(calls.map(\.activityID.text))]
            ) { row in
                (
                    place: Int(try row.int(0)) - 1,
                    match: MatchID(unchecked: try row.text(1)),
                    clientSequence: try row.int(2),
                    hasEnded: try row.int(3) == 3,
                    endReason: try row.textIfPresent(4).flatMap { EndReason(rawValue: $0) }
                )
            }
            var outcomes = [ActivityEndOutcome](repeating: .unknown, count: calls.count)
            var ending: [WrittenEnd] = []
            for activity in found {
                let call = calls[activity.place]
                outcomes[activity.place] = .ended
                if activity.hasEnded && activity.endReason?.isInferred != true {
                    let isOther = activity.endReason.map { $0 != call.reason && EndReason.ofApp.contains($0) } ?? false
                    if isOther, activity.clientSequence == call.clientSequence {
                        outcomes[activity.place] = .outdated(clientSequence: activity.clientSequence)
                    }
                    continue
                }
                if activity.clientSequence < call.clientSequence {
                    let key = DeviceMatchKey(match: activity.match, device: call.device)
                    ending.append((key: key, call: call, hadEnded: activity.hasEnded))
                } else if !activity.hasEnded {
                    outcomes[activity.place] = .outdated(clientSequence: activity.clientSequence)
                }
            }
            try write(ending, on: connection, at: now)
            return outcomes
        }
    }

    private static func write(
        _ ending: [WrittenEnd],
        on connection: isolated Connection,
        at now: Instant
    ) throws {
        guard !ending.isEmpty else { return }
        try connection.execute(
            ActivityStatements.end,
            ending.map(\.key).binds + [
                .texts(ending.map(\.call.reason.rawValue)), .ints(ending.map(\.call.clientSequence)),
                .timestamp(now),
            ]
        )
        try connection.dismiss(
            ending.filter { $0.call.reason == .dismissed }.map { (key: $0.key, clientSequence: $0.call.clientSequence) }
        )
        try connection.noteChanges(ending.filter { !$0.hadEnded }.map(\.key))
    }

    static func beginEnd(
        _ keys: [(key: DeviceMatchKey, generation: Int32?)],
        before clientSequence: Int64?,
        reason: EndReason,
        in pool: Pool,
        at now: Instant
    ) async throws -> [EndingActivity] {
        guard !keys.isEmpty else { return [] }
        let binds =
            keys.map(\.key).binds + [
                .integers(keys.map { $0.generation ?? 0 }), .text(reason.rawValue), .timestamp(now),
                clientSequence.map { .int($0) } ?? .null,
            ]
        return try await pool.transaction { try $0.endActivities(ActivityStatements.beginEnd, binds) }
    }

    /// Ends rows of exactly the given generations; returns how many.
    static func finish(
        _ rows: [(key: DeviceMatchKey, generation: Int32, deadAt: Instant?)],
        reason: EndReason?,
        in pool: Pool
    ) async throws -> Int {
        guard !rows.isEmpty else { return 0 }
        let binds =
            rows.map(\.key).binds + [
                .integers(rows.map(\.generation)), .optionalTimestamps(rows.map(\.deadAt)),
                reason.map { .text($0.rawValue) } ?? .null,
            ]
        return try await pool.transaction { connection in
            let ended = try connection.query(ActivityStatements.finish, binds) { try $0.activityKey() }
            try connection.noteChanges(ended)
            return ended.count
        }
    }

    /// A report of an app that is written, also over an end that the server only inferred.
    private typealias WrittenEnd = (key: DeviceMatchKey, call: ActivityEnd, hadEnded: Bool)
}

extension Row {
    /// Whether a row of `stored` has what a registration with its number would write.
    ///
    /// The start is not compared, since the server may have moved it, nor is the layout, which depends on the device.
    fileprivate func hasContent(of call: ActivityRegistration) throws -> Bool {
        guard try environment(6) == call.environment, try (variant(7) == .portable) == (call.variant == .portable),
            try small(8) == call.startedBy.code, try int(9) == call.knownRev
        else { return false }
        switch call.route {
        case .channel(let channel): return try textIfPresent(10) == channel.text
        case .token(let token): return try textIfPresent(10) == nil && bytes(11) == token.bytes
        }
    }
}
