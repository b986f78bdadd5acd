// What callers of the follow store have to tell apart.

public import Postgres

/// A failure of the follow store; nothing was written that the caller did not learn of, unless the cause says so.
public enum FollowError: Error, Sendable {
    /// Too many calls wait already; the app should come back in a second.
    case busy
    /// Postgres refused or could not be reached; a write in flight may or may not have happened, repeating it is safe.
    case unavailable(PostgresError)
    /// The service stops.
    case stopped

    /// Sorts any error of a database call.
    init(_ error: any Error) {
        switch error {
        case let error as FollowError: self = error
        case let error as PostgresError where error.kind == .poolFull: self = .busy
        case let error as PostgresError: self = .unavailable(error)
        default: self = .unavailable(PostgresError(.other, message: "the call was cancelled or failed: \(type(of: error))"))
        }
    }
}
