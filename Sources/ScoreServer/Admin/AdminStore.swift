// What the admin side keeps: hashed tokens and the record of who did what; nothing is ever changed in the record.

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

/// One line of the record before it is stored.
struct AuditEntry: Sendable, Hashable {
    /// What became of an attempt.
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

/// One stored line of the record.
struct AuditRow: Sendable, Hashable {
    let id: Int64
    let at: Instant
    let entry: AuditEntry
}

/// Keeps tokens and the record.
protocol AdminStore: Sendable {
    func token(_ id: String) async throws -> AdminTokenRecord?
    func tokens() async throws -> [AdminTokenRecord]
    func add(_ token: AdminTokenRecord) async throws
    /// Whether there was such a token.
    func removeToken(_ id: String) async throws -> Bool
    /// The number of the new line.
    func record(_ entry: AuditEntry) async throws -> Int64
    /// Newest first, before a number when one is given.
    func audit(before: Int64?, limit: Int) async throws -> [AuditRow]
}

extension AdminStore {
    /// Makes a token; its text is shown this once.
    func makeToken(name: String, role: AdminRole, expiresAt: Instant?) async throws -> BearerCredential {
        let id = String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 36)
        let credential = BearerCredential(new: .admin, id: id)
        try await add(
            AdminTokenRecord(id: id, name: name, role: role, digest: credential.digest, expiresAt: expiresAt)
        )
        return credential
    }
}
