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

    /// The status code.
    var status: Int {
        switch self {
        case .invalidRequest, .unknownParameter, .missingIdempotencyKey: 400
        case .unauthenticated, .invalidCredential: 401
        case .forbidden, .deviceBlocked: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .requestTimeout: 408
        case .conflict, .staleClientSequence, .idempotencyInProgress, .feedPaused: 409
        case .revisionCompacted, .matchRemoved: 410
        case .preconditionFailed: 412
        case .payloadTooLarge: 413
        case .unsupportedMediaType: 415
        case .idempotencyMismatch, .validationFailed, .tooManyFollows, .appNotServed: 422
        case .headersTooLarge: 431
        case .quotaExceeded: 429
        case .internalError: 500
        case .notImplemented: 501
        case .temporarilyUnavailable: 503
        }
    }

    /// A short summary that never varies, from docs/problems.md.
    var title: String { ProblemPage.bySlug[rawValue]?.title ?? rawValue }
}
