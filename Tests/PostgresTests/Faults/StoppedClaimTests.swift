// A node that stops in the middle of a claim must not block the others.

import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import Postgres

@Suite(.serialized) struct StoppedClaimTests {
    /// More pieces than a claim has, including its connection and its prepared statements.
    private static let piecesMax = 24

    private func node(_ name: String, on info: ConnectionInfo, timeToLive: Duration = .seconds(600)) -> Membership {
        Membership(info: info, node: NodeID(unchecked: name), clock: ServiceClock(), timeToLive: timeToLive)
    }

    /// A proxy before a database.
    private func detour(_ info: ConnectionInfo, through proxy: FaultProxy) throws -> ConnectionInfo {
        let database = try #require(info.databaseName)
        return ConnectionInfo("host='\(proxy.directory)' user=score dbname='\(database)'")
    }

    @Test("H3, H6: a node that is stopped at any step of a claim delays no renewal of others")
    func aStoppedClaimDelaysNoRenewal() async throws {
        let info = try await ScratchDatabase.make()
        let cluster = try #require(info.parsed()?["host"])
        let other = Pool(info, size: 1, name: "other", bounds: .init(statementTimeout: .seconds(1)))
        let second = node("b", on: info)
        let term = try await second.join()
        for pieces in 0..<Self.piecesMax {
            let proxy = try FaultProxy(to: cluster + "/.s.PGSQL.5432")
            let first = node("a", on: try detour(info, through: proxy))
            try await first.join()
            _ = try await first.claimBuckets()
            try await other.execute(Statement("update bucket_owner set term = 0 where bucket < 100"))
            try await proxy.set(.stops(after: pieces))
            let isOver = Mutex(false)
            let claim = Task {
                defer { isOver.withLock { $0 = true } }
                _ = try await first.claimBuckets()
                return try await first.acquire(lease: "feed:x")
            }
            try await eventually("the claim waits, or is over") {
                proxy.hasStopped || isOver.withLock { $0 }
            }
            try await eventually("the server has done what came to it") {
                try await other.query(Self.busy) { try $0.int(0) } == [0]
            }
            let binds: [Bind] = [.text("b"), .int(term.number), .double(600), .bool(true), .integer(0)]
            // A second time, since a pause of the machine may use the first one's second; a lock would block both.
            func renew() async -> Int? { try? await other.execute(Membership.Statements.renew, binds) }
            var renewed = await renew()
            if renewed == nil { renewed = await renew() }
            #expect(renewed == 1, "stopped after \(pieces) pieces")
            proxy.end()
            _ = await claim.result
        }
        await other.close()
    }

    @Test("H3, H6: the buckets of a node that was stopped in a claim are taken over as soon as its lease is over")
    func bucketsOfAStoppedClaimAreTakenOver() async throws {
        let info = try await ScratchDatabase.make()
        let cluster = try #require(info.parsed()?["host"])
        let pool = Pool(info, size: 1, name: "test")
        for pieces in 1...4 {
            let proxy = try FaultProxy(to: cluster + "/.s.PGSQL.5432")
            let first = node("a", on: try detour(info, through: proxy), timeToLive: .seconds(3))
            try await first.join()
            #expect(try await first.claimBuckets().count == 1024)
            let second = node("b", on: info, timeToLive: .seconds(3))
            let running = Task { try await second.run() }
            try await eventually("it has joined") { second.term != nil }
            // So it has some to take when it is stopped.
            try await pool.execute(Statement("update bucket_owner set term = 0 where bucket < 800"))
            let start = ContinuousClock.now
            try await proxy.set(.stops(after: pieces))
            let claim = Task { try await first.claimBuckets() }
            try await eventually("it has all") { (try? await second.claimBuckets().count) == 1024 }
            // Three seconds and a claim; the locks of a stopped transaction may be released after ten only.
            #expect(ContinuousClock.now - start < .seconds(8), "stopped after \(pieces) pieces")
            try await eventually("it renews") { second.isTrusted }
            proxy.end()
            _ = await claim.result
            running.cancel()
            try await running.value
        }
    }

    @Test func aBucketOfANodeThatJoinsDuringAClaimIsNotTakenFromIt() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 1, name: "test")
        let (first, second, third) = (node("a", on: info), node("b", on: info), node("c", on: info))
        try await first.join()
        try await second.join()
        // The claim has read the nodes and waits for the row of one; meanwhile another joins and takes its share.
        let locker = try await Connection.open(info, name: "locker")
        try await locker.script("begin; update node set expires_at = expires_at where node_id = 'a'")
        let claim = Task { try await second.claimBuckets() }
        try await eventually("the claim waits") { try await pool.query(Self.waiting) { try $0.int(0) } == [1] }
        let term = try await third.join()
        let taken = Statement("update bucket_owner set term = $1 where bucket < 300")
        try await pool.execute(taken, [.int(term.number)])
        try await pool.execute(Statement("insert into lease (name, term) values ('feed:x', $1)"), [.int(term.number)])
        try await locker.script("commit")
        #expect(try await claim.value.allSatisfy { $0.number >= 300 })
        #expect(try await pool.query(Self.largest) { try $0.int(0) } == [300])
    }

    /// Buckets of the newest term.
    private static let largest = Statement(
        "select count(*) from bucket_owner where term = (select max(term) from node)"
    )

    /// Membership connections with a running statement.
    private static let busy = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'membership' and state = 'active'
        """
    )

    /// Membership connections that wait for a lock.
    private static let waiting = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'membership' and wait_event_type = 'Lock'
        """
    )
}
