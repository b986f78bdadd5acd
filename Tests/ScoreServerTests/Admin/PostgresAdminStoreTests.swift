// Admin tokens and the audit log in a real database.

import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct PostgresAdminStoreTests {
    @Test func adminTokensAreStoredHashed() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "admin-test")
        let store = PostgresAdminStore(pool: pool)
        let expiry = Instant(milliseconds: 1_900_000_000_000)
        let credential = try await store.makeToken(name: "pager", role: .operator, expiresAt: expiry)
        let endless = try await store.makeToken(name: "scraper", role: .metrics, expiresAt: nil)
        let found = try #require(try await store.token(credential.id))
        #expect(found.role == .operator && found.name == "pager" && found.expiresAt == expiry)
        #expect(found.digest.matches(credential.digest) && !found.digest.matches(endless.digest))
        #expect(try await store.token(endless.id)?.expiresAt == nil)
        #expect(try await store.token("unknown") == nil)
        await pool.close()
    }

    @Test func theAuditLogIsReadNewestFirst() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "audit-test")
        let store = PostgresAdminStore(pool: pool)
        var ids: [Int64] = []
        for outcome in [AuditEntry.Outcome.intended, .done, .denied] {
            let entry = AuditEntry(
                actor: "token:pager",
                role: "operator",
                action: "feed.pause",
                target: "main",
                reason: "it's \"late\"; drop table audit",
                outcome: outcome,
                requestID: "req-12345",
                detail: .record(["before": .text("polling")])
            )
            ids.append(try await store.record(entry))
        }
        let page = try await store.audit(before: nil, limit: 2)
        #expect(page.map(\.entry.outcome) == [.denied, .done])
        #expect(page.first?.entry.reason == "it's \"late\"; drop table audit")
        #expect(page.first?.entry.detail["before"]?.string == "polling")
        let rest = try await store.audit(before: page.last?.id, limit: 2)
        #expect(rest.map(\.id) == [ids[0]])
        await pool.close()
    }
}
