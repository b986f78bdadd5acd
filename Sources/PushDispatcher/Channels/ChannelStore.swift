// Channels outlive processes, so their records are kept in a store outside the dispatcher.

public import ScoreTypes

/// Where the channels of matches are recorded.
public protocol ChannelStore: Sendable {
    /// All channels that a match ever had, retired ones included.
    ///
    /// - Parameter match: The match.
    /// - Returns: Their records, the newest generation of a kind last.
    /// - Throws: The store's error; the call is repeated.
    func channels(of match: MatchID) async throws -> [ChannelRecord]

    /// Stores a new channel unless another of the same match, environment, type, profile and generation is stored.
    ///
    /// - Parameter record: The new channel.
    /// - Returns: The stored channel; if it is another one, the caller deletes the given one at Apple.
    /// - Throws: The store's error; the channel is then not used.
    func save(_ record: ChannelRecord) async throws -> ChannelRecord

    /// Marks a channel as retired.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - environment: Its APNs environment.
    ///   - at: Wall time of the retirement.
    /// - Throws: The store's error.
    func retire(_ channel: ChannelID, in environment: PushEnvironment, at: Instant) async throws

    /// Records the newest revision that APNs accepted for a channel.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - environment: Its APNs environment.
    ///   - revision: The accepted revision; an older one changes nothing.
    ///   - at: Wall time of the acceptance.
    /// - Throws: The store's error; the call is repeated.
    func recordBroadcast(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        revision: Int64,
        at: Instant
    ) async throws

    /// Records the newest revision whose broadcast with an alert got no answer: no node repeats the alert.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - environment: Its APNs environment.
    ///   - revision: The revision; an older one changes nothing.
    /// - Throws: The store's error; the call is repeated.
    func recordUnansweredAlert(_ channel: ChannelID, in environment: PushEnvironment, revision: Int64) async throws
}
