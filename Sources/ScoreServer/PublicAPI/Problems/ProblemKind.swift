// The catalogue of everything that the API may answer instead of what was asked for.

/// A kind of problem; its raw value is the slug in `type`, `/v1/problems/<slug>`.
enum ProblemKind: String, Sendable, Hashable, CaseIterable {
    case invalidRequest = "invalid-request"
    case unknownParameter = "unknown-parameter"
    case missingIdempotencyKey = "missing-idempotency-key"
    case unauthenticated = "unauthenticated"
    case invalidCredential = "invalid-credential"
    case forbidden = "forbidden"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case requestTimeout = "request-timeout"
    case conflict = "conflict"
    case staleClientSequence = "stale-client-sequence"
    case idempotencyInProgress = "idempotency-in-progress"
    case feedPaused = "feed-paused"
    case revisionCompacted = "revision-compacted"
    case matchRemoved = "match-removed"
    case preconditionFailed = "precondition-failed"
    case payloadTooLarge = "payload-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case idempotencyMismatch = "idempotency-mismatch"
    case validationFailed = "validation-failed"
    case headersTooLarge = "headers-too-large"
    case quotaExceeded = "quota-exceeded"
    case internalError = "internal-error"
    case temporarilyUnavailable = "temporarily-unavailable"

    /// The status code.
    var status: Int {
        switch self {
        case .invalidRequest, .unknownParameter, .missingIdempotencyKey: 400
        case .unauthenticated, .invalidCredential: 401
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .conflict, .staleClientSequence, .idempotencyInProgress, .feedPaused: 409
        case .revisionCompacted, .matchRemoved: 410
        case .preconditionFailed: 412
        case .payloadTooLarge: 413
        case .unsupportedMediaType: 415
        case .idempotencyMismatch, .validationFailed: 422
        case .headersTooLarge: 431
        case .quotaExceeded: 429
        case .internalError: 500
        case .temporarilyUnavailable: 503
        }
    }

    /// A short summary that never varies.
    var title: String { documentation.title }

    /// What it means and what to do.
    var explanation: String { documentation.explanation }

    private var documentation: (title: String, explanation: String) {
        switch self {
        case .invalidRequest: ("The request is not well formed", "Correct the request; `errors` names what is wrong.")
        case .unknownParameter: ("A query parameter is not known", "Remove or correct `parameter`.")
        case .missingIdempotencyKey:
            ("Idempotency-Key is missing", "Send 16 to 64 printable ASCII characters, the same ones at a retry.")
        case .unauthenticated: ("A credential is needed", "Send Authorization: Bearer with your credential.")
        case .invalidCredential: ("The credential is not valid", "It is unknown, expired or erased; register again.")
        case .forbidden:
            ("Not allowed", "The credential's role does not permit this; `requiredRole` names one that does.")
        case .notFound: ("Not found", "Nothing of this name exists here.")
        case .methodNotAllowed: ("The method is not offered here", "The header Allow names the methods that are.")
        case .requestTimeout: ("The request took too long to arrive", "Send it again over a better connection.")
        case .conflict: ("The request contradicts the present state", "Read the resource again and decide anew.")
        case .staleClientSequence:
            (
                "A newer request was seen before this one",
                "Keep `current`; retry with a greater clientSeq if still wanted."
            )
        case .idempotencyInProgress: ("The first request of this key still runs", "Wait `retryAfterMs` and ask again.")
        case .feedPaused: ("The feed is paused", "Nothing is asked of it until an operator resumes it.")
        case .revisionCompacted:
            ("This position is not kept", "Read the snapshot at `snapshotUrl` and go on from there.")
        case .matchRemoved:
            ("The match has been taken off", "Its provider does not know it any more; forget it, it may come back.")
        case .preconditionFailed:
            ("The resource has changed since it was read", "Read it again, and send `currentEtag` if still wanted.")
        case .payloadTooLarge: ("The body is too large", "Send at most `limitBytes`.")
        case .unsupportedMediaType: ("The media type is not supported", "Send application/json.")
        case .idempotencyMismatch: ("The Idempotency-Key was used for another body", "Use a new key for a new request.")
        case .validationFailed: ("Some values are not acceptable", "`errors` names each of them by JSON pointer.")
        case .headersTooLarge: ("The headers are too large", "Send at most 16 KiB and 100 fields.")
        case .quotaExceeded: ("Too many requests", "Wait as Retry-After says; `violatedPolicies` names the limits.")
        case .internalError: ("Something failed inside the service", "Report the `instance`; a retry may succeed.")
        case .temporarilyUnavailable: ("The service cannot do this now", "Wait as Retry-After says and try again.")
        }
    }
}
