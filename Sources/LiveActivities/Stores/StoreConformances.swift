// What the dispatcher asks for, kept by FollowService: tokens, progress, channels, the provider token.

import FollowService
import PushDispatcher
import ScoreTypes
import Synchronization

/// The arenas as the fan-out walks them.
struct TokenJoin: TokenSource {
    let arenas: ArenaIndex

    func buckets(of match: MatchID) -> [Bucket] { arenas.buckets(of: match) }

    func copyTokens(
        of match: MatchID,
        bucket: Bucket,
        before cursor: WalkCursor,
        into slice: inout TokenSlice
    ) -> WalkCursor? {
        arenas.slice(match: match, bucket: bucket, before: cursor) { entries in
            entries.forEach { entry in
                slice.append(
                    device: entry.device,
                    generation: entry.generation,
                    environment: entry.environment,
                    variant: entry.variant.rawValue,
                    wish: entry.wish,
                    token: entry.token
                )
            }
        }
    }

    func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? {
        arenas.token(match: match, device: device, generation: generation)
    }

    func newest(of match: MatchID, device: DeviceID) -> LateToken? {
        arenas.activity(match: match, device: device).map { activity in
            LateToken(
                device: device,
                generation: activity.generation,
                environment: activity.environment,
                variant: activity.variant.rawValue
            )
        }
    }

    func evict(_ rejections: [Rejection]) async {
        await arenas.evict(
            rejections.map { rejection in
                Eviction(
                    match: rejection.match,
                    device: rejection.device,
                    generation: rejection.generation,
                    deadAt: rejection.apnsTimestampMilliseconds.map { Instant(milliseconds: $0) }
                )
            }
        )
    }
}

/// Progress by bucket, fenced by the node's term.
struct ProgressJoin: ProgressStore {
    let records: ProgressRecords
    let term: @Sendable () -> Term?

    func resume(_ match: MatchID, buckets: [Bucket]) async throws -> [Bucket: Int64] {
        guard let term = term() else { return [:] }
        return try await records.resume(match, term: term, buckets: buckets)
    }

    func owed(_ match: MatchID, buckets: [Bucket]) async throws -> [DeviceID] {
        try await records.owed(match, buckets: buckets)
    }

    func record(
        match: MatchID,
        buckets: [Bucket],
        revision: Int64,
        owed: [DeviceID],
        at: Instant
    ) async throws -> Bool {
        guard let term = term() else { return false }
        return try await records.record(match, term: term, buckets: buckets, revision: revision, owed: owed, at: at)
            == .recorded
    }
}

/// The provider token that all nodes share.
struct ProviderTokenJoin: PushDispatcher.ProviderTokenStore {
    let records: ProviderTokenRecords

    func load(_ scope: ProviderTokenScope) async throws -> PushDispatcher.StoredProviderToken? {
        try await records.load(ProviderTokenKey(scope)).map(PushDispatcher.StoredProviderToken.init)
    }

    func publish(
        _ token: PushDispatcher.StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedAfter moment: Instant
    ) async throws -> PushDispatcher.StoredProviderToken {
        let offered = FollowService.StoredProviderToken(text: token.text, issuedAt: token.issuedAt)
        let stored = try await records.publish(offered, for: ProviderTokenKey(scope), unlessIssuedAfter: moment)
        return PushDispatcher.StoredProviderToken(stored)
    }
}

extension ProviderTokenKey {
    fileprivate init(_ scope: ProviderTokenScope) {
        self.init(environment: scope.environment, keyID: scope.keyID, teamID: scope.teamID)
    }
}

extension PushDispatcher.StoredProviderToken {
    fileprivate init(_ stored: FollowService.StoredProviderToken) {
        self.init(text: stored.text, issuedAt: stored.issuedAt)
    }
}
