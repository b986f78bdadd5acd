// Tokens and audit entries in memory, with the chain of the real store.

import ScoreTypes
import Synchronization

@testable import ScoreServer

/// Stores tokens and audit entries in memory.
final class MemoryAdminStore: AdminStore {
    private struct State {
        var tokens: [String: AdminToken] = [:]
        var lines: [AuditEntry] = []
        var rows: [AuditRow] = []

        mutating func append(_ entry: AuditEntry) -> Int64 {
            lines.append(entry)
            let number = Int64(lines.count)
            let row = AuditRow(entry, number: number, at: Instant(milliseconds: number), after: rows.last?.hash ?? [])
            rows.append(row)
            return number
        }
    }
    private let state = Mutex(State())

    var lines: [AuditEntry] { state.withLock { $0.lines } }

    func token(_ id: String) async throws -> AdminToken? {
        state.withLock { state in
            guard let token = state.tokens[id], token.revokedAt == nil else { return nil }
            if let parent = token.parentID, state.tokens[parent]?.revokedAt != nil { return nil }
            return token
        }
    }

    func noteUse(of id: String, at now: Instant) async throws { state.withLock { $0.tokens[id]?.lastUsedAt = now } }
    func tokens(after cursor: TokenCursor?, limit: Int) async throws -> TokenPage {
        let newest = state.withLock { $0.tokens.values.sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) } }
        let rest = newest.filter { token in cursor.map { (token.createdAt, token.id) < ($0.createdAt, $0.id) } ?? true }
        let last = rest.count > limit ? rest[limit - 1] : nil
        return TokenPage(
            tokens: Array(rest.prefix(limit)),
            next: last.map { TokenCursor(createdAt: $0.createdAt, id: $0.id) }
        )
    }
    func revocationCount(_ id: String) async throws -> Int64? {
        let tokens = state.withLock { $0.tokens.values.filter { $0.revokedAt == nil } }
        guard tokens.contains(where: { $0.id == id }) else { return nil }
        return Int64(tokens.count { $0.id == id || $0.parentID == id })
    }

    /// Stores a token without an entry.
    func put(_ token: AdminToken) { state.withLock { $0.tokens[token.id] = token } }

    func add(_ token: AdminToken, _ entry: AuditEntry) async throws -> Int64 {
        state.withLock { state in
            state.tokens[token.id] = token
            return state.append(entry)
        }
    }

    func revoke(_ id: String, at now: Instant, _ entry: AuditEntry) async throws -> Int64? {
        state.withLock { state in
            guard let token = state.tokens[id], token.revokedAt == nil else { return nil }
            state.tokens[id]?.revokedAt = now
            return state.append(entry)
        }
    }

    func record(_ entry: AuditEntry) async throws -> Int64 { state.withLock { $0.append(entry) } }

    func audit(_ filter: AuditFilter) async throws -> AuditPage {
        let rows = state.withLock { $0.rows }.filter { $0.number < filter.before ?? .max }.reversed()
        let page = Array(rows.prefix(Int(filter.limit)))
        return AuditPage(rows: page, next: page.count < filter.limit ? nil : page.last?.number)
    }

    func verifyAudit(after number: Int64?) async throws -> AuditReport {
        let rows = state.withLock { $0.rows }
        let chain = AuditChain(
            headNumber: rows.last?.number ?? 0,
            headHash: rows.last?.hash ?? [],
            anchorNumber: 0,
            anchorHash: []
        )
        var verifier = AuditVerifier(chain)
        for row in rows { verifier.check(row) }
        verifier.finish()
        return verifier.report
    }
}
