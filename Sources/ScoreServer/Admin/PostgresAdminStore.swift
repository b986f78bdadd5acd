// Tokens and the audit log in PostgreSQL.

import MatchJournal
import Postgres
import ScoreTypes

/// The admin store of a running server.
struct PostgresAdminStore: AdminStore {
    let pool: Pool

    func token(_ id: String) async throws -> AdminTokenRecord? {
        try await pool.query(SQL.token, [.text(id)]) { row in try AdminTokenRecord(row) }.first ?? nil
    }

    func add(_ token: AdminTokenRecord) async throws {
        let expiry: Bind = token.expiresAt.map { .timestamp($0) } ?? .null
        let binds: [Bind] = [
            .text(token.id), .text(token.name), .text(token.role.rawValue), .bytes(token.digest.bytes),
        ]
        _ = try await pool.execute(SQL.addToken, binds + [expiry])
    }

    func record(_ entry: AuditEntry) async throws -> Int64 {
        let binds: [Bind] = [
            .text(entry.actor), .text(entry.role), .text(entry.action), .text(entry.target), .text(entry.reason),
            .text(entry.outcome.rawValue), .text(entry.requestID), .json(entry.detail.bytes),
        ]
        let ids = try await pool.query(SQL.record, binds) { row in try row.int(0) }
        guard let id = ids.first else { throw ServiceProblem.unavailable("db") }
        return id
    }

    func audit(before: Int64?, limit: Int) async throws -> [AuditRow] {
        let binds: [Bind] = [.int(before ?? .max), .int(Int64(limit))]
        return try await pool.query(SQL.audit, binds) { row in try AuditRow(row) }.compactMap { $0 }
    }

    private enum SQL {
        static let token = Statement(
            "select token_id, name, role, secret_hash, expires_at from admin_token where token_id = $1"
        )
        static let addToken = Statement(
            """
            insert into admin_token (token_id, name, role, secret_hash, expires_at)
            values ($1, $2, $3, $4, $5::timestamptz)
            """
        )
        static let record = Statement(
            """
            insert into audit (actor, role, action, target, reason, outcome, request_id, detail)
            values ($1, $2, $3, $4, $5, $6, $7, $8) returning audit_id
            """
        )
        static let audit = Statement(
            """
            select audit_id, at, actor, role, action, target, reason, outcome, request_id, detail
            from audit where audit_id < $1 order by audit_id desc limit $2
            """
        )
    }
}

extension AdminTokenRecord {
    /// nil for an unknown role or a malformed digest; such a token is refused.
    fileprivate init?(_ row: Row) throws {
        guard let role = AdminRole(rawValue: try row.text(2)), let digest = SecretDigest(stored: try row.bytes(3))
        else { return nil }
        self.init(
            id: try row.text(0),
            name: try row.text(1),
            role: role,
            digest: digest,
            expiresAt: try row.timestampIfPresent(4)
        )
    }
}

extension AuditRow {
    fileprivate init?(_ row: Row) throws {
        guard let outcome = AuditEntry.Outcome(rawValue: try row.text(7)) else { return nil }
        let entry = AuditEntry(
            actor: try row.text(2),
            role: try row.text(3),
            action: try row.text(4),
            target: try row.text(5),
            reason: try row.text(6),
            outcome: outcome,
            requestID: try row.text(8),
            detail: (try? JSONValue(parsing: row.json(9))) ?? .object([])
        )
        self.init(id: try row.int(0), at: try row.timestamp(1), entry: entry)
    }
}
