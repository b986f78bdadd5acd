// A dispatcher that only sends notifications needs no tokens, no progress and no channels.

import PushDispatcher
import ScoreTypes
import Synchronization

/// No activity is on a token.
struct NoTokens: TokenSource {
    func buckets(of match: MatchID) -> [Bucket] { [] }
    func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        environment: PushEnvironment,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor? {
        nil
    }
    func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? { nil }
    func newest(of match: MatchID, device: DeviceID) -> LateToken? { nil }
    func evict(_ rejected: RejectedToken) {}
}

/// This node serves no bucket.
struct NoProgress: ProgressStore {
    func resume(_ match: MatchID, buckets: [Bucket]) async throws -> [Bucket: Int64] { [:] }
    func owed(_ match: MatchID, buckets: [Bucket]) async throws -> [DeviceID] { [] }
    func record(match: MatchID, buckets: [Bucket], revision: Int64, owed: [DeviceID], at: Instant) async throws -> Bool
    {
        false
    }
}

/// No match has a channel.
struct NoChannels: ChannelStore {
    func channels(of match: MatchID) async throws -> [ChannelRecord] { [] }
    func save(_ record: ChannelRecord) async throws -> ChannelRecord { record }
    func retire(_ channel: ChannelID, in environment: PushEnvironment, at: Instant) async throws {}
    func recordBroadcast(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        revision: Int64,
        at: Instant
    ) async throws {}
    func recordUnansweredAlert(_ channel: ChannelID, in environment: PushEnvironment, revision: Int64) async throws {}
}

/// The provider token of one node.
final class MemoryProviderTokens: ProviderTokenStore {
    private let token = Mutex<StoredProviderToken?>(nil)

    func time() async throws -> Instant { ServiceClock().wall }
    func load(_ scope: ProviderTokenScope) async throws -> StoredProviderToken? { token.withLock { $0 } }

    func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedWithin span: ClosedRange<Instant>
    ) async throws -> StoredProviderToken {
        self.token.withLock { known in
            if let known, span.contains(known.issuedAt) { return known }
            known = token
            return token
        }
    }
}
