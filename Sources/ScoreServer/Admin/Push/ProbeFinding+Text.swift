// An operator reads what a probe of the key means, and which setting to correct.

import PushDispatcher

extension KeyProbe.Finding {
    /// The answer in one sentence, with the remedy.
    var sentence: String {
        switch self {
        case .good: "APNs accepts the key and the topic."
        case .refused(_, let reason, _): reason.remedy
        case .unsigned: "There is no provider token: the key cannot sign, or the shared token cannot be read."
        case .unreachable(let cause): "APNs did not answer: \(cause)."
        }
    }
}

extension APNsReason {
    /// The remedy for an answer to a probe.
    fileprivate var remedy: String {
        switch self {
        case .invalidProviderToken:
            "Key id, team id and key do not belong together: compare APNS_KEY_ID and APNS_TEAM_ID with the key's page."
        case .expiredProviderToken:
            "The provider token is older than an hour for APNs: correct the clock of the database."
        case .forbidden, .missingProviderToken: "The key is not allowed to send pushes: enable APNs for it."
        case .badEnvironmentKeyID, .badEnvironmentKey:
            "The key belongs to the other environment: use a key for both, or one for this environment."
        case .topicDisallowed, .badTopic, .missingTopic, .topicMismatch:
            "The key does not cover the topic: APNS_BUNDLE_ID is the id of an app of the key's team, without a suffix."
        case .tooManyProviderTokenUpdates:
            "Another system signs tokens with this key too often: give this server a key of its own."
        case .unrelatedKeyID: "The connection belongs to another key: repeat the probe."
        case .badCertificate, .badCertificateEnvironment:
            "A proxy presents a certificate to APNs: let the server connect directly."
        case .none: "APNs accepted a push to a token that no phone has: this is not Apple's server."
        default:
            "APNs does not accept the probe for another reason than the token: see the reason in Apple's documents."
        }
    }
}
