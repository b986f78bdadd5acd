// The store of admin tokens and of the audit log; a change of a token and its audit entry are one transaction.

import ScoreTypes

/// Stores tokens and the audit log.
protocol AdminStore: Sendable {
    /// A token that is not revoked and whose parent is neither revoked nor expired; it may be expired itself.
    func token(_ id: String) async throws -> AdminToken?
    /// Stores the time of a use, unless a newer one is stored.
    func noteUse(of id: String, at now: Instant) async throws
    /// At most `limit` tokens and sessions behind a place, or the newest ones.
    func tokens(after cursor: TokenCursor?, limit: Int) async throws -> TokenPage
    /// The number of tokens and sessions that a revocation ends; nil for a token that is unknown or revoked.
    func revocationCount(_ id: String) async throws -> Int64?
    /// Stores a token with its audit entry; returns the number of the entry.
    func add(_ token: AdminToken, _ entry: AuditEntry) async throws -> Int64
    /// Revokes a token and its sessions with an audit entry; nil for one that is unknown or already revoked.
    func revoke(_ id: String, at now: Instant, _ entry: AuditEntry) async throws -> Int64?

    /// Appends an entry and returns its number.
    func record(_ entry: AuditEntry) async throws -> Int64
    /// A page of the entries of a filter.
    func audit(_ filter: AuditFilter) async throws -> AuditPage
    /// Checks the chain behind an entry, or from its beginning.
    func verifyAudit(after number: Int64?) async throws -> AuditReport
}

extension AdminStore {
    /// All tokens and sessions, newest first, read page by page.
    func tokens() async throws -> [AdminToken] {
        var tokens: [AdminToken] = []
        var cursor: TokenCursor?
        repeat {
            let page = try await self.tokens(after: cursor, limit: ServerLimits.listedTokens)
            tokens += page.tokens
            cursor = page.next
        } while cursor != nil
        return tokens
    }
}
