// The store and the dispatcher both work on channels, so the record of a channel is defined below both.

/// Which alerts the broadcasts on a channel carry.
public enum ChannelProfile: String, Sendable, Hashable, CaseIterable {
    /// Alerts for the default moments.
    case loud
    /// No alerts; followers with their own choice of moments receive notifications instead.
    case quiet
}

/// One APNs broadcast channel of a match.
public struct ChannelRecord: Sendable, Hashable {
    /// The match.
    public var match: MatchID
    /// The APNs environment.
    public var environment: PushEnvironment
    /// The Swift type that its activities decode.
    public var attributesType: String
    /// Which alerts it carries.
    public var profile: ChannelProfile
    /// Counts the channels of one match, environment, type and profile from 1.
    ///
    /// A new generation begins when the activities on the old one approach ActivityKit's limit of eight hours.
    public var generation: Int32
    /// Apple's name for it.
    public var channel: ChannelID
    /// When it was created.
    public var createdAt: Instant
    /// When it was retired; nil while it is in use.
    public var retiredAt: Instant?
    /// The newest revision that APNs accepted for it; 0 for none.
    public var sentRevision: Int64
    /// When APNs accepted it; nil before the first broadcast.
    public var sentAt: Instant?
    /// When its activities began to move to the next generation; nil before.
    public var supersededAt: Instant?
    /// Whether activities may be started on it.
    public var isCurrent: Bool { retiredAt == nil && supersededAt == nil }

    /// Makes the value from its fields.
    public init(
        match: MatchID,
        environment: PushEnvironment,
        attributesType: String,
        profile: ChannelProfile,
        generation: Int32,
        channel: ChannelID,
        createdAt: Instant,
        retiredAt: Instant? = nil,
        sentRevision: Int64 = 0,
        sentAt: Instant? = nil,
        supersededAt: Instant? = nil
    ) {
        self.match = match
        self.environment = environment
        self.attributesType = attributesType
        self.profile = profile
        self.generation = generation
        self.channel = channel
        self.createdAt = createdAt
        self.retiredAt = retiredAt
        self.sentRevision = sentRevision
        self.sentAt = sentAt
        self.supersededAt = supersededAt
    }
}
