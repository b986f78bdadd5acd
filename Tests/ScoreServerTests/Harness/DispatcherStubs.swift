// A dispatcher that sends alerts alone needs stores, and nothing in them.

import PushDispatcher
import ScoreTypes

/// Records no progress.
struct NoProgress: ProgressStore {
    func resume(_ match: MatchID, buckets: [Bucket]) async throws -> [Bucket: Int64] { [:] }
    func owed(_ match: MatchID, buckets: [Bucket]) async throws -> [DeviceID] { [] }
    func record(
        match: MatchID,
        buckets: [Bucket],
        revision: Int64,
        owed: [DeviceID],
        at: Instant
    ) async throws -> Bool { true }
}

/// Has no channel.
struct NoChannels: ChannelStore {
    func channels(of match: MatchID) async throws -> [PushDispatcher.ChannelRecord] { [] }
    func save(_ record: PushDispatcher.ChannelRecord) async throws -> PushDispatcher.ChannelRecord { record }
    func retire(_ channel: ChannelID, in environment: PushEnvironment, at: Instant) async throws {}
    func recordBroadcast(_ channel: ChannelID, in environment: PushEnvironment, revision: Int64, at: Instant)
        async throws
    {}
    func holdsDuty(for match: MatchID) -> Bool { true }
}

/// Keeps the provider token of the one node in memory.
actor MemoryProviderTokens: PushDispatcher.ProviderTokenStore {
    private var token: PushDispatcher.StoredProviderToken?

    func load(_ scope: ProviderTokenScope) async throws -> PushDispatcher.StoredProviderToken? { token }

    func publish(
        _ token: PushDispatcher.StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedAfter moment: Instant
    ) async throws -> PushDispatcher.StoredProviderToken {
        self.token = token
        return token
    }
}
