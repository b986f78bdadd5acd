// The changed log levels in PostgreSQL; a change notifies all nodes with its commit.

import Logging
import Postgres
import ScoreTypes

/// Reads and writes changes of log levels.
protocol LogLevelStore: Sendable {
    /// The changes that hold now.
    func current() async throws -> [LogLevelChange]
    /// Stores a change with its audit entry in place of one for the same lines; returns the number of the entry.
    ///
    /// Throws `conflict` when there are too many.
    func put(_ change: LogLevelChange, _ entry: AuditEntry) async throws -> Int64
}

/// The changed log levels in PostgreSQL.
struct LogLevelRecords: LogLevelStore {
    let pool: Pool
    let clock: ServiceClock

    func current() async throws -> [LogLevelChange] {
        try await pool.query(SQL.current, [.timestamp(clock.wall)]) { row in try LogLevelChange(row) }
            .compactMap { $0 }
    }

    func put(_ change: LogLevelChange, _ entry: AuditEntry) async throws -> Int64 {
        let now = clock.wall
        let binds: [Bind] = [
            .text(change.component), .text(change.match?.text ?? ""), .text(change.node?.text ?? ""),
            .text(change.level.rawValue), .timestamp(change.expiresAt), .text(change.changedBy), .text(change.reason),
        ]
        return try await pool.transaction { connection in
            try connection.execute(SQL.forget, [.timestamp(now)])
            try connection.execute(SQL.put, binds)
            let count = try connection.query(SQL.count) { row in try row.int(0) }.first ?? 0
            guard count <= ServerLimits.logLevelChanges else {
                throw ServiceProblem(
                    .conflict,
                    "There are \(ServerLimits.logLevelChanges) changes; wait for their ends."
                )
            }
            _ = try connection.query(SQL.notify, [.text(FlagRecords.channel)]) { _ in 0 }
            return try connection.appendAudit(entry)
        }
    }

    private enum SQL {
        static let current = Statement(
            """
            select component, match_id, node_id, level, expires_at, changed_by, reason from log_level
            where expires_at > $1 order by component, match_id, node_id
            """
        )
        static let forget = Statement("delete from log_level where expires_at <= $1")
        static let put = Statement(
            """
            insert into log_level (component, match_id, node_id, level, expires_at, changed_by, reason)
            values ($1, $2, $3, $4, $5, $6, $7)
            on conflict (component, match_id, node_id) do update set level = excluded.level,
                expires_at = excluded.expires_at, changed_by = excluded.changed_by, reason = excluded.reason
            """
        )
        static let count = Statement("select count(*) from log_level")
        static let notify = Statement("select pg_notify($1, '')::text")
    }
}

extension LogLevelChange {
    /// nil for a level of a later version, which this one ignores.
    fileprivate init?(_ row: Row) throws {
        guard let level = Logger.Level(rawValue: try row.text(3)) else { return nil }
        self.init(
            component: try row.text(0),
            match: MatchID(try row.text(1)),
            node: NodeID(try row.text(2)),
            level: level,
            expiresAt: try row.timestamp(4),
            changedBy: try row.text(5),
            reason: try row.text(6)
        )
    }
}
