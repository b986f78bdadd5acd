// The only place that decides what each answer of APNs means; every reason has a row.

internal import ScoreTypes

/// The result of one request.
struct RequestResult: Sendable, Hashable {
    static let accepted = RequestResult(outcome: .accepted, reason: .none, status: 200)
    /// The request was not sent, or APNs did not process it.
    static let unsent = RequestResult(outcome: .failed(.refused), reason: .transport)

    let outcome: PushOutcome
    let reason: APNsReason
    /// 410: when APNs found the token invalid, in milliseconds since 1970.
    var deadSince: Int64?
    var retryAfter: Duration?
    /// HTTP status; 0 without an answer.
    var status = 0
}

extension RequestResult {
    /// Reads an answer; its body, a small JSON object, is not kept.
    ///
    /// The reason is `.none` if there is no body, `.other` if the body has none.
    init(status: Int, body: UnsafeRawBufferPointer, retryAfter: Duration? = nil) {
        let isReadable = !body.isEmpty && body.count <= PushLimits.answerBytes
        let json = isReadable ? try? JSONElement(parsing: Array(body), .lenient) : nil
        reason = body.isEmpty ? .none : json?["reason"]?.string.map(APNsReason.init(text:)) ?? .other
        deadSince = json?["timestamp"]?.integer
        outcome = PushOutcome(status: status, reason: reason)
        self.retryAfter = retryAfter
        self.status = status
    }
}

extension PushOutcome {
    /// The meaning of a status and its reason; an unknown 4xx is permanent, an unknown 5xx temporary.
    public init(status: Int, reason: APNsReason) {
        if (200..<300).contains(status) {
            self = .accepted
            return
        }
        self = Self.known(reason) ?? Self.byStatus(status)
    }

    private static func known(_ reason: APNsReason) -> PushOutcome? {
        switch reason {
        case .unregistered, .expiredToken, .deviceTokenNotForTopic: .rejected(.evict)
        case .badDeviceToken: .rejected(.quarantine)
        case .badCollapseID, .badExpirationDate, .badMessageID, .badPriority, .duplicateHeaders, .payloadEmpty,
            .invalidPushType, .missingPushType, .missingDeviceToken, .badPath, .methodNotAllowed,
            .payloadTooLarge, .badRequestParams, .badRequestPayload, .missingChannelID, .missingChannelQueueSize,
            .badChannelID:
            .rejected(.dropRequest)
        case .badTopic, .missingTopic, .topicDisallowed, .topicMismatch, .badCertificate, .badCertificateEnvironment,
            .invalidProviderToken, .missingProviderToken, .forbidden, .badEnvironmentKeyID, .badEnvironmentKey:
            .rejected(.stopEnvironment)
        case .channelNotRegistered: .rejected(.recreateChannel)
        case .featureNotEnabled, .cannotCreateChannelConfig: .rejected(.stopChannels)
        case .expiredProviderToken: .failed(.renewedToken)
        case .tooManyProviderTokenUpdates: .failed(.sameToken)
        case .unrelatedKeyID, .idleTimeout: .failed(.newConnection)
        case .tooManyRequests: .failed(.throttled)
        case .internalServerError, .serviceUnavailable: .failed(.server)
        case .shutdown: .failed(.draining)
        case .none, .transport, .other: nil
        }
    }

    private static func byStatus(_ status: Int) -> PushOutcome {
        switch status {
        case 410: .rejected(.evict)
        case 429: .failed(.throttled)
        case 400..<500: .rejected(.dropRequest)
        default: .failed(.server)
        }
    }
}
