// A restarted or replaced server may reuse transaction ids that the tail has read past.

import Foundation
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService

@Suite(.serialized) struct ServerLifeTests {
    private static let taken = Statement("select pg_current_xact_id()::text::bigint")
    private static let next = Statement("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint")

    private func register(_ phone: UInt64, in store: Store) async throws {
        let call = ActivityRegistration(
            device: device(phone),
            match: .final,
            activityID: ActivityID(unchecked: "A"),
            environment: .production,
            route: .token(try token(phone)),
            startedAt: store.time.now,
            clientSequence: 1
        )
        try await eventually("phone \(phone) is registered") {
            (try? await store.activities.register(call)) != nil
        }
    }

    /// Transactions that write nothing, so that none of them waits for a flush to disk.
    @discardableResult
    private func pass(_ transactions: Int, in store: Store) async throws -> Int64 {
        var last: Int64 = 0
        for _ in 0..<transactions { last = try await store.number(Self.taken) }
        return last
    }

    /// Kills the server when the tail has read past ids that are not yet on disk.
    private func loseIDs(_ server: FaultyServer, _ store: Store, _ running: RunningIndex) async throws {
        // The server may flush by itself at any time; then those ids are not lost, and others are needed.
        for _ in 0..<10 {
            let last = try await pass(50, in: store)
            try await eventually("the tail has read past them") {
                running.index.tail.withLock { $0.position ?? 0 } > last
            }
            try await server.restart(.killed)
            if try await store.number(Self.next) <= last { return }
        }
        Issue.record("no id was lost")
    }

    @Test("P2: a registration under ids that were lost with the server is followed", arguments: [false, true])
    func reusedTransactionIDsAreFollowed(isOvertaken: Bool) async throws {
        let server = try await FaultyServer()
        let store = Store(on: server.info)
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        try await register(1, in: store)
        // Otherwise the server flushes five times a second without a waiting commit.
        try await store.script("alter system set wal_writer_delay = '10s'")
        try await store.script("select pg_reload_conf()")
        try await loseIDs(server, store, running)
        try await register(2, in: store)
        if isOvertaken { try await pass(200, in: store) }
        let expected = try await tableContents(store, of: .final)
        #expect(expected.count == 2)
        try await eventually("the arena equals the table") { running.contents(of: .final) == expected }
        await running.stop()
        await store.pool.close()
        await server.remove()
    }

    @Test("P8: after a failover to a lagging server the arena equals that server's table")
    func aFailoverToALaggingServerRebuildsTheArena() async throws {
        let base = "/tmp/score-life-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        let old = try await PrivateCluster.start(directory: base + "a", lifetime: .endsWithOwner, durable: false)
        let new = try await PrivateCluster.start(directory: base + "b", lifetime: .endsWithOwner, durable: false)
        for one in [old, new] { try await Migrations.apply(to: one.connectionInfo) }
        let alone = Store(on: new.connectionInfo)
        try await register(1, in: alone)
        let store = Store(on: ConnectionInfo("host='\(old.directory),\(new.directory)' user=score dbname=score"))
        try await register(1, in: store)
        try await register(2, in: store)
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        try await eventually("both are held") { running.contents(of: .final).count == 2 }
        // Its ids are not behind, but they are different ones.
        try await pass(200, in: alone)
        try await register(3, in: alone)
        await old.stop()
        let expected = try await tableContents(alone, of: .final)
        #expect(expected.count == 2)
        try await eventually("the arena equals the table") { running.contents(of: .final) == expected }
        await running.stop()
        for pool in [store.pool, alone.pool] { await pool.close() }
        await new.stop()
        for folder in [base + "a", base + "b"] { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test("P4: a crash recovery counts as another server, a lost connection does not")
    func onlyACrashRecoveryCountsAsAnotherServer() async throws {
        let server = try await FaultyServer()
        func life() async throws -> String? {
            let connection = try await Connection.open(server.info, name: "look")
            return try await connection.query(ArenaStatements.life) { try $0.text(0) }.first
        }
        let first = try #require(try await life())
        #expect(try await life() == first)
        let victim = try await Connection.open(server.info, name: "victim")
        let pids = try await victim.query(Statement("select pg_backend_pid()::bigint")) { try $0.int(0) }
        kill(pid_t(try #require(pids.first)), SIGKILL)
        try await eventually("it reports that it is up again") {
            guard let now = try? await life() else { return false }
            return now != first
        }
        await server.remove()
    }
}
