// The operators' side of the house, with a memory of what was written down.

import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

/// Keeps tokens and the record in memory.
final class MemoryAdminStore: AdminStore {
    private struct State {
        var tokens: [String: AdminTokenRecord] = [:]
        var lines: [AuditEntry] = []
    }
    private let state = Mutex(State())

    var lines: [AuditEntry] { state.withLock { $0.lines } }

    func token(_ id: String) async throws -> AdminTokenRecord? { state.withLock { $0.tokens[id] } }
    func tokens() async throws -> [AdminTokenRecord] { state.withLock { Array($0.tokens.values) } }
    func add(_ token: AdminTokenRecord) async throws { state.withLock { $0.tokens[token.id] = token } }
    func removeToken(_ id: String) async throws -> Bool { state.withLock { $0.tokens.removeValue(forKey: id) != nil } }
    func record(_ entry: AuditEntry) async throws -> Int64 {
        state.withLock { state in
            state.lines.append(entry)
            return Int64(state.lines.count)
        }
    }
    func audit(before: Int64?, limit: Int) async throws -> [AuditRow] {
        let lines = self.lines.enumerated().map { AuditRow(id: Int64($0 + 1), at: Instant(milliseconds: 0), entry: $1) }
        return Array(lines.filter { $0.id < before ?? .max }.reversed().prefix(limit))
    }
}

struct StubFeeds: FeedControl {
    var list: [FeedView] = []
    var onPause: @Sendable (FeedID, String) async throws -> Bool = { _, _ in try unexpected("pause") }
    var onResume: @Sendable (FeedID) async throws -> Bool = { _ in try unexpected("resume") }
    var onPoll: @Sendable (FeedID) async throws -> Bool = { _ in try unexpected("pollNow") }

    func feeds() async -> [FeedView] { list }
    func pause(_ feed: FeedID, reason: String) async throws -> Bool { try await onPause(feed, reason) }
    func resume(_ feed: FeedID) async throws -> Bool { try await onResume(feed) }
    func pollNow(_ feed: FeedID) async throws -> Bool { try await onPoll(feed) }
}

struct StubControl: MatchControl {
    var onDetail: @Sendable (MatchID) async throws -> JSONValue? = { _ in .record(["followers": .integer(3)]) }
    var onHold: @Sendable (MatchID, String) async throws -> Bool = { _, _ in try unexpected("hold") }
    var onRelease: @Sendable (MatchID) async throws -> Bool = { _ in try unexpected("release") }
    var onEnd: @Sendable (MatchID, String) async throws -> Bool = { _, _ in try unexpected("endActivities") }

    func detail(of match: MatchID) async throws -> JSONValue? { try await onDetail(match) }
    func hold(_ match: MatchID, reason: String) async throws -> Bool { try await onHold(match, reason) }
    func release(_ match: MatchID) async throws -> Bool { try await onRelease(match) }
    func endActivities(of match: MatchID, reason: String) async throws -> Bool { try await onEnd(match, reason) }
}

struct StubPipeline: PipelineStatus {
    func pipeline() async -> JSONValue { .record(["sandbox": .record(["accepted": .integer(41)])]) }
}

struct StubSweeping: StaleSweeping {
    var onSweep: @Sendable (String, Int, Bool) async throws -> SweepSummary = { _, _, _ in try unexpected("sweep") }
    func sweep(slot: String, maxItems: Int, isDryRun: Bool) async throws -> SweepSummary {
        try await onSweep(slot, maxItems, isDryRun)
    }
}

struct StubHealth: HealthChecking {
    var hasStarted = true
    var list: [HealthCheck] = [HealthCheck("db", isHealthy: true)]
    func checks() async -> [HealthCheck] { list }
}
