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
            let column = kind == .alert ? 1 : 3
            let states = try connection.query(DeviceStatements.tokenStates, places) { row in
                (try row.uuid(0), (generation: try row.medium(column), clientSequence: try row.int(column + 1)))
            }
            let stored = Dictionary(states) { first, _ in first }
            return calls.map { call in
                if let generation = generations[call.device] { return .stored(generation: generation) }
                guard let state = stored[call.device] else { return .unknownDevice }
                return state.clientSequence > call.clientSequence
                    ? .outdated(generation: state.generation, clientSequence: state.clientSequence)
                    : .unchanged(generation: state.generation)
            }
        }
    }
}
