// Metrics and logs name the traps of the snapshot contract by their ids.

extension APNsReason {
    /// The id of the trap that this reason indicates; nil for other reasons.
    public var trap: String? {
        switch self {
        case .payloadTooLarge: "MS011"
        case .badDeviceToken: "MS014"
        case .tooManyRequests: "MS015"
        case .topicDisallowed: "MS018"
        case .unregistered: "MS020"
        case .expiredProviderToken, .invalidProviderToken, .forbidden: "MS030"
        case .missingChannelID, .badChannelID, .channelNotRegistered: "MS031"
        case .badExpirationDate: "MS032"
        case .featureNotEnabled: "MS034"
        case .missingTopic: "MS035"
        default: nil
        }
    }

    /// The runbook's name of the operator's error that this reason indicates; nil for other reasons.
    public var operatorFault: String? {
        switch self {
        case .expiredProviderToken: "expiredProviderToken"
        case .invalidProviderToken: "invalidProviderToken"
        case .forbidden: "forbidden"
        case .badTopic: "badTopic"
        case .topicDisallowed: "topicDisallowed"
        case .badEnvironmentKeyID, .badEnvironmentKey: "badEnvironment"
        case .missingTopic: "missingTopic"
        case .featureNotEnabled: "featureNotEnabled"
        case .cannotCreateChannelConfig: "channelLimit"
        case .tooManyProviderTokenUpdates: "tooManyProviderTokenUpdates"
        default: nil
        }
    }
}
