// APNs' reasons as a closed list, so that a metric label is never arbitrary text.

/// A reason in APNs' answer to a push, a broadcast or a channel request.
public enum APNsReason: String, Sendable, Hashable, CaseIterable {
    /// Status 200, 201 or 204: there is no reason.
    case none
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case badChannelID = "BadChannelId"
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    /// APNs uses both spellings of this reason.
    case badEnvironmentKeyID = "BadEnvironmentKeyIdInToken"
    case badEnvironmentKey = "BadEnvironmentKeyInToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPath = "BadPath"
    case badPriority = "BadPriority"
    case badRequestParams = "BadRequestParams"
    case badRequestPayload = "BadRequestPayload"
    case badTopic = "BadTopic"
    case cannotCreateChannelConfig = "CannotCreateChannelConfig"
    case channelNotRegistered = "ChannelNotRegistered"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case expiredProviderToken = "ExpiredProviderToken"
    case expiredToken = "ExpiredToken"
    case featureNotEnabled = "FeatureNotEnabled"
    case forbidden = "Forbidden"
    case idleTimeout = "IdleTimeout"
    case internalServerError = "InternalServerError"
    case invalidProviderToken = "InvalidProviderToken"
    case invalidPushType = "InvalidPushType"
    case methodNotAllowed = "MethodNotAllowed"
    case missingChannelID = "MissingChannelId"
    case missingChannelQueueSize = "MissingChannelQueueSize"
    case missingDeviceToken = "MissingDeviceToken"
    case missingProviderToken = "MissingProviderToken"
    case missingPushType = "MissingPushType"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case payloadTooLarge = "PayloadTooLarge"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    case topicDisallowed = "TopicDisallowed"
    case topicMismatch = "TopicMismatch"
    case unregistered = "Unregistered"
    case unrelatedKeyID = "UnrelatedKeyIdInToken"
    /// No answer: the stream was refused, the request timed out or the connection died.
    case transport
    /// An unknown reason, or a missing one.
    case other

    /// Index in `allCases`, for counting without a dictionary.
    public var index: Int { Self.indexes[self] ?? 0 }

    /// Parses Apple's text; blanks are ignored, since "Service Unavailable" occurs in both spellings.
    public init(text: String) {
        let plain = text.filter { $0 != " " }
        self = Self.byText[plain] ?? .other
    }

    private static let byText: [String: APNsReason] = {
        let given = allCases.filter { ![.none, .transport, .other].contains($0) }
        return Dictionary(uniqueKeysWithValues: given.map { ($0.rawValue, $0) })
    }()
    private static let indexes = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}
