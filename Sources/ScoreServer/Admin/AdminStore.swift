// The store of admin tokens and of the audit log, whose entries are never changed.

import ScoreTypes

/// A stored admin token.
struct AdminTokenRecord: Sendable {
    let id: String
    let name: String
    let role: AdminRole
    let digest: SecretDigest
    /// nil never expires.
    let expiresAt: Instant?
}

/// One entry of the audit log before it is stored.
struct AuditEntry: Sendable, Hashable {
    /// The outcome of a request.
    enum Outcome: String, Sendable, Hashable { case intended, done, failed, denied }

    /// `token:<name>`, `scheduler:<name>`, `anonymous`.
    let actor: String
    let role: String
    let action: String
    let target: String
    let reason: String
    let outcome: Outcome
    let requestID: String
    /// A redacted JSON object.
    var detail: JSONValue = .object([])
}

/// One stored entry of the audit log.
struct AuditRow: Sendable, Hashable {
    let id: Int64
    let at: Instant
    let entry: AuditEntry
}

/// Stores tokens and the audit log.
protocol AdminStore: Sendable {
    func token(_ id: String) async throws -> AdminTokenRecord?
    func add(_ token: AdminTokenRecord) async throws
    /// Stores an entry and returns its number.
    func record(_ entry: AuditEntry) async throws -> Int64
    /// Entries with a lower number than `before`, newest first; all without it.
    func audit(before: Int64?, limit: Int) async throws -> [AuditRow]
}

extension AdminStore {
    /// Makes a token; only the result contains its secret.
    func makeToken(name: String, role: AdminRole, expiresAt: Instant?) async throws -> BearerCredential {
        let id = String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 36)
        let credential = BearerCredential(new: .admin, id: id)
        try await add(
            AdminTokenRecord(id: id, name: name, role: role, digest: credential.digest, expiresAt: expiresAt)
        )
        return credential
    }
}
