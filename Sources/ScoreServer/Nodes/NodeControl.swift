// Operators see all nodes of the database, and drain one of them through any other.

import Postgres
import ScoreTypes

/// Reads and drains nodes.
protocol NodeControl: Sendable {
    /// All nodes that live or died within a day.
    func nodes() async throws -> [NodeRecord]
    /// Drains a node, or ends that with a nil spread, with an audit entry; nil for a node that does not live.
    func drain(_ node: NodeID, over spread: Duration?, _ entry: AuditEntry) async throws -> Int64?
}

/// The nodes in PostgreSQL.
struct PostgresNodes: NodeControl {
    let pool: Pool

    func nodes() async throws -> [NodeRecord] { try await NodeRecords(pool: pool).all() }

    func drain(_ node: NodeID, over spread: Duration?, _ entry: AuditEntry) async throws -> Int64? {
        try await pool.transaction { connection in
            guard try NodeRecords.drain(node, over: spread, on: connection) else { return nil }
            return try connection.appendAudit(entry)
        }
    }
}

extension NodeRecord {
    /// `ready`, `draining`, `drained`, `starting`, `dead`.
    var state: String {
        if !isAlive { return "dead" }
        if drain != nil { return report.streams == 0 && leases.isEmpty && buckets == 0 ? "drained" : "draining" }
        return report.isReady ? "ready" : "starting"
    }

    /// The node for operators.
    var json: JSONValue {
        .record([
            "id": .text(node.text), "state": .text(state), "term": .integer(term.number),
            "since": .text(since.rfc3339), "version": .text(version), "alive": .bool(isAlive),
            "termEndsAt": .text(expiresAt.rfc3339), "ready": .bool(isAlive && report.isReady),
            "draining": .bool(drain != nil), "drainedAt": drain.map { .text($0.at.rfc3339) },
            "drainSeconds": drain.map { .integer($0.spread.components.seconds) },
            "streams": .whole(isAlive ? report.streams : 0), "buckets": .whole(buckets),
            "leases": .array(leases.map { .text($0) }),
        ])
    }
}
