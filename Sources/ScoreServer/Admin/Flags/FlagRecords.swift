// The switches in PostgreSQL; a change notifies all nodes with its commit.

import Postgres
import ScoreTypes

/// Reads and writes the switches.
protocol FlagStore: Sendable {
    func all() async throws -> FlagSet
    /// Stores a change with its audit entry, to which the values before and after are added; returns its number.
    ///
    /// Throws `precondition-failed` with `currentEtag` when `revision` is given and not the current one.
    func put(_ change: FlagChange, ifRevision revision: Int64?, _ entry: AuditEntry) async throws -> Int64
}

/// A wanted value of a switch.
struct FlagChange: Sendable, Hashable {
    let name: FlagName
    let value: JSONValue
    let expiresAt: Instant?
    let at: Instant
    let by: String
    let reason: String
}

/// The switches in PostgreSQL.
struct FlagRecords: FlagStore {
    /// The channel of NOTIFY.
    static let channel = "flags"

    let pool: Pool

    func all() async throws -> FlagSet {
        let flags = try await pool.query(SQL.all) { row in try FeatureFlag(row) }.compactMap { $0 }
        return FlagSet(flags: Dictionary(flags.map { ($0.name, $0) }) { first, _ in first })
    }

    func put(_ change: FlagChange, ifRevision revision: Int64?, _ entry: AuditEntry) async throws -> Int64 {
        try await pool.transaction { connection in
            let name = Bind.text(change.name.rawValue)
            let before = FlagSet(
                flags: Dictionary(
                    try connection.query(SQL.lock, [name]) { row in try FeatureFlag(row) }
                        .compactMap { flag in flag.map { ($0.name, $0) } }
                ) { first, _ in first }
            )
            let old = before.flags[change.name]?.revision ?? 0
            if let revision, revision != old { throw ServiceProblem.switchChanged(to: old) }
            let binds: [Bind] = [
                name, .text(String(decoding: change.value.bytes, as: UTF8.self)),
                change.expiresAt.map { .timestamp($0) } ?? .null, .timestamp(change.at), .text(change.by),
                .text(change.reason), revision.map { .int($0) } ?? .null,
            ]
            // The first change of a switch finds no row to lock: another one may be committed meanwhile.
            guard try connection.execute(SQL.put, binds) > 0 else {
                let current = try connection.query(SQL.revision, [name]) { try $0.int(0) }.first
                throw ServiceProblem.switchChanged(to: current ?? 0)
            }
            _ = try connection.query(SQL.notify, [.text(Self.channel)]) { _ in 0 }
            var entry = entry
            entry.before = .record(["value": before.value(change.name, at: change.at)])
            entry.after = .record([
                "value": change.value, "expiresAt": change.expiresAt.map { .text($0.rfc3339) },
            ])
            return try connection.appendAudit(entry)
        }
    }

    private enum SQL {
        static let all = Statement(
            "select name, value, revision, expires_at, changed_at, changed_by, reason from flag"
        )
        static let lock = Statement(
            """
            select name, value, revision, expires_at, changed_at, changed_by, reason from flag where name = $1
            for update
            """
        )
        static let put = Statement(
            """
            insert into flag as f (name, value, revision, expires_at, changed_at, changed_by, reason)
            values ($1, $2, 1, $3::timestamptz, $4, $5, $6)
            on conflict (name) do update set value = excluded.value, revision = f.revision + 1,
                expires_at = excluded.expires_at, changed_at = excluded.changed_at, changed_by = excluded.changed_by,
                reason = excluded.reason
            where $7::bigint is null or f.revision = $7
            """
        )
        static let revision = Statement("select revision from flag where name = $1")
        static let notify = Statement("select pg_notify($1, '')::text")
    }
}

extension ServiceProblem {
    /// A switch has another revision than the one that its change is for.
    static func switchChanged(to revision: Int64) -> ServiceProblem {
        ServiceProblem(.preconditionFailed, extras: ["currentEtag": .text("\"\(revision)\"")])
    }
}

extension FeatureFlag {
    /// nil for a switch of a later version, which this one ignores.
    fileprivate init?(_ row: Row) throws {
        guard let name = FlagName(rawValue: try row.text(0)),
            let value = try? JSONValue(parsing: Array(try row.text(1).utf8))
        else { return nil }
        self.init(
            name: name,
            value: value,
            revision: try row.int(2),
            expiresAt: try row.timestampIfPresent(3),
            changedAt: try row.timestamp(4),
            changedBy: try row.text(5),
            reason: try row.text(6)
        )
    }
}
