import Foundation
import Postgres
import ScoreTypes
import TestSupport
import Testing

/// The effects of a faulty network on the callers.
@Suite(.serialized) struct NetworkFaultTests {
    /// A server of the test, a proxy before it, and the connection string through it.
    private struct ProxiedServer {
        let cluster: PrivateCluster
        let proxy: FaultProxy
        var info: ConnectionInfo { ConnectionInfo("host='\(proxy.directory)' user=score dbname=score") }

        init() async throws {
            let folder = "/tmp/score-way-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
            cluster = try await PrivateCluster.start(directory: folder, lifetime: .endsWithOwner, durable: false)
            proxy = try FaultProxy(to: folder + "/.s.PGSQL.5432")
        }

        func remove() async {
            proxy.end()
            await cluster.stop()
            try? FileManager.default.removeItem(atPath: cluster.directory)
        }
    }

    private static let one = Statement("select 1")

    /// The faults of parallel statements; nil for one that was executed.
    private static func faults(of count: Int, on pool: Pool) async -> [PostgresError.Kind?] {
        await withTaskGroup(of: PostgresError.Kind?.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do {
                        try await pool.execute(one)
                        return nil
                    } catch {
                        return (error as? PostgresError)?.kind
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("P5: a silent server is given up in bounded time, and its connections are replaced")
    func aSilentServerIsGivenUp() async throws {
        let proxied = try await ProxiedServer()
        let limits = Pool.Bounds(waitMax: .milliseconds(500), statementTimeout: .milliseconds(500))
        let pool = Pool(proxied.info, size: 2, name: "half-open", bounds: limits)
        try await pool.execute(Self.one)
        try await proxied.proxy.set(.swallows)
        let start = ContinuousClock.now
        let kinds = await Self.faults(of: 20, on: pool)
        let waited = ContinuousClock.now - start
        #expect(kinds.allSatisfy { $0 == .timeout || $0 == .poolFull || $0 == .connection }, "\(kinds)")
        // The statement's limit and the grace for its answer, or an opening's three seconds; no call hangs.
        #expect(waited < .seconds(10), "\(waited)")
        try await proxied.proxy.set(.passes)
        try await eventually("the pool works again") { (try? await pool.execute(Self.one)) != nil }
        #expect(pool.counts.open <= 2)
        await pool.close()
        await proxied.remove()
    }

    @Test("P5: a caller that is cancelled while the server is silent returns at once, and its connection is not reused")
    func aCancelledCallerOfASilentServerReturns() async throws {
        let proxied = try await ProxiedServer()
        let bounds = Pool.Bounds(statementTimeout: .seconds(60), endsWithCaller: true)
        let pool = Pool(proxied.info, size: 1, name: "half-open", bounds: bounds)
        try await pool.execute(Self.one)
        try await proxied.proxy.set(.swallows)
        let leaving = Task { try await pool.execute(Self.one) }
        try await eventually("the connection is lent") { pool.counts.idle == 0 }
        let start = ContinuousClock.now
        leaving.cancel()
        await #expect(throws: PostgresError.self) { try await leaving.value }
        #expect(ContinuousClock.now - start < .seconds(30), "a silent server is not awaited")
        #expect(pool.counts.open == 0)
        try await proxied.proxy.set(.passes)
        #expect(try await pool.execute(Self.one) == 1)
        await pool.close()
        await proxied.remove()
    }

    @Test func aConnectionLostDuringAStatementIsAnError() async throws {
        let proxied = try await ProxiedServer()
        let pool = Pool(proxied.info, size: 1, name: "broken", bounds: Pool.Bounds(statementTimeout: .seconds(60)))
        try await pool.execute(Self.one)
        try await proxied.proxy.set(.stops(after: 1))
        let asking = Task { try await pool.execute(Self.one) }
        try await eventually("the statement is in flight") { proxied.proxy.hasStopped }
        proxied.proxy.end()
        let error = await #expect(throws: PostgresError.self) { try await asking.value }
        #expect(error?.kind == .connection)
        // The server could not answer: these are the texts of the library.
        #expect(error?.message.contains("closed the connection") == true, "\(String(describing: error))")
        await pool.close()
        await proxied.remove()
    }

    @Test("P6: on a slow network the pool refuses what it cannot serve in time and serves the rest")
    func aSlowNetworkIsServedInPart() async throws {
        let proxied = try await ProxiedServer()
        let bounds = Pool.Bounds(waitersMax: 4, waitMax: .seconds(60), statementTimeout: .seconds(60))
        let pool = Pool(proxied.info, size: 2, name: "slow", bounds: bounds)
        try await pool.execute(Self.one)
        // So slow at first that no caller is served before all have arrived.
        try await proxied.proxy.set(.swallows)
        let served = (0..<6).map { _ in Task { try await pool.execute(Self.one) } }
        try await eventually("two are being served, four wait") {
            pool.counts.open == 2 && pool.counts.idle == 0 && pool.counts.waiting == 4
        }
        for _ in 0..<44 {
            let error = await #expect(throws: PostgresError.self) { try await pool.execute(Self.one) }
            #expect(error?.kind == .poolFull, "refused at once, since it would wait too long")
        }
        #expect(pool.counts.waiting == 4)
        try await proxied.proxy.set(.delays(.milliseconds(500)))
        for one in served { #expect(try await one.value == 1) }
        await pool.close()
        await proxied.remove()
    }

    @Test("P7: an exhausted pool refuses in bounded time and does not delay renewals")
    func anExhaustedPoolRefusesInTime() async throws {
        let info = try await ScratchDatabase.make()
        let bounds = Pool.Bounds(waitersMax: 100, waitMax: .milliseconds(200), statementTimeout: .seconds(60))
        let pool = Pool(info, size: 2, name: "crowd", bounds: bounds)
        let holder = try await Connection.open(info, name: "holder")
        try await holder.script("select pg_advisory_lock(11)")
        let blocked = Statement("select pg_advisory_lock_shared(11)")
        let held = (0..<2).map { _ in Task { try await pool.execute(blocked) } }
        try await eventually("both connections are taken") {
            pool.counts.open == 2 && pool.counts.idle == 0
        }
        let membership = Membership(
            info: info,
            node: NodeID(unchecked: "busy"),
            clock: ServiceClock(),
            timeToLive: .seconds(60)
        )
        try await membership.join()
        let renewing = Task { try await membership.run() }
        let start = ContinuousClock.now
        let kinds = await Self.faults(of: 500, on: pool)
        #expect(kinds.allSatisfy { $0 == .poolFull }, "none is served, and none hangs")
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try await membership.claimBuckets().count == Bucket.count, "urgent work has its own connections")
        #expect(membership.isTrusted)
        try await holder.script("select pg_advisory_unlock(11)")
        for task in held { _ = try await task.value }
        #expect(try await pool.execute(Self.one) == 1)
        renewing.cancel()
        _ = await renewing.result
    }
}
