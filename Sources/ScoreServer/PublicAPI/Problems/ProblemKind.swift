// The catalogue of the problems that the API answers with.

/// A kind of problem; its raw value is the slug in `type`, `/v1/problems/<slug>`.
enum ProblemKind: String, Sendable, Hashable, CaseIterable {
    case invalidRequest = "invalid-request"
    case unknownParameter = "unknown-parameter"
    case missingIdempotencyKey = "missing-idempotency-key"
    case unauthenticated = "unauthenticated"
    case invalidCredential = "invalid-credential"
    case forbidden = "forbidden"
    case deviceBlocked = "device-blocked"
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
    case tooManyFollows = "too-many-follows"
    case appNotServed = "app-not-served"
    case headersTooLarge = "headers-too-large"
    case quotaExceeded = "quota-exceeded"
    case internalError = "internal-error"
    case notImplemented = "not-implemented"
    case temporarilyUnavailable = "temporarily-unavailable"

    /// The status code, a short summary that never varies, and the meaning with the remedy for a client.
    var documentation: (status: Int, title: String, explanation: String) {
        switch self {
        case .invalidRequest: (400, "The request is malformed", "Correct the request; `errors` names what is wrong.")
        case .unknownParameter: (400, "Unknown query parameter", "Remove or correct `parameter`.")
        case .missingIdempotencyKey:
            (400, "Idempotency-Key is missing", "Send 16 to 64 printable ASCII characters, the same in each retry.")
        case .unauthenticated: (401, "A credential is required", "Send the header Authorization: Bearer <credential>.")
        case .invalidCredential:
            (401, "The credential is not valid", "It is unknown, expired or erased; register again.")
        case .forbidden:
            (403, "Not allowed", "The role of the credential does not permit this; `requiredRole` names one that does.")
        case .deviceBlocked:
            (
                403, "The device is blocked",
                "An operator blocks it; keep the credential, and retry after the time in Retry-After."
            )
        case .notFound: (404, "Not found", "There is no such resource.")
        case .methodNotAllowed: (405, "The method is not allowed", "The header Allow lists the allowed methods.")
        case .requestTimeout: (408, "The request took too long to arrive", "Send it again over a better connection.")
        case .conflict: (409, "The request conflicts with the current state", "Read the resource again, then decide.")
        case .staleClientSequence:
            (
                409, "A newer request, or another one with this clientSeq, was processed before this one",
                "Keep `current`; retry with a clientSeq greater than the one in the answer if still wanted."
            )
        case .idempotencyInProgress:
            (409, "The first request with this key is still running", "Wait `retryAfterMs`, then retry.")
        case .feedPaused: (409, "The feed is paused", "It is not polled until an operator resumes it.")
        case .revisionCompacted:
            (410, "This position is not available", "Read the snapshot at `snapshotUrl` and continue from it.")
        case .matchRemoved:
            (410, "The match has been removed", "Its provider no longer has it; remove it, it may return.")
        case .preconditionFailed:
            (
                412, "The resource has changed since it was read",
                "Read it again, and send `currentEtag` if still wanted."
            )
        case .payloadTooLarge: (413, "The body is too large", "Send at most `limitBytes`.")
        case .unsupportedMediaType: (415, "The media type is not supported", "Send application/json.")
        case .idempotencyMismatch:
            (422, "The Idempotency-Key was used for another body", "Use a new key for a new request.")
        case .validationFailed: (422, "Some values are invalid", "`errors` names each one by JSON pointer.")
        case .tooManyFollows:
            (422, "The device follows too many matches", "End a follow first; `limit` is the number of matches.")
        case .appNotServed:
            (
                422, "No push reaches this app or its APNs environment",
                "Use `servedBundleId` and one of `servedEnvironments`, or another server."
            )
        case .headersTooLarge: (431, "The headers are too large", "Send at most 16 KiB and 100 fields.")
        case .quotaExceeded:
            (429, "Too many requests", "Retry after the time in Retry-After; `violatedPolicies` names the limits.")
        case .internalError: (500, "Internal error", "Report the `instance`; a retry may succeed.")
        case .notImplemented:
            (501, "The server does not know the transfer coding", "Send the body with chunked or Content-Length alone.")
        case .temporarilyUnavailable:
            (503, "The service is temporarily unavailable", "Retry after the time in Retry-After.")
        }
    }
}
