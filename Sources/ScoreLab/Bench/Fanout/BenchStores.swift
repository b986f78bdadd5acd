// The stores of the fan-out in memory: Postgres has measurements of its own.

import PushDispatcher
import ScoreTypes
import Synchronization

/// Progress by bucket, and who waits for all of it.
final class BenchProgress: ProgressStore {
    private struct State {
        var sent: [MatchID: [Bucket: Int64]] = [:]
        var waiting: (match: MatchID, revision: Int64, caller: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    func resume(_ match: MatchID, buckets: [Bucket]) async throws -> [Bucket: Int64] {
        state.withLock { state in
            let sent = state.sent[match] ?? [:]
            return Dictionary(uniqueKeysWithValues: buckets.map { ($0, sent[$0] ?? 0) })
        }
    }

    func owed(_ match: MatchID, buckets: [Bucket]) async throws -> [DeviceID] { [] }

    func record(
        match: MatchID,
        buckets: [Bucket],
        revision: Int64,
        owed: [DeviceID],
        at: Instant
    ) async throws -> Bool {
        let caller = state.withLock { state -> CheckedContinuation<Void, Never>? in
            for bucket in buckets {
                state.sent[match, default: [:]][bucket] = max(state.sent[match]?[bucket] ?? 0, revision)
            }
            guard let waiting = state.waiting, waiting.match == match, Self.isDone(waiting.revision, state.sent[match])
            else { return nil }
            state.waiting = nil
            return waiting.caller
        }
        caller?.resume()
        return true
    }

    /// Returns when every bucket of the match is recorded at the revision.
    func all(of match: MatchID, at revision: Int64) async {
        await withCheckedContinuation { caller in
            let isDone = state.withLock { state in
                if Self.isDone(revision, state.sent[match]) { return true }
                state.waiting = (match, revision, caller)
                return false
            }
            if isDone { caller.resume() }
        }
    }

    private static func isDone(_ revision: Int64, _ sent: [Bucket: Int64]?) -> Bool {
        guard let sent, sent.count == Bucket.count else { return false }
        return sent.values.allSatisfy { $0 >= revision }
    }
}

/// The channel that was given at the start, if any; none is made.
struct BenchChannels: ChannelStore {
    private let record: ChannelRecord?

    init(match: MatchID, channel: ChannelID?, environment: PushEnvironment, now: Instant) {
        record = channel.map { channel in
            ChannelRecord(
                match: match,
                environment: environment,
                attributesType: "LiveActivityAttributes",
                profile: .loud,
                generation: 1,
                channel: channel,
                createdAt: now
            )
        }
    }

    func channels(of match: MatchID) async throws -> [ChannelRecord] {
        [record].compactMap(\.self).filter { $0.match == match }
    }
    func save(_ record: ChannelRecord) async throws -> ChannelRecord { record }
    func retire(_ channel: ChannelID, in environment: PushEnvironment, at: Instant) async throws {}
    func recordBroadcast(_ channel: ChannelID, in environment: PushEnvironment, revision: Int64, at: Instant)
        async throws
    {}
    func recordUnansweredAlert(_ channel: ChannelID, in environment: PushEnvironment, revision: Int64) async throws {}
}

/// The provider token of the one node.
actor BenchProviderTokens: ProviderTokenStore {
    private var token: StoredProviderToken?

    func time() async throws -> Instant { ServiceClock().wall }
    func load(_ scope: ProviderTokenScope) async throws -> StoredProviderToken? { token }

    func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedWithin span: ClosedRange<Instant>
    ) async throws -> StoredProviderToken {
        if let known = self.token, span.contains(known.issuedAt) { return known }
        self.token = token
        return token
    }
}
