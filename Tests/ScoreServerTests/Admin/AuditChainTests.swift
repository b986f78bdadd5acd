// The chain of the audit log in a real database: two nodes, tampering, deletion and grants.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct AuditChainTests {
    private static func entry(_ target: String) -> AuditEntry {
        AuditEntry(
            actor: "token:pager",
            actorID: "a1",
            role: "operator",
            address: "192.0.2.0/24",
            action: "feed.pause",
            target: target,
            reason: "it's \"late\"; drop table audit",
            outcome: .done,
            requestID: "req-12345",
            before: .record(["state": .text("polling")]),
            after: .record(["state": .text("paused"), "credential": .text("ssa1.id.secret")])
        )
    }

    /// A database with a log of five entries.
    private static func log() async throws -> (store: PostgresAdminStore, pool: Pool, info: ConnectionInfo) {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 1, name: "audit-test")
        let store = PostgresAdminStore(pool: pool)
        for number in 1...5 { #expect(try await store.record(entry("t\(number)")) == Int64(number)) }
        #expect(try await store.verifyAudit(after: nil).faults.isEmpty)
        return (store, pool, info)
    }

    @Test func entriesAreReadByFilterNewestFirst() async throws {
        let (store, pool, _) = try await Self.log()
        var filter = AuditFilter()
        filter.limit = 2
        let page = try await store.audit(filter).rows
        #expect(page.map(\.number) == [5, 4])
        let texts = try #require(page.first?.texts)
        #expect(texts.reason == "it's \"late\"; drop table audit" && texts.address == "192.0.2.0/24")
        #expect(texts.before == #"{"state":"polling"}"#)
        #expect(texts.after?.contains("secret") == false, "secrets are not stored")
        filter.before = 4
        #expect(try await store.audit(filter).rows.map(\.number) == [3, 2])
        filter.target = "t1"
        #expect(try await store.audit(filter).rows.map(\.number) == [1])
        filter.actor = "token:other"
        #expect(try await store.audit(filter).rows.isEmpty)
        await pool.close()
    }

    @Test func aPageOfATargetReadsABoundedNumberOfEntries() async throws {
        let (_, pool, _) = try await Self.log()
        let store = PostgresAdminStore(pool: pool, entriesPerSearch: 2)
        var filter = AuditFilter()
        filter.target = "t1"
        var (found, empty): ([Int64], Int) = ([], 0)
        repeat {
            let page = try await store.audit(filter)
            found += page.rows.map(\.number)
            if page.rows.isEmpty { empty += 1 }
            filter.before = page.next
        } while filter.before != nil
        #expect(found == [1] && empty == 2, "two of five entries each time")
        filter.target = nil
        filter.action = "unknown"
        let none = try await store.audit(filter)
        #expect(none.rows.isEmpty && none.next == nil, "an index finds the entries of an action")
        await pool.close()
    }

    @Test func theConsoleKeepsTheFilterOfAPage() async throws {
        try await withServer { server in
            for number in 1...2 { _ = try await server.stubs.store.record(Self.entry("t\(number)")) }
            let viewer = try await server.token(.viewer)
            let page = try await server.internalClient.get("/admin/audit?actor=token:ana&limit=1", viewer)
            #expect(page.text.contains("/admin/audit?actor=token%3Aana&amp;before=2"), "\(page.text)")
        }
    }

    @Test("O1: two nodes append to one chain") func twoNodesAppendToOneChain() async throws {
        let info = try await ScratchDatabase.make()
        let pools = [Pool(info, size: 4, name: "one"), Pool(info, size: 4, name: "two")]
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<80 {
                let store = PostgresAdminStore(pool: pools[number % 2])
                tasks.addTask { _ = try await store.record(Self.entry("t\(number)")) }
            }
            try await tasks.waitForAll()
        }
        let report = try await PostgresAdminStore(pool: pools[0]).verifyAudit(after: nil)
        #expect(report.isIntact && report.checked == 80 && report.chain.headNumber == 80)
        let rest = try await PostgresAdminStore(pool: pools[1]).verifyAudit(after: 70)
        #expect(rest.isIntact && rest.checked == 10)
        for pool in pools { await pool.close() }
    }

    /// A statement that changes the log of five entries, and the faults that a check names.
    struct Tampering: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statement: Statement
        let faults: [AuditFault]
    }

    static let tamperings = [
        Tampering(
            testDescription: "a changed reason",
            statement: "update audit set reason = 'nothing' where audit_id = 3",
            faults: [AuditFault(number: 3, kind: .changed)]
        ),
        Tampering(
            testDescription: "a changed time",
            statement: "update audit set at = at + interval '1 hour' where audit_id = 2",
            faults: [AuditFault(number: 2, kind: .changed)]
        ),
        Tampering(
            testDescription: "a removed state",
            statement: "update audit set before = null where audit_id = 4",
            faults: [AuditFault(number: 4, kind: .changed)]
        ),
        Tampering(
            testDescription: "a deleted entry",
            statement: "delete from audit where audit_id = 3",
            faults: [AuditFault(number: 3, kind: .missing)]
        ),
        Tampering(
            testDescription: "a deleted oldest entry",
            statement: "delete from audit where audit_id = 1",
            faults: [AuditFault(number: 1, kind: .missing)]
        ),
        Tampering(
            testDescription: "deleted newest entries",
            statement: "delete from audit where audit_id > 3",
            faults: [AuditFault(number: 4, kind: .truncated)]
        ),
        Tampering(
            testDescription: "two exchanged entries",
            statement: """
                with other as (select audit_id, target from audit where audit_id in (2, 3))
                update audit a set target = o.target from other o
                where a.audit_id in (2, 3) and o.audit_id = 5 - a.audit_id
                """,
            faults: [AuditFault(number: 2, kind: .changed), AuditFault(number: 3, kind: .changed)]
        ),
        Tampering(
            testDescription: "an inserted entry",
            statement: """
                insert into audit select 6, at, actor, actor_id, role, via, address, action, target, reason, outcome,
                    request_id, before, after, detail, hash, hash from audit where audit_id = 5
                """,
            faults: [AuditFault(number: 6, kind: .inserted)]
        ),
        Tampering(
            testDescription: "a moved anchor",
            statement: """
                update audit_chain set anchor_number = 2, anchor_hash = (select hash from audit where audit_id = 2)
                """,
            faults: [
                AuditFault(number: 2, kind: .anchor), AuditFault(number: 1, kind: .inserted),
                AuditFault(number: 2, kind: .inserted),
            ]
        ),
    ]

    @Test("O6, S59: a change in the database is found, and its entry named", arguments: tamperings)
    func tamperingIsFoundAndNamed(_ tampering: Tampering) async throws {
        let (store, pool, _) = try await Self.log()
        try await pool.execute(tampering.statement)
        let report = try await store.verifyAudit(after: nil)
        #expect(report.faults == tampering.faults)
        await pool.close()
    }

    /// A part of the chain that was written again with right hashes does not continue to the rest.
    @Test("O6, S59: an entry with a right hash of its own is found") func anEntryWithARightHashOfItsOwnIsFound() {
        var rows: [AuditRow] = []
        for number in 1...4 as ClosedRange<Int64> {
            let before = rows.last?.hash ?? []
            let entry = Self.entry("t\(number)")
            rows.append(AuditRow(entry, number: number, at: Instant(milliseconds: number), after: before))
        }
        let chain = AuditChain(headNumber: 4, headHash: rows[3].hash, anchorNumber: 0, anchorHash: [])
        rows[1] = AuditRow(Self.entry("other"), number: 2, at: rows[1].at, after: rows[0].hash)
        var verifier = AuditVerifier(chain)
        for row in rows { verifier.check(row) }
        verifier.finish()
        #expect(verifier.report.faults == [AuditFault(number: 3, kind: .unlinked)])
    }

    @Test func oldEntriesAreDeletedAndTheChainStaysWhole() async throws {
        let (store, pool, _) = try await Self.log()
        // The first entries become 500 days old, and the chain is written again.
        let rows = try await store.audit(AuditFilter()).rows.reversed().map { $0 }
        var previous: [UInt8] = []
        for row in rows {
            let age: Duration = .seconds(row.number <= 3 ? 500 * 86_400 : 0)
            let old = AuditRow(Self.entry(row.texts.target), number: row.number, at: row.at - age, after: previous)
            try await pool.execute(
                "update audit set at = $2, prev_hash = $3, hash = $4 where audit_id = $1",
                [.int(old.number), .timestamp(old.at), .bytes(old.previous), .bytes(old.hash)]
            )
            previous = old.hash
        }
        try await pool.execute("update audit_chain set head_hash = $1", [.bytes(previous)])
        #expect(try await store.verifyAudit(after: nil).isIntact)
        await #expect(throws: PostgresError.self) { try await store.forgetAudit(olderThanDays: 29, node: "n") }
        #expect(try await store.forgetAudit(olderThanDays: 400, node: "n") == 3)
        let report = try await store.verifyAudit(after: nil)
        #expect(report.isIntact && report.checked == 3 && report.chain.anchorNumber == 3)
        #expect(try await store.audit(AuditFilter()).rows.first?.texts.action == "audit.delete")
        #expect(try await store.forgetAudit(olderThanDays: 400, node: "n") == 0)
        try await pool.execute("delete from audit where audit_id = 4")
        #expect(try await store.verifyAudit(after: nil).faults == [AuditFault(number: 4, kind: .missing)])
        await pool.close()
    }

    /// A login that is a member of `score_server` and owns nothing can append and read only.
    @Test("S59: the role of the server may only append") func theRoleOfTheServerMayOnlyAppend() async throws {
        let (_, pool, info) = try await Self.log()
        let connection = try await Connection.open(info, name: "grants")
        let statements: [StaticString] = [
            "update audit set reason = ''", "delete from audit", "truncate audit",
            "update audit_chain set anchor_number = 1", "delete from audit_chain", "drop table audit",
            "alter table audit disable trigger all",
        ]
        try await connection.script("set role score_server")
        for statement in statements {
            await #expect(throws: PostgresError.self, "\(statement)") { try await connection.script(statement) }
        }
        let number = try await connection.appended(Self.entry("as the role"))
        #expect(number == 6)
        await connection.close()
        #expect(try await PostgresAdminStore(pool: pool).verifyAudit(after: nil).isIntact)
        await pool.close()
    }
}

extension Connection {
    fileprivate func appended(_ entry: AuditEntry) throws -> Int64 {
        try withTransaction { connection in try connection.appendAudit(entry) }
    }
}
