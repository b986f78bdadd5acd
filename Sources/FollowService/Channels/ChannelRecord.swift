// A broadcast channel reaches a whole audience with one request; losing its record would leave phones on a dead line.

public import ScoreTypes

/// What a channel carries.
public enum ChannelProfile: String, Sendable, Hashable, CaseIterable {
    /// Content and the alerts of the default moments.
    case loud
    /// Content only.
    case quiet
}

/// A broadcast channel of a match.
public struct ChannelRecord: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// Apple's world.
    public let environment: PushEnvironment
    /// The Swift type that its subscribers decode.
    public let attributesType: String
    /// What it carries.
    public let profile: ChannelProfile
    /// Counts from 1; a new one begins when the activities of the old one come near their eight hours.
    public let generation: Int32
    /// Apple's name for it.
    public let channel: ChannelID
    /// When it was made.
    public let createdAt: Instant
    /// When it was given up; nil while it is used.
    public let retiredAt: Instant?
    /// The newest revision that was broadcast, 0 for none.
    public let sentRev: Int64
    /// When something was last broadcast.
    public let sentAt: Instant?
    /// When its audience began to move to the next generation; nil before.
    public let supersededAt: Instant?
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
        sentRev: Int64 = 0,
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
        self.sentRev = sentRev
        self.sentAt = sentAt
        self.supersededAt = supersededAt
    }
}
