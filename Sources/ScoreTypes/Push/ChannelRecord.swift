// The store and the dispatcher both work on channels, so the record of a channel is defined below both.

/// Which alerts the broadcasts on a channel carry.
public enum ChannelProfile: String, Sendable, Hashable, CaseIterable {
    /// Alerts for the default moments.
    case loud
    /// No alerts; followers with their own choice of moments receive notifications instead.
    case quiet
}

/// The messages that Apple stores for phones that join a channel or reconnect later; the raw values are Apple's.
public enum ChannelStorage: Int16, Sendable, Hashable, CaseIterable {
    /// None: a broadcast reaches the phones that are connected.
    case none = 0
    /// The newest one, for at most eight hours.
    case newest = 1
}

/// The properties by which the channels of a match differ, their generation aside.
public struct ChannelKind: Sendable, Hashable {
    /// The match.
    public var match: MatchID
    /// The APNs environment.
    public var environment: PushEnvironment
    /// The Swift type that the activities on it decode.
    public var attributesType: String
    /// Which alerts it carries.
    public var profile: ChannelProfile

    /// Makes the value from its fields.
    public init(match: MatchID, environment: PushEnvironment, attributesType: String, profile: ChannelProfile) {
        self.match = match
        self.environment = environment
        self.attributesType = attributesType
        self.profile = profile
    }
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
    /// The messages that Apple stores; fixed at its creation.
    public var storage: ChannelStorage
    /// When it was created.
    public var createdAt: Instant
    /// When its first activity was started or reported; nil while it has none.
    public var openedAt: Instant?
    /// When it was retired; nil while it is in use.
    public var retiredAt: Instant?
    /// The newest revision that APNs accepted for it; 0 for none.
    public var sentRevision: Int64
    /// The newest revision whose broadcast with an alert got no answer; 0 for none.
    ///
    /// No node repeats the alert.
    public var unansweredAlertRevision: Int64
    /// When APNs accepted `sentRevision`; nil before the first broadcast.
    public var sentAt: Instant?
    /// When its activities began to move to the next generation; nil before.
    public var supersededAt: Instant?
    /// Whether activities may be started on it.
    public var isCurrent: Bool { retiredAt == nil && supersededAt == nil }

    /// Its properties without the generation.
    public var kind: ChannelKind {
        ChannelKind(match: match, environment: environment, attributesType: attributesType, profile: profile)
    }

    /// Makes the value from its fields.
    public init(
        match: MatchID,
        environment: PushEnvironment,
        attributesType: String,
        profile: ChannelProfile,
        generation: Int32,
        channel: ChannelID,
        storage: ChannelStorage = .none,
        createdAt: Instant,
        openedAt: Instant? = nil,
        retiredAt: Instant? = nil,
        sentRevision: Int64 = 0,
        unansweredAlertRevision: Int64 = 0,
        sentAt: Instant? = nil,
        supersededAt: Instant? = nil
    ) {
        self.match = match
        self.environment = environment
        self.attributesType = attributesType
        self.profile = profile
        self.generation = generation
        self.channel = channel
        self.storage = storage
        self.createdAt = createdAt
        self.openedAt = openedAt
        self.retiredAt = retiredAt
        self.sentRevision = sentRevision
        self.unansweredAlertRevision = unansweredAlertRevision
        self.sentAt = sentAt
        self.supersededAt = supersededAt
    }
}
