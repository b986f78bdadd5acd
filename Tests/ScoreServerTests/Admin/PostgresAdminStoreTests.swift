// Admin tokens in a real database.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct PostgresAdminStoreTests {
    private static let now = Instant(milliseconds: 1_900_000_000_000)

    private static func entry(_ target: String) -> AuditEntry {
        .command("admin-token.create", target: target, reason: "a new operator", user: "test")
    }

    private static func token(_ name: String, parent: String? = nil, lasting life: Duration = .seconds(60))
        -> (token: AdminToken, credential: BearerCredential)
    {
        AdminToken.make(name: name, role: .operator, by: "test", at: now, lasting: life, parent: parent)
    }

    @Test func tokensAreStoredHashedWithTheirEntry() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "admin-test")
        let store = PostgresAdminStore(pool: pool)
        let (token, credential) = Self.token("pager")
        let number = try await store.add(token, Self.entry(token.id))
        let found = try #require(try await store.token(token.id))
        #expect(found.role == .operator && found.name == "pager" && found.expiresAt == Self.now + .seconds(60))
        #expect(found.digest.matches(credential.digest) && found.lastUsedAt == nil)
        #expect(found.state(at: Self.now) == .active && found.state(at: Self.now + .seconds(60)) == .expired)
        #expect(try await store.token("unknown") == nil)
        let rows = try await store.audit(AuditFilter()).rows
        #expect(rows.map(\.number) == [number] && rows.first?.texts.target == token.id)
        await #expect(throws: PostgresError.self) { try await store.add(token, Self.entry(token.id)) }
        #expect(try await store.audit(AuditFilter()).rows.count == 1, "a change that fails leaves no entry")
        await pool.close()
    }

    @Test("S13: a revoked token is refused at once on another node")
    func aRevokedTokenIsRefusedAtOnceOnAnotherNode() async throws {
        let info = try await ScratchDatabase.make()
        let pools = [Pool(info, size: 1, name: "one"), Pool(info, size: 1, name: "two")]
        let (here, there) = (PostgresAdminStore(pool: pools[0]), PostgresAdminStore(pool: pools[1]))
        let (token, _) = Self.token("pager")
        let (session, _) = Self.token("pager", parent: token.id, lasting: .seconds(3_600 * 24 * 4_000))
        _ = try await here.add(token, Self.entry(token.id))
        _ = try await here.add(session, Self.entry(session.id))
        #expect(try await there.token(token.id) != nil)
        #expect(try await there.token(session.id) != nil)
        let entry = Self.entry(token.id)
        #expect(try await here.revoke(token.id, at: Self.now, entry) == 3)
        #expect(try await there.token(token.id) == nil)
        #expect(try await there.token(session.id) == nil)
        #expect(try await here.revoke(token.id, at: Self.now, entry) == nil)
        let states = try await there.tokens().map { $0.state(at: Self.now) }
        #expect(states == [.revoked, .revoked])
        try await here.forgetTokens(endedBefore: Self.now + .seconds(1))
        #expect(try await there.tokens().isEmpty)
        for pool in pools { await pool.close() }
    }

    @Test func aUseIsStoredUnlessANewerOneIs() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "admin-test")
        let store = PostgresAdminStore(pool: pool)
        let (token, _) = Self.token("pager")
        _ = try await store.add(token, Self.entry(token.id))
        for seconds in [60, 30] { try await store.noteUse(of: token.id, at: Self.now + .seconds(seconds)) }
        #expect(try await store.token(token.id)?.lastUsedAt == Self.now + .seconds(60))
        await pool.close()
    }

    @Test func aTokenBehindManySessionsIsListedAndRevoked() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "admin-test")
        let store = PostgresAdminStore(pool: pool)
        let (token, _) = Self.token("pager", lasting: .seconds(86_400))
        _ = try await store.add(token, Self.entry(token.id))
        let sessions = Statement(
            """
            insert into admin_token (token_id, parent_id, name, role, secret_hash, created_by, created_at, expires_at)
            select 's' || n, $1, 'pager', 'operator', sha256('x'), 'test', $2::timestamptz + n / 10 * interval '1 s', $3
            from generate_series(1, 600) n
            """
        )
        try await pool.execute(sessions, [.text(token.id), .timestamp(Self.now), .timestamp(token.expiresAt)])
        let all = try await store.tokens()
        #expect(all.count == 601 && Set(all.map(\.id)).count == 601 && all.contains { $0.id == token.id })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.createdAt >= $1.createdAt }, "newest first")
        var stubs = TestDependencies()
        stubs.adminStore = store
        try await withServer(stubs) { server in
            let admin = try await store.headers(.admin)
            let path = "/admin/api/v1/admin-tokens"
            let first = try await server.internalClient.get(path, admin)
            #expect(first.json["items"]?.list.count == ServerLimits.listedTokens)
            let after = try #require(first.json["nextAfter"]?.string)
            let second = try await server.internalClient.get(path + "?after=\(after)", admin)
            #expect(second.json["items"]?.list.contains { $0["id"]?.string == token.id } == true)
            #expect(second.json["nextAfter"] == nil)
            for wrong in ["after=x", "after=-1.a", "limit=0", "limit=501"] {
                #expect(try await server.internalClient.get(path + "?\(wrong)", admin).status == 400, "\(wrong)")
            }
            let dry = try await server.internalClient.send(
                "DELETE",
                path + "/\(token.id)?dryRun=true",
                admin,
                json: #"{"reason":"it is lost","confirm":"\#(token.id)"}"#
            )
            #expect(dry.json["result"]?["wouldAffect"]?.int == 601, "\(dry.text)")
        }
        #expect(try await store.revocationCount("unknown") == nil)
        await pool.close()
    }
}
