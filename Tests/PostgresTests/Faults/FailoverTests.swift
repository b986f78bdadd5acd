import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite struct FailoverTests {
    private static let write = Statement("insert into acknowledged (n) values ($1)")

    /// A write without a lasting effect.
    private static let attempt = Statement("delete from acknowledged where n < 0")

    /// A replica of the primary in its own folder.
    private func standby(of primary: PrivateCluster, at folder: String) async throws -> PrivateCluster {
        let account = try ClusterAccount.find()
        try ClusterFolder(folder).prepare(for: account)
        let programs = try #require(ServerPrograms.find(major: nil))
        let copy = try ServerProcess.run(
            account.command([
                programs.folder + "/pg_basebackup", "-h", primary.directory, "-U", "score", "-D", folder + "/data",
                "-R", "-c", "fast", "-X", "stream",
            ])
        )
        #expect(copy.status == 0, "\(copy.output)")
        return try await PrivateCluster.start(directory: folder, lifetime: .endsWithOwner, durable: true)
    }

    @Test("P8: after a failover writes use the new primary and listening begins again")
    func aFailoverMovesWritesAndListening() async throws {
        let base = "/tmp/score-ha-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        let primary = try await PrivateCluster.start(directory: base + "a", lifetime: .endsWithOwner, durable: true)
        let second = try await standby(of: primary, at: base + "b")
        let both = ConnectionInfo("host='\(second.directory),\(primary.directory)' user=score dbname=score")
        let pool = Pool(both, size: 2, name: "failover")
        try await pool.withConnection { try $0.script("create table acknowledged (n bigint primary key)") }
        try await pool.execute(Self.write, [.int(1)])
        let listener = Listener(both, channels: ["ball"])
        var heard = listener.notifications.makeAsyncIterator()
        #expect(await heard.next() == .reconnected)
        let follower = try await Connection.open(second.connectionInfo, name: "look", statementTimeout: .seconds(60))
        try await eventually("the standby has it") {
            (try? await follower.query(Statement("select n from acknowledged")) { try $0.int(0) }) == [1]
        }
        let refused = await #expect(throws: PostgresError.self) { try await follower.execute(Self.write, [.int(9)]) }
        #expect(refused?.kind == .readOnly && refused?.sqlState == "25006")

        await primary.stop()
        try await follower.script("select pg_promote()")
        try await eventually("writes go on") { (try? await pool.execute(Self.write, [.int(2)])) == 1 }
        #expect(await heard.next() == .reconnected, "notifications may have been missed")
        try await pool.execute(Statement("select pg_notify('ball', 'm1')"))
        #expect(await heard.next() == .message(channel: "ball", payload: "m1"))

        // A primary that becomes read-only keeps its connections; they must not stay in the pool.
        try await follower.script("alter system set default_transaction_read_only = on")
        try await follower.script("select pg_reload_conf()")
        try await eventually("writes are refused") {
            do {
                try await pool.execute(Self.attempt)
                return false
            } catch let error as PostgresError {
                return error.kind == .readOnly || error.kind == .connection
            }
        }
        try await eventually("no connection to it is kept") {
            _ = try? await pool.execute(Self.attempt)
            return pool.counts.open == 0
        }
        try await follower.script("alter system reset default_transaction_read_only")
        try await follower.script("select pg_reload_conf()")
        try await eventually("writes go on again") { (try? await pool.execute(Self.write, [.int(4)])) == 1 }
        let rows = try await pool.query(Statement("select n from acknowledged order by n")) { try $0.int(0) }
        #expect(rows == [1, 2, 4], "none is lost, none is there twice")
        listener.stop()
        await pool.close()
        await second.stop()
        for folder in [base + "a", base + "b"] { try? FileManager.default.removeItem(atPath: folder) }
    }

    @Test("P8: readers leave a primary that becomes read-only, as soon as another host accepts writes")
    func readersLeaveADemotedPrimary() async throws {
        let base = "/tmp/score-ro-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        let old = try await PrivateCluster.start(directory: base + "a", lifetime: .endsWithOwner, durable: false)
        let new = try await PrivateCluster.start(directory: base + "b", lifetime: .endsWithOwner, durable: false)
        let both = ConnectionInfo("host='\(old.directory),\(new.directory)' user=score dbname=score")
        let home = Statement("select trim(both '\"' from current_setting('unix_socket_directories'))")
        let pool = Pool(both, size: 1, name: "reader")
        #expect(try await pool.query(home) { try $0.text(0) } == [old.directory])
        let reader = try await Connection.open(both, name: "tail")
        let listener = Listener(both, channels: ["ball"], silenceMax: .milliseconds(50))
        var heard = listener.notifications.makeAsyncIterator()
        #expect(await heard.next() == .reconnected)
        let alone = try await Connection.open(old.connectionInfo, name: "alone")

        // No client writes, and no connection is closed.
        try await alone.script("alter system set default_transaction_read_only = on")
        try await alone.script("select pg_reload_conf()")
        try await eventually("the pool reads from the other host") {
            (try? await pool.query(home) { try $0.text(0) }) == [new.directory]
        }
        try await eventually("a connection that is held for long is given up") {
            do {
                _ = try await reader.query(home) { try $0.text(0) }
                return false
            } catch let error as PostgresError {
                return error.kind == .readOnly || error.kind == .connection
            }
        }
        #expect(await heard.next() == .reconnected, "listening has begun on the other host")
        try await pool.execute(Statement("select pg_notify('ball', 'm1')"))
        #expect(await heard.next() == .message(channel: "ball", payload: "m1"))
        let sums = try await alone.query(Statement("select 1 + 1")) { try $0.int(0) }
        #expect(sums == [2], "a client with one host stays there")
        listener.stop()
        await pool.close()
        await old.stop()
        await new.stop()
        for folder in [base + "a", base + "b"] { try? FileManager.default.removeItem(atPath: folder) }
    }
}
