// The only place that decides what each answer of APNs means; every reason has a row.

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
