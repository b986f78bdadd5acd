// A failed append means one of three things to its caller, so its errors differ by type.

public import Postgres

/// Why an operation on the journal failed.
public enum JournalError: Error, Sendable {
    /// The writer's term has ended, or another node has its lease: it must not write.
    case fenced
    /// The head is not the expected one: another writer has appended.
    case conflict(expected: Int64, found: Int64)
    /// No such match was opened.
    case unknownMatch
    /// A stored entry cannot be read, as after a downgrade; `revision` names the row.
    case unreadable(revision: Int64, reason: String)
    /// More callers wait for one match than `JournalLimits.waitingCalls`.
    case busy
    /// The database failed; whether a commit took place is unknown when `isAmbiguous`.
    case postgres(PostgresError)

    /// Whether a write may have been committed although this error came.
    var isAmbiguous: Bool {
        guard case .postgres(let error) = self else { return false }
        switch error.kind {
        case .connection, .timeout: return true
        default: return false
        }
    }

    /// Classifies an error of the connection pool.
    ///
    /// - Parameter error: Any error; one of another kind becomes `postgres`.
    public init(_ error: any Error) {
        switch error {
        case let error as JournalError: self = error
        case let error as PostgresError where error.kind == .fenced: self = .fenced
        case let error as PostgresError: self = .postgres(error)
        default: self = .postgres(PostgresError(.other, message: String(describing: error)))
        }
    }
}
