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
}
