// A scraper with a token reads the metrics while the database is down; everybody else waits for the database.

import Foundation
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct ScrapeOutageTests {
    /// A stored token.
    private struct Stored {
        let id: String
        let headers: [String: String]
        let entry: AuditEntry

        init(_ role: AdminRole, in store: PostgresAdminStore, at now: Instant) async throws {
            let (token, credential) = AdminToken.make(
                name: "\(role)",
                role: role,
                by: "test",
                at: now,
                lasting: .seconds(86_400)
            )
            id = token.id
            headers = ["Authorization": "Bearer \(credential.text)"]
            entry = .command("admin-token.create", target: token.id, reason: "test", user: "test")
            _ = try await store.add(token, entry)
        }
    }

    private static func credential(_ number: Int) -> (BearerCredential, AdminPrincipal) {
        let credential = BearerCredential(new: .admin, id: "t\(number)")
        let principal = AdminPrincipal(
            id: credential.id,
            tokenID: credential.id,
            name: "prometheus",
            role: .metrics,
            expiresAt: ManualClock.wallAtZero + .seconds(60),
            isSession: false
        )
        return (credential, principal)
    }

    @Test func aKnownScraperReadsTheMetricsOfAnOutage() async throws {
        let folder = "/tmp/score-scrape-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        let cluster = try await PrivateCluster.start(directory: folder, lifetime: .endsWithOwner, durable: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await Migrations.apply(to: cluster.connectionInfo)
        let pool = Pool(cluster.connectionInfo, size: 2, name: "scrape")
        let (store, time) = (PostgresAdminStore(pool: pool), ManualClock())
        let known = try await Stored(.metrics, in: store, at: time.now)
        let revoked = try await Stored(.metrics, in: store, at: time.now)
        let unseen = try await Stored(.metrics, in: store, at: time.now)
        let admin = try await Stored(.admin, in: store, at: time.now)
        var stubs = TestDependencies()
        stubs.adminStore = store
        stubs.internalClock = time.clock()
        try await withServer(stubs) { server in
            let client = server.internalClient
            for token in [known, revoked, admin] {
                #expect(try await client.get("/metrics", token.headers).status == 200)
            }
            #expect(try await client.get("/admin/api/v1/session", known.headers).status == 200)
            _ = try await store.revoke(revoked.id, at: time.now, revoked.entry)
            #expect(try await client.get("/metrics", revoked.headers).status == 401, "the database still answers")
            await cluster.stop()
            #expect(try await client.get("/metrics", known.headers).status == 200)
            for token in [revoked, unseen, admin] {
                #expect(try await client.get("/metrics", token.headers).status == 503)
            }
            let wrong = ["Authorization": "Bearer \(BearerCredential(new: .admin, id: known.id).text)"]
            #expect(try await client.get("/metrics", wrong).status == 503)
            #expect(try await client.get("/admin/api/v1/session", known.headers).status == 503)
            time.advance(by: ServerLimits.scraperAge)
            #expect(try await client.get("/metrics", known.headers).status == 503, "it was verified an hour ago")
        }
        await pool.close()
    }

    @Test func aKnownScraperDoesNotWaitForAStuckDatabase() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 2, name: "scrape")
        let store = PostgresAdminStore(pool: pool)
        let known = try await Stored(.metrics, in: store, at: ServiceClock().wall)
        var stubs = TestDependencies()
        stubs.adminStore = store
        try await withServer(stubs) { server in
            #expect(try await server.internalClient.get("/metrics", known.headers).status == 200)
            let locker = try await Connection.open(info, name: "locker")
            try await locker.script("set idle_in_transaction_session_timeout = 0; begin")
            try await locker.script("lock table admin_token in access exclusive mode")
            #expect(try await server.internalClient.get("/metrics", known.headers).status == 200)
            try await locker.script("rollback")
            await locker.close()
        }
        await pool.close()
    }

    @Test func knownScrapersAreFewAndForgottenWhenRevoked() {
        let (scrapers, time) = (KnownScrapers(), ManualClock())
        let clock = time.clock()
        let all = (0...ServerLimits.knownScrapers).map(Self.credential)
        for (credential, principal) in all { scrapers.keep(credential, principal, at: clock.monotonic) }
        let found = all.map { scrapers.principal($0.0, clock) != nil }
        #expect(found == [false] + Array(repeating: true, count: ServerLimits.knownScrapers), "the oldest is dropped")
        scrapers.forget(id: all[1].1.id)
        #expect(scrapers.principal(all[1].0, clock) == nil)
        scrapers.forget(all[2].0.digest)
        #expect(scrapers.principal(all[2].0, clock) == nil)
        #expect(scrapers.principal(all[3].0, clock) != nil)
        time.advance(by: .seconds(60))
        #expect(scrapers.principal(all[3].0, clock) == nil, "it is expired")
    }
}
