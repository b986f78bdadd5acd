// Admin tokens in PostgreSQL; each request reads its token, so that a revoked one is refused at once on every node.

import Postgres
import ScoreTypes

/// The admin store of a running server and of commands.
struct PostgresAdminStore: AdminStore {
    let pool: Pool
    /// The entries that a page of the audit log reads at most when no index finds those of its filter.
    var entriesPerSearch = ServerLimits.auditEntriesPerSearch

    func token(_ id: String) async throws -> AdminToken? {
        try await pool.query(SQL.token, [.text(id)]) { row in try AdminToken(row) }.first ?? nil
    }

    func noteUse(of id: String, at now: Instant) async throws {
        try await pool.execute(SQL.noteUse, [.text(id), .timestamp(now)])
    }

    func tokens(after cursor: TokenCursor?, limit: Int) async throws -> TokenPage {
        let binds: [Bind] = [
            cursor.map { .timestamp($0.createdAt) } ?? .null, .text(cursor?.id ?? ""), .int(Int64(limit) + 1),
        ]
        let rows = try await pool.query(SQL.tokens, binds) { row in
            let cursor = TokenCursor(createdAt: try row.timestamp(6), id: try row.text(0))
            return (cursor: cursor, token: try AdminToken(row))
        }
        let page = rows.prefix(limit)
        return TokenPage(tokens: page.compactMap(\.token), next: rows.count > limit ? page.last?.cursor : nil)
    }

    func revocationCount(_ id: String) async throws -> Int64? {
        let counts = try await pool.query(SQL.revocable, [.text(id)]) { row in (try row.int(0), try row.int(1)) }
        return counts.first.flatMap { own, all in own > 0 ? all : nil }
    }

    func add(_ token: AdminToken, _ entry: AuditEntry) async throws -> Int64 {
        let binds: [Bind] = [
            .text(token.id), token.parentID.map { .text($0) } ?? .null, .text(token.name), .text(token.role.rawValue),
            .bytes(token.digest.bytes), .text(token.createdBy), .timestamp(token.createdAt),
            .timestamp(token.expiresAt),
        ]
        return try await pool.transaction { connection in
            try connection.execute(SQL.addToken, binds)
            return try connection.appendAudit(entry)
        }
    }

    func revoke(_ id: String, at now: Instant, _ entry: AuditEntry) async throws -> Int64? {
        try await pool.transaction { connection in
            guard try connection.execute(SQL.revoke, [.text(id), .timestamp(now)]) > 0 else { return nil }
            return try connection.appendAudit(entry)
        }
    }

    /// Deletes tokens and sessions that ended so long ago.
    func forgetTokens(endedBefore time: Instant) async throws {
        try await pool.execute(SQL.forget, [.timestamp(time)])
    }

    private enum SQL {
        static let token = Statement(
            """
            select t.token_id, t.parent_id, t.name, t.role, t.secret_hash, t.created_by, t.created_at, t.expires_at,
                t.last_used_at, t.revoked_at
            from admin_token t left join admin_token p on p.token_id = t.parent_id
            where t.token_id = $1 and t.revoked_at is null and p.revoked_at is null
                and (p.expires_at is null or p.expires_at > now())
            """
        )
        static let noteUse = Statement(
            """
            update admin_token set last_used_at = $2
            where token_id = $1 and (last_used_at is null or last_used_at < $2)
            """
        )
        static let tokens = Statement(
            """
            select token_id, parent_id, name, role, secret_hash, created_by, created_at, expires_at, last_used_at,
                revoked_at
            from admin_token where $1::timestamptz is null or (created_at, token_id) < ($1, $2)
            order by created_at desc, token_id desc limit $3
            """
        )
        static let revocable = Statement(
            """
            select count(*) filter (where token_id = $1), count(*) from admin_token
            where (token_id = $1 or parent_id = $1) and revoked_at is null
            """
        )
        static let addToken = Statement(
            """
            insert into admin_token (token_id, parent_id, name, role, secret_hash, created_by, created_at, expires_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8)
            """
        )
        static let revoke = Statement(
            """
            update admin_token set revoked_at = $2 where (token_id = $1 or parent_id = $1) and revoked_at is null
            """
        )
        static let forget = Statement(
            "delete from admin_token where expires_at < $1 or revoked_at < $1"
        )
    }
}

extension AdminToken {
    /// nil for an unknown role or a malformed digest; such a token is refused.
    fileprivate init?(_ row: Row) throws {
        guard let role = AdminRole(rawValue: try row.text(3)), let digest = SecretDigest(stored: try row.bytes(4))
        else { return nil }
        self.init(
            id: try row.text(0),
            parentID: try row.textIfPresent(1),
            name: try row.text(2),
            role: role,
            digest: digest,
            createdBy: try row.text(5),
            createdAt: try row.timestamp(6),
            expiresAt: try row.timestamp(7),
            lastUsedAt: try row.timestampIfPresent(8),
            revokedAt: try row.timestampIfPresent(9)
        )
    }
}
