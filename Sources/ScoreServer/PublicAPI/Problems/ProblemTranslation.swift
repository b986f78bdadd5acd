// Maps each error to a problem; an error that is not a problem shows no detail to the client.

import FollowService
import Hummingbird
import MatchJournal
import Postgres
import ScoreIngest

extension ServiceProblem {
    /// The problem for any error that a handler threw.
    static func translating(_ error: any Error) -> ServiceProblem {
        switch error {
        case let problem as ServiceProblem: problem
        case let error as PostgresError: translating(error.kind)
        case let error as FollowError: translating(error)
        case let error as JournalError: translating(error)
        case AliasError.full(let max):
            ServiceProblem(.conflict, "The table of aliases would hold more than \(max); remove some first.")
        case AliasError.journal(let error): translating(error)
        case let error as any HTTPResponseError: translating(status: error.status.code)
        case is CancellationError: .unavailable("deadline")
        default: ServiceProblem(.internalError)
        }
    }

    /// The problem for an unreachable database; a violated constraint is an internal error.
    private static func translating(_ kind: PostgresError.Kind) -> ServiceProblem {
        switch kind {
        case .connection, .readOnly, .exhausted, .serialization, .timeout, .poolFull, .fenced: .unavailable("db")
        default: ServiceProblem(.internalError)
        }
    }

    /// The problem for a write that the follow store did not do.
    private static func translating(_ error: FollowError) -> ServiceProblem {
        switch error {
        case .busy: .unavailable("overload")
        case .stopped: .unavailable("draining")
        case .unavailable(let cause): translating(cause.kind)
        }
    }

    /// The problem for a failed read or write of the journal.
    private static func translating(_ error: JournalError) -> ServiceProblem {
        switch error {
        case .postgres(let cause): translating(cause.kind)
        case .fenced: .unavailable("db")
        case .busy: .unavailable("overload")
        case .conflict: ServiceProblem(.conflict)
        case .unknownMatch: ServiceProblem(.notFound)
        case .unreadable: ServiceProblem(.internalError)
        }
    }

    /// The problem for a status that the framework chose.
    private static func translating(status: Int) -> ServiceProblem {
        switch status {
        case 404: ServiceProblem(.notFound)
        case 405: ServiceProblem(.methodNotAllowed)
        case 413: ServiceProblem(.payloadTooLarge)
        case 415: ServiceProblem(.unsupportedMediaType)
        case 400..<500: ServiceProblem(.invalidRequest)
        default: ServiceProblem(.internalError)
        }
    }
}
