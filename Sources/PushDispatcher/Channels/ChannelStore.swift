// Channels are remembered by another room; this is the door to it.

public import ScoreTypes

/// What a channel carries.
public enum PushProfile: String, Sendable, Hashable, CaseIterable {
    /// Content and the alerts of the default moments.
    case loud
    /// Content only.
    case quiet
}

/// What one channel is for.
public struct ChannelPurpose: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// Apple's world.
    public let environment: PushEnvironment
    /// The Swift type that its subscribers decode.
    public let attributesType: String
    /// What it carries.
    public let profile: PushProfile

    /// Describes a channel.
    public init(match: MatchID, environment: PushEnvironment, attributesType: String, profile: PushProfile) {
        self.match = match
        self.environment = environment
        self.attributesType = attributesType
        self.profile = profile
    }
}

/// A channel in use.
public struct KnownChannel: Sendable, Hashable {
    /// What it is for.
    public let purpose: ChannelPurpose
    /// Apple's name.
    public let channel: ChannelID
    /// The newest revision that was broadcast, 0 for none.
    public let sentRevision: Int64

    /// Describes a channel in use.
    public init(purpose: ChannelPurpose, channel: ChannelID, sentRevision: Int64) {
        self.purpose = purpose
        self.channel = channel
        self.sentRevision = sentRevision
    }
}

/// Where channels are remembered.
public protocol ChannelStore: Sendable {
    /// The channels of a match that are in use.
    func channels(of match: MatchID) async throws -> [KnownChannel]

    /// Stores a new channel, unless another node was quicker; returns the one that holds.
    func save(_ channel: ChannelID, for purpose: ChannelPurpose) async throws -> ChannelID

    /// Gives a channel up that Apple does not know.
    func retire(_ channel: ChannelID, in environment: PushEnvironment) async throws

    /// Records an accepted broadcast.
    func recordBroadcast(_ channel: ChannelID, in environment: PushEnvironment, revision: Int64) async throws

    /// Whether it is this node that broadcasts for a match.
    func holdsDuty(for match: MatchID) -> Bool
}
