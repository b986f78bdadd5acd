// The answers of APNs to requests that it rejects, with its own reasons.

import ScoreTypes

/// A status with Apple's reason.
struct PushRefusal: Error, Sendable, Hashable {
    let status: Int
    let reason: String
    /// For 410: since when the token is dead, in milliseconds since 1970.
    var timestamp: Int64?

    init(_ status: Int, _ reason: String, timestamp: Int64? = nil) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
    }

    static let badPath = PushRefusal(404, "BadPath")
    static let methodNotAllowed = PushRefusal(405, "MethodNotAllowed")
    static let missingToken = PushRefusal(403, "MissingProviderToken")
    static let invalidToken = PushRefusal(403, "InvalidProviderToken")
    static let expiredToken = PushRefusal(403, "ExpiredProviderToken")
    static let unrelatedKey = PushRefusal(403, "UnrelatedKeyIdInToken")
    static let tooManyTokens = PushRefusal(429, "TooManyProviderTokenUpdates")
    static let tooManyRequests = PushRefusal(429, "TooManyRequests")
    static let duplicateHeaders = PushRefusal(400, "DuplicateHeaders")
    static let missingDeviceToken = PushRefusal(400, "MissingDeviceToken")
    static let badChannelID = PushRefusal(400, "BadChannelId")
    static let badDeviceToken = PushRefusal(400, "BadDeviceToken")
    static let notForTopic = PushRefusal(400, "DeviceTokenNotForTopic")
    static let missingTopic = PushRefusal(400, "MissingTopic")
    static let topicDisallowed = PushRefusal(400, "TopicDisallowed")
    static let invalidPushType = PushRefusal(400, "InvalidPushType")
    static let badPriority = PushRefusal(400, "BadPriority")
    static let badExpiration = PushRefusal(400, "BadExpirationDate")
    static let badMessageID = PushRefusal(400, "BadMessageId")
    static let badCollapseID = PushRefusal(400, "BadCollapseId")
    static let payloadEmpty = PushRefusal(400, "PayloadEmpty")
    static let payloadTooLarge = PushRefusal(413, "PayloadTooLarge")
    static let missingChannel = PushRefusal(400, "MissingChannelId")
    static let missingPushType = PushRefusal(400, "MissingPushType")
    static let unknownChannel = PushRefusal(400, "ChannelNotRegistered")
    static let badRequestPayload = PushRefusal(400, "BadRequestPayload")
    static let missingStoragePolicy = PushRefusal(400, "MissingChannelQueueSize")
    static let featureNotEnabled = PushRefusal(400, "FeatureNotEnabled")
    static let tooManyChannels = PushRefusal(400, "CannotCreateChannelConfig")

    /// The body that goes with it.
    var body: [UInt8] {
        JSONWriter.document { json in
            json.field("reason", reason)
            if let timestamp { json.field("timestamp", timestamp) }
        }
    }
}
