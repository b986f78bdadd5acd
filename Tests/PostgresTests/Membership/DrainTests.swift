// A drained node hands buckets and leases over, keeps them when it is the last one, and is in service after a restart.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DrainTests {
    private let info: ConnectionInfo
    private let pool: Pool

    init() async throws {
        info = try await ScratchDatabase.make()
        pool = Pool(info, size: 1, name: "test")
    }

    private func node(_ name: String, sends: Bool = true) -> Membership {
        Membership(
            info: info,
            node: NodeID(unchecked: name),
            version: "1.2.3",
            sends: sends,
            clock: ServiceClock(),
            // Renewed every two seconds, and long enough for a machine that pauses.
            timeToLive: .seconds(6)
        )
    }

    private func order(_ name: String, over spread: Duration?) async throws -> Bool {
        try await pool.transaction { try NodeRecords.drain(NodeID(unchecked: name), over: spread, on: $0) }
    }

    private func record(_ name: String) async throws -> NodeRecord {
        let all = try await NodeRecords(pool: pool).all()
        return try #require(all.first { $0.node.text == name })
    }

    @Test func aDrainedNodeHandsOverBucketsAndLeases() async throws {
        let (first, second) = (node("a"), node("b"))
        let running = [first, second].map { node in Task { try await node.run() } }
        try await eventually("both have joined") { first.term != nil && second.term != nil }
        #expect(try await first.acquire(lease: "sweep:x"))
        try await eventually("each has its half") {
            let counts = [try await first.claimBuckets().count, try await second.claimBuckets().count]
            return counts == [512, 512]
        }
        first.report(NodeReport(isReady: true, streams: 7))
        try await eventually("it is reported") { try await self.record("a").report.streams == 7 }
        let before = try await record("a")
        #expect(before.buckets == 512 && before.leases == ["sweep:x"] && before.version == "1.2.3" && before.isAlive)

        #expect(try await order("a", over: .seconds(20)))
        #expect(try await !order("unknown", over: .seconds(20)))
        try await eventually("it has the order") { first.drainOrder?.spread == .seconds(20) }
        try await eventually("the other node has everything") {
            _ = try await first.claimBuckets()
            guard try await second.claimBuckets().count == 1024 else { return false }
            return try await second.acquire(lease: "sweep:x")
        }
        #expect(try await !first.acquire(lease: "sweep:y"), "it takes no other lease")
        #expect(try await second.acquire(lease: "sweep:y"))
        #expect(first.isTrusted, "it still acts for its requests")

        #expect(try await order("a", over: nil))
        try await eventually("it has its half again") {
            let counts = [try await first.claimBuckets().count, try await second.claimBuckets().count]
            return counts == [512, 512]
        }
        for task in running { task.cancel() }
        for task in running { try await task.value }
    }

    @Test func theLastNodeKeepsItsWork() async throws {
        let (first, second) = (node("a"), node("b"))
        let (one, two) = (Task { try await first.run() }, Task { try await second.run() })
        try await eventually("both have joined") { first.term != nil && second.term != nil }
        #expect(try await order("a", over: .zero))
        try await eventually("it has the order") { first.drainOrder != nil }
        try await eventually("the other node has all buckets") {
            _ = try await first.claimBuckets()
            return try await second.claimBuckets().count == 1024
        }
        #expect(try await !first.acquire(lease: "sweep:x"))
        two.cancel()
        try await two.value
        try await eventually("the drained node is the last one and takes all") {
            guard try await first.claimBuckets().count == 1024 else { return false }
            return try await first.acquire(lease: "sweep:x")
        }
        one.cancel()
        try await one.value
    }

    /// A node that sends nothing could take neither buckets nor the lease of channels.
    @Test func theLastNodeThatSendsKeepsItsWork() async throws {
        let (first, second) = (node("a"), node("b", sends: false))
        let running = [first, second].map { node in Task { try await node.run() } }
        try await eventually("both have joined") { first.term != nil && second.term != nil }
        #expect(try await first.claimBuckets().count == 1024)
        #expect(try await order("a", over: .zero))
        try await eventually("it has the order") { first.drainOrder != nil }
        for _ in 0..<2 {
            #expect(try await first.claimBuckets().count == 1024)
            #expect(try await second.claimBuckets().isEmpty)
        }
        #expect(try await first.acquire(lease: "channels"))
        #expect(try await order("b", over: .zero))
        try await eventually("the other one has the order") { second.drainOrder != nil }
        #expect(try await second.acquire(lease: "feed:x"), "all nodes are drained")
        #expect(try await order("a", over: nil))
        try await eventually("the other one has left its lease") { try await !second.acquire(lease: "feed:x") }
        for task in running { task.cancel() }
        for task in running { try await task.value }
    }

    @Test func aMissedRenewalKeepsTheOrderAndARestartEndsIt() async throws {
        let first = node("a")
        let running = Task { try await first.run() }
        try await eventually("it has joined") { first.term != nil }
        #expect(try await order("a", over: .seconds(5)))
        let term = try #require(first.term)
        try await pool.execute(Statement("update node set expires_at = clock_timestamp() - interval '1 ms'"))
        try await eventually("it joined again") { first.term.map { $0 > term } ?? false }
        #expect(try await record("a").drain?.spread == .seconds(5), "the same process")
        running.cancel()
        try await running.value
        let restarted = node("a")
        try await restarted.join()
        #expect(try await record("a").drain == nil, "a new one")
        await restarted.resign()
    }
}
