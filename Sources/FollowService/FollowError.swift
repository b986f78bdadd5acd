// The errors of the follow store that callers distinguish.

public import Postgres

/// A failure of the follow store; nothing was written unless the case says so.
public enum FollowError: Error, Sendable {
    /// Too many calls wait; the app should retry in a second.
    case busy
    /// PostgreSQL refused or could not be reached; the write may have happened, and repeating it is safe.
    case unavailable(PostgresError)
    /// The service stops.
    case stopped

    /// Maps an error of a database call.
    init(_ error: any Error) {
        switch error {
        case let error as FollowError: self = error
        case let error as PostgresError where error.kind == .poolFull: self = .busy
        case let error as PostgresError: self = .unavailable(error)
        default:
            self = .unavailable(PostgresError(.other, message: "the call was cancelled or failed: \(type(of: error))"))
        }
    }

    /// Runs database calls and maps their errors.
    static func mapping<R>(_ body: () async throws -> R) async throws(FollowError) -> R {
        do {
            return try await body()
        } catch {
            throw FollowError(error)
        }
    }
}

extension Pool {
    /// The decoded rows of one statement.
    func rows<T: Sendable>(
        _ statement: Statement,
        _ binds: [Bind],
        decode: @Sendable (Row) throws -> T
    ) async throws(FollowError) -> [T] {
        try await FollowError.mapping { try await query(statement, binds, decode: decode) }
    }

    /// Runs one statement; returns the number of rows written.
    @discardableResult
    func write(_ statement: Statement, _ binds: [Bind]) async throws(FollowError) -> Int {
        try await FollowError.mapping { try await execute(statement, binds) }
    }

    /// Runs the body in one transaction.
    func commit<R: Sendable>(_ body: @Sendable (isolated Connection) throws -> R) async throws(FollowError) -> R {
        try await FollowError.mapping { try await transaction(.readWrite, body) }
    }
}
