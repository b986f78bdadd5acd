// One transaction writes a batch of device tokens; a token that another device had moves to the newer caller.

internal import Postgres
internal import ScoreTypes

enum DeviceTokenWriter {
    /// A token that another device had.
    private typealias Move = (to: DeviceID, from: DeviceID)

    /// Writes calls; `onEnded` is called after a commit that ended activities.
    static func write(
        _ calls: [DeviceTokenRegistration],
        kind: DeviceTokenKind,
        in pool: Pool,
        at now: Instant,
        onEnded: @Sendable () -> Void
    ) async throws -> [DeviceTokenOutcome] {
        var outcomes = [DeviceTokenOutcome](repeating: .unknownDevice, count: calls.count)
        for places in rounds(of: calls) {
            let (written, hasEnded) = try await write(round: places.map { calls[$0] }, kind: kind, in: pool, at: now)
            for (place, outcome) in zip(places, written) { outcomes[place] = outcome }
            if hasEnded { onEnded() }
        }
        return outcomes
    }

    /// The indices of the calls in groups without a repeated token, so that the last call of a token gets it.
    private static func rounds(of calls: [DeviceTokenRegistration]) -> [[Int]] {
        var rounds: [[Int]] = []
        var counts: [PushToken: Int] = [:]
        for (place, call) in calls.enumerated() {
            let round = call.token.map { counts[$0, default: 0] } ?? 0
            if let token = call.token { counts[token] = round + 1 }
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(place)
        }
        return rounds
    }

    private static func write(
        round calls: [DeviceTokenRegistration],
        kind: DeviceTokenKind,
        in pool: Pool,
        at now: Instant
    ) async throws -> (outcomes: [DeviceTokenOutcome], hasEnded: Bool) {
        let places: [Bind] = calls.map(\.device).binds
        let (tokens, sequences) = (
            Bind.optionalBytesArray(calls.map { $0.token?.bytes }), Bind.ints(calls.map(\.clientSequence))
        )
        let binds =
            places + [
                tokens, .smallints(calls.map(\.environment.code)), .smallints(calls.map(\.variant.code)), sequences,
                .timestamp(now),
            ]
        let statements = DeviceTokenStatements.of(kind)
        return try await pool.transaction { connection in
            let moves = try connection.query(statements.claim, places + [tokens, sequences]) { row -> Move in
                (to: try row.uuid(0), from: try row.uuid(1))
            }
            let hasEnded = try take(moves, for: calls, statements, at: now, on: connection)
            let written = try connection.query(statements.set, binds) { (try $0.uuid(0), try $0.medium(1)) }
            let generations = Dictionary(written) { first, _ in first }
            let others = calls.map(\.device).filter { generations[$0] == nil }
            let states = try connection.query(statements.states, others.binds) { row in
                (try row.uuid(0), try TokenState(row))
            }
            let stored = Dictionary(states) { first, _ in first }
            let outcomes = calls.map { call -> DeviceTokenOutcome in
                if let generation = generations[call.device] { return .stored(generation: generation) }
                return stored[call.device]?.outcome(of: call) ?? .unknownDevice
            }
            return (outcomes, hasEnded)
        }
    }

    /// Takes tokens from the devices that had them, and ends their activities; returns whether there were any.
    private static func take(
        _ moves: [Move],
        for calls: [DeviceTokenRegistration],
        _ statements: DeviceTokenStatements,
        at now: Instant,
        on connection: isolated Connection
    ) throws -> Bool {
        guard !moves.isEmpty else { return false }
        let tokens = Dictionary(calls.map { ($0.device, $0.token?.bytes ?? []) }) { first, _ in first }
        let moved = Bind.bytesArray(moves.map { tokens[$0.to] ?? [] })
        let owners = Set(moves.map(\.from))
        try connection.execute(DeviceTokenStatements.lockActivities, Array(owners).binds)
        try connection.execute(DeviceTokenStatements.lockDevices, Array(owners.union(moves.map(\.to))).binds)
        let released = try connection.query(statements.release, moves.map(\.from).binds + [moved]) { try $0.uuid(0) }
        try connection.execute(statements.own, [.uuids(moves.map(\.to)), moved])
        let binds = Array(Set(released)).binds + [.timestamp(now)]
        let ended = try connection.query(DeviceTokenStatements.endActivities, binds) { try $0.activityKey() }
        try connection.noteChanges(ended)
        return !ended.isEmpty
    }
}

/// A stored token, to compare with a call that changed nothing.
private struct TokenState {
    let generation: Int32
    let clientSequence: Int64
    let token: PushToken?
    let environment: PushEnvironment
    /// Nil for a kind of token without one.
    let variant: ActivityVariant?
    /// Whether the newest call stored a token; APNs may have rejected it since.
    let hadToken: Bool

    init(_ row: Row) throws {
        generation = try row.medium(1)
        clientSequence = try row.int(2)
        token = try row.bytesIfPresent(3).flatMap { PushToken(bytes: $0) }
        environment = try row.environment(4)
        variant = try row.intIfPresent(5).flatMap { ActivityVariant(code: Int16(clamping: $0)) }
        hadToken = try row.bool(6)
    }

    func outcome(of call: DeviceTokenRegistration) -> DeviceTokenOutcome {
        clientSequence == call.clientSequence && hasContent(of: call)
            ? .unchanged(generation: generation)
            : .outdated(generation: generation, clientSequence: clientSequence)
    }

    /// Whether the call would store what is stored; a rejected token cannot be compared any more.
    private func hasContent(of call: DeviceTokenRegistration) -> Bool {
        guard call.token != nil else { return !hadToken }
        return hadToken && (token == nil || token == call.token) && environment == call.environment
            && (variant == nil || variant == call.variant)
    }
}
