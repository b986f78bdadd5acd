// Stubs of what operators run and drain.

import MatchSamples
import ScoreTypes

@testable import Postgres
@testable import ScoreServer

struct StubSweeps: SweepControl {
    var onSweep: @Sendable (SweepOrder) async throws -> SweepSummary = { _ in try unexpected("sweep") }
    var states: [SweepStatus] = []

    func sweep(_ order: SweepOrder) async throws -> SweepSummary { try await onSweep(order) }
    func status() async throws -> [SweepStatus] { states }
}

struct StubNodes: NodeControl {
    var audit = MemoryAdminStore()
    var list: [NodeRecord] = []

    func nodes() async throws -> [NodeRecord] { list }
    func drain(_ node: NodeID, over spread: Duration?, _ entry: AuditEntry) async throws -> Int64? {
        try await audit.record(entry)
    }
}

struct StubLogLevels: LogLevelStore {
    var audit = MemoryAdminStore()
    var list: [LogLevelChange] = []

    func current() async throws -> [LogLevelChange] { list }
    func put(_ change: LogLevelChange, _ entry: AuditEntry) async throws -> Int64 { try await audit.record(entry) }
}

extension Samples {
    /// A node that is ready.
    static func node(_ name: String, drain: DrainOrder? = nil) -> NodeRecord {
        NodeRecord(
            node: NodeID(unchecked: name),
            term: Term(7),
            since: Instant(milliseconds: 1_800_000_000_000),
            version: "0.1.0",
            isAlive: true,
            expiresAt: Instant(milliseconds: 1_800_000_003_000),
            report: NodeReport(isReady: true, streams: 3),
            drain: drain,
            buckets: 1024,
            leases: ["feed:main"]
        )
    }
}
