// The dispatcher's stores in memory, which a test can make fail, block or fence.

import ScoreTypes
import Synchronization

@testable import PushDispatcher

struct StoreIsDown: Error {}

/// Progress by bucket, shared by all nodes of a test.
final class MemoryProgress: ProgressStore {
    struct State {
        var sent: [MatchID: [Bucket: Int64]] = [:]
        var owed: [MatchID: [Bucket: [DeviceID]]] = [:]
        var records = 0
        var failuresLeft = 0
        var isBlocked = false
        var isFenced = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let state = Mutex(State())

    func resume(_ match: MatchID, buckets: [Bucket]) async throws -> [Bucket: Int64] {
        state.withLock { state in
            Dictionary(uniqueKeysWithValues: buckets.map { ($0, state.sent[match]?[$0] ?? 0) })
        }
    }

    func owed(_ match: MatchID, buckets: [Bucket]) async throws -> [DeviceID] {
        state.withLock { state in buckets.flatMap { state.owed[match]?[$0] ?? [] } }
    }

    func record(
        match: MatchID,
        buckets: [Bucket],
        revision: Int64,
        owed: [DeviceID],
        at: Instant
    ) async throws -> Bool {
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.isBlocked { state.waiting.append(continuation) }
                return !state.isBlocked
            }
            if goesOn { continuation.resume() }
        }
        return try state.withLock { state in
            if state.failuresLeft > 0 {
                state.failuresLeft -= 1
                throw StoreIsDown()
            }
            if state.isFenced { return false }
            state.records += 1
            for bucket in buckets {
                if revision >= state.sent[match]?[bucket] ?? 0 {
                    state.owed[match, default: [:]][bucket] = owed.filter { Bucket(of: $0) == bucket }
                }
                state.sent[match, default: [:]][bucket] = max(state.sent[match]?[bucket] ?? 0, revision)
            }
            return true
        }
    }

    func unblock() {
        let waiting = state.withLock { state in
            state.isBlocked = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Buckets recorded at a revision or a newer one.
    func count(_ match: MatchID = Fixture.match, atLeast revision: Int64) -> Int {
        state.withLock { $0.sent[match]?.values.count { $0 >= revision } ?? 0 }
    }
}

/// Channels, shared by all nodes of a test.
final class MemoryChannels: ChannelStore {
    struct State {
        var records: [ChannelRecord] = []
        /// Number of records to lose before one is stored, as if their node crashed.
        var lossesLeft = 0
        /// Number of broadcasts that cannot be recorded.
        var recordFailuresLeft = 0
    }

    let state = Mutex(State())

    func channels(of match: MatchID) async throws -> [ChannelRecord] {
        state.withLock { $0.records.filter { $0.match == match } }
    }

    func save(_ record: ChannelRecord) async throws -> ChannelRecord {
        try state.withLock { state in
            if state.lossesLeft > 0 {
                state.lossesLeft -= 1
                throw StoreIsDown()
            }
            let held = state.records.first { other in
                other.match == record.match && other.environment == record.environment
                    && other.profile == record.profile && other.generation == record.generation
            }
            if let held { return held }
            state.records.append(record)
            return record
        }
    }

    func retire(_ channel: ChannelID, in environment: PushEnvironment, at: Instant) async throws {
        state.withLock { state in
            for index in state.records.indices where state.records[index].channel == channel {
                state.records[index].retiredAt = at
            }
        }
    }

    func recordBroadcast(
        _ channel: ChannelID,
        in environment: PushEnvironment,
        revision: Int64,
        at: Instant
    ) async throws {
        try change(channel) { $0.sentRevision = max($0.sentRevision, revision) }
    }

    func recordUnansweredAlert(_ channel: ChannelID, in environment: PushEnvironment, revision: Int64) async throws {
        try change(channel) { $0.unansweredAlertRevision = max($0.unansweredAlertRevision, revision) }
    }

    private func change(_ channel: ChannelID, _ change: (inout ChannelRecord) -> Void) throws {
        try state.withLock { state in
            if state.recordFailuresLeft > 0 {
                state.recordFailuresLeft -= 1
                throw StoreIsDown()
            }
            for index in state.records.indices where state.records[index].channel == channel {
                change(&state.records[index])
            }
        }
    }
}

/// The provider token that all nodes of a test share.
final class MemoryProviderTokens: ProviderTokenStore {
    private let tokens = Mutex<[ProviderTokenScope: StoredProviderToken]>([:])
    private let clock: ServiceClock

    /// - Parameter clock: The clock of the store.
    init(clock: ServiceClock = ServiceClock()) { self.clock = clock }

    func time() async throws -> Instant { clock.wall }

    func load(_ scope: ProviderTokenScope) async throws -> StoredProviderToken? { tokens.withLock { $0[scope] } }

    func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedWithin span: ClosedRange<Instant>
    ) async throws -> StoredProviderToken {
        tokens.withLock { tokens in
            if let known = tokens[scope], span.contains(known.issuedAt) { return known }
            tokens[scope] = token
            return token
        }
    }

    func put(_ token: StoredProviderToken, _ scope: ProviderTokenScope) { tokens.withLock { $0[scope] = token } }
}

