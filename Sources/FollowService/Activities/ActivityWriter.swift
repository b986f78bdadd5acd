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
            let (wishes, erased) = try connection.wishes(of: calls.map(\.key))
            guard !erased.isEmpty else { return try write(calls, binds, wishes, on: connection) }
            var outcomes = [ActivityOutcome](repeating: .unknownDevice, count: calls.count)
            let places = calls.indices.filter { !erased.contains($0) }
            let known = places.map { calls[$0] }
            guard !known.isEmpty else { return outcomes }
            let binds = registrationBinds(known, at: now)
            let written = try write(known, binds, places.map { wishes[$0] }, on: connection)
            for (place, outcome) in zip(places, written) { outcomes[place] = outcome }
            return outcomes
        }
    }

    private static func write(
        _ calls: [ActivityRegistration],
        _ binds: [Bind],
        _ wishes: [Int16],
        on connection: isolated Connection
    ) throws -> [ActivityOutcome] {
        var generations = [Int32](repeating: 0, count: calls.count)
        let written = try connection.query(ActivityStatements.register, binds + [.smallints(wishes)]) { row in
            (place: try place(of: row, in: calls), generation: try row.medium(1))
        }
        for row in written { generations[row.place] = row.generation }
        try connection.noteChanges(written.lazy.map { calls[$0.place].key })
        let others = calls.indices.filter { generations[$0] == 0 }
        let stored = try readStored(others.map { calls[$0].key }, on: connection)
        return calls.indices.map { place in
            if generations[place] > 0 { return .registered(generation: generations[place]) }
            guard let row = stored[calls[place].key] else { return .ended(.erased) }
            return ActivityOutcome(of: calls[place], stored: row)
        }
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

    private static func readStored(
        _ keys: [DeviceMatchKey],
        on connection: isolated Connection
    ) throws -> [DeviceMatchKey: StoredActivity] {
        guard !keys.isEmpty else { return [:] }
        let rows = try connection.query(ActivityStatements.stored, keys.binds) { row in
            let isActive = try row.int(4) == 1
            let reason = try row.textIfPresent(5).flatMap { EndReason(rawValue: $0) } ?? .missing
            let stored = StoredActivity(
                activityID: ActivityID(unchecked: try row.text(1)),
                generation: try row.medium(2),
                clientSequence: try row.int(3),
                endReason: isActive ? nil : reason
            )
            return (keys[Int(try row.int(0)) - 1], stored)
        }
        return Dictionary(rows) { first, _ in first }
    }

    static func end(_ calls: [ActivityEnd], in pool: Pool) async throws -> [ActivityEndOutcome] {
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
                if activity.hasEnded && activity.endReason?.isInferred != true { continue }
                if activity.clientSequence < call.clientSequence {
                    let key = DeviceMatchKey(match: activity.match, device: call.device)
                    ending.append((key: key, call: call, hadEnded: activity.hasEnded))
                } else if !activity.hasEnded {
                    outcomes[activity.place] = .outdated(clientSequence: activity.clientSequence)
                }
            }
            try write(ending, on: connection)
            return outcomes
        }
    }

    private static func write(_ ending: [WrittenEnd], on connection: isolated Connection) throws {
        guard !ending.isEmpty else { return }
        try connection.execute(
            ActivityStatements.end,
            ending.map(\.key).binds + [
                .texts(ending.map(\.call.reason.rawValue)), .ints(ending.map(\.call.clientSequence)),
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
