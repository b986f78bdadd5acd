// A registration whose answer is lost is committed all the same; its term must not seem another process's.

import ScoreTypes
import TestSupport
import Testing

@testable import Postgres

@Suite(.serialized) struct LostRegistrationTests {
    @Test func aNodeThatDoesNotLearnItsNewTermRegistersAgain() async throws {
        let info = try await ScratchDatabase.make()
        let server = try #require(info.parsed()?["host"])
        let database = try #require(info.databaseName)
        let proxy = try FaultProxy(to: server + "/.s.PGSQL.5432")
        // Without the proxy it connects to the server itself.
        let hosts = ConnectionInfo("host='\(proxy.directory),\(server)' user=score dbname='\(database)'")
        let node = Membership(
            info: hosts,
            node: NodeID(unchecked: "a"),
            clock: ServiceClock(),
            timeToLive: .seconds(600)
        )
        let old = try await node.join()
        let pool = Pool(info, size: 1, name: "test")
        try await pool.execute(Self.expire)

        // The registration waits for the row at the server, so that its answer comes after the proxy is silent.
        let locker = try await Connection.open(info, name: "locker")
        try await locker.script("begin; select 1 from node where node_id = 'a' for update")
        let running = Task { try await node.run() }
        try await eventually("the registration waits") { try await pool.query(Self.waiting) { try $0.int(0) } == [1] }
        try await proxy.set(.swallows)
        try await locker.script("commit")
        try await eventually("the server has a new term") {
            try await pool.query(Self.newest) { try $0.int(0) }.contains { $0 > old.number }
        }
        proxy.end()
        try await eventually("the node has a new term") { node.term.map { $0 > old } ?? false }
        #expect(node.isTrusted)
        running.cancel()
        try await running.value
        await pool.close()
    }

    /// The effect of an expired lifetime.
    private static let expire = Statement(
        "update node set expires_at = clock_timestamp() - interval '1 ms' where node_id = 'a'"
    )

    private static let newest = Statement("select term from node where node_id = 'a'")

    /// Membership connections that wait for a lock.
    private static let waiting = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'membership' and wait_event_type = 'Lock'
        """
    )
}
