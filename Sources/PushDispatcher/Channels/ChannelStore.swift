// Channels outlive processes, so their records are kept elsewhere; this is the door to them.

public import ScoreTypes

/// Where channels are recorded, and who broadcasts.
public protocol ChannelStore: Sendable {
    /// All channels that a match ever had, retired ones included.
    func channels(of match: MatchID) async throws -> [ChannelRecord]

    /// Stores a new channel unless another of the same match, environment, type, profile and generation is stored.
    ///
    /// - Returns: The one that holds; when it is another, the given one is nobody's and is deleted at Apple's.
    func save(_ record: ChannelRecord) async throws -> ChannelRecord

    /// Gives a channel up.
    func retire(_ channel: ChannelID, in environment: PushEnvironment, at: Instant) async throws

    /// Notes what APNs accepted for a channel.
    func recordBroadcast(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        revision: Int64,
        at: Instant
    ) async throws

    /// Whether this node is the one that broadcasts for a match; answers at once.
    func holdsDuty(for match: MatchID) -> Bool
}