/// A provider token whose store blocks, and then fails once.
final class SlowTokenStore: ProviderTokenStore {
    private struct State {
        var isBlocked = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let tokens: MemoryProviderTokens
    private let state = Mutex(State())

    init(clock: ServiceClock) { tokens = MemoryProviderTokens(clock: clock) }

    func time() async throws -> Instant { try await tokens.time() }

    /// Whether a read is blocked.
    var isRead: Bool { state.withLock { $0.waiting != nil } }

    func block() { state.withLock { $0.isBlocked = true } }

    /// Lets the blocked read fail; later ones succeed.
    func fail() {
        let waiting = state.withLock { state in
            state.isBlocked = false
            return state.waiting.take()
        }
        waiting?.resume()
    }

    func load(_ scope: ProviderTokenScope) async throws -> StoredProviderToken? {
        guard state.withLock({ $0.isBlocked }) else { return try await tokens.load(scope) }
        await withCheckedContinuation { continuation in state.withLock { $0.waiting = continuation } }
        throw StoreIsDown()
    }

    func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedWithin span: ClosedRange<Instant>
    ) async throws -> StoredProviderToken {
        try await tokens.publish(token, scope, unlessIssuedWithin: span)
    }
}

/// Records the results of starts, ends and notifications.
final class Outcomes: DispatchObserver {
    private let kept = Mutex<[DirectedOutcome]>([])
    private let channels = Mutex<[ChannelEndOutcome]>([])
    var all: [DirectedOutcome] { kept.withLock { $0 } }
    var ended: [ChannelEndOutcome] { channels.withLock { $0 } }
    func ended(_ outcome: ChannelEndOutcome) async { channels.withLock { $0.append(outcome) } }
    func settled(_ outcomes: [DirectedOutcome]) async { kept.withLock { $0 += outcomes } }
}

/// Records attempts.
final class Attempts: AttemptObserver {
    let acceptedAttempts: AcceptedAttempts
    private let kept = Mutex<[PushAttempt]>([])
    private let keptChannels = Mutex<[ChannelAttempt]>([])

    init(_ acceptedAttempts: AcceptedAttempts = .all) { self.acceptedAttempts = acceptedAttempts }

    var all: [PushAttempt] { kept.withLock { $0 } }

    /// The outcomes of the tries of each device with a revision, in order.
    func outcomes(of revision: Int64) -> [DeviceID: [PushOutcome]] {
        let tries = all.filter { $0.revision == revision }.sorted { $0.number < $1.number }
        return Dictionary(grouping: tries, by: \.device).mapValues { $0.map(\.outcome) }
    }

    func attempted(_ attempt: PushAttempt) { kept.withLock { $0.append(attempt) } }
    func managed(_ attempt: ChannelAttempt) { keptChannels.withLock { $0.append(attempt) } }

    var channels: [ChannelAttempt] { keptChannels.withLock { $0 } }
}
