// One transaction writes a batch of device tokens.

internal import Postgres
internal import ScoreTypes

enum DeviceTokenWriter {
    static func write(
        _ calls: [DeviceTokenRegistration],
        kind: DeviceTokenKind,
        in pool: Pool,
        at now: Instant
    ) async throws -> [DeviceTokenOutcome] {
        let places: [Bind] = calls.map(\.device).binds
        let binds =
            places + [
                .optionalBytesArray(calls.map { $0.token?.bytes }), .smallints(calls.map(\.environment.code)),
                .smallints(calls.map(\.variant.code)), .ints(calls.map(\.clientSequence)), .timestamp(now),
            ]
        return try await pool.transaction { connection in
            let statement = DeviceStatements.tokens(kind).set
            let written = try connection.query(statement, binds) { (try $0.uuid(0), try $0.medium(1)) }
            let generations = Dictionary(written) { first, _ in first }
            let others = calls.map(\.device).filter { generations[$0] == nil }
            let states = try connection.query(DeviceStatements.tokens(kind).states, others.binds) { row in
                (try row.uuid(0), try TokenState(row))
            }
            let stored = Dictionary(states) { first, _ in first }
            return calls.map { call in
                if let generation = generations[call.device] { return .stored(generation: generation) }
                return stored[call.device]?.outcome(of: call) ?? .unknownDevice
            }
        }
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
