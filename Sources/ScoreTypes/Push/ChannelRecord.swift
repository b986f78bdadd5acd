// A broadcast channel reaches everybody with one request; this is what is remembered of it.

public import ScoreTypes

/// What a channel's activities are told.
public enum ChannelProfile: String, Sendable, Hashable, CaseIterable {
    /// Alerts for the default moments.
    case loud
    /// Never an alert; people with wishes of their own get notifications beside it.
    case quiet
}

/// One broadcast channel of a match.
public struct ChannelRecord: Sendable, Hashable {
    /// The match.
    public var match: MatchID
    /// Apple's world.
    public var environment: PushEnvironment
    /// The attributes type of its activities.
    public var attributesType: String
    /// What they are told.
    public var profile: ChannelProfile
    /// Grows with each channel of the same kind; activities move to the next before Apple's eight hours are over.
    public var generation: Int32
    /// Apple's name for it.
    public var channel: ChannelID
    /// When it was made.
    public var createdAt: Instant
    /// When it was given up; nil while it is in use.
    public var retiredAt: Instant?
    /// The newest revision that APNs accepted for it; 0 for none.
    public var sentRevision: Int64
    /// When that was.
    public var sentAt: Instant?
    /// When its activities began to move to the next generation; nil before.
    public var supersededAt: Instant?
    /// Whether activities may be started on it.
    public var isCurrent: Bool { retiredAt == nil && supersededAt == nil }

    /// Describes a channel.
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
