// Ownership of buckets and leases when nodes join, die, stop and return.
import Postgres
import ScoreTypes
import TestSupport
import Testing

struct MembershipTests {
    @Test("H3: a node that joins again starts a new term and ends the old one")
    func rejoiningStartsANewTermAndEndsTheOldOne() async throws {
        let group = try await Group()
        let before = group.node("a")
        let old = try await before.join()
        #expect(try await before.claimBuckets().count == 1024)
        #expect(try await before.acquire(lease: "feed:x"))
        let oldFence = try #require(before.fence(lease: "feed:x"))

        let after = group.node("a")
        let new = try await after.join()
        #expect(new > old && after.term == new)
        #expect(try await after.claimBuckets().count == 1024)
        #expect(try await after.acquire(lease: "feed:x"))
        await #expect(throws: PostgresError.self) { try await before.claimBuckets() }
        try await group.expectFenced(oldFence)
        try await group.pool.transaction { try Fence(node: .a, term: new, lease: "feed:x").check(on: $0) }
    }

    @Test("H3: the buckets and leases of a dead node are taken over, and its fences fail")
    func aDeadNodesBucketsAndLeasesAreTakenOver() async throws {
        let group = try await Group()
        let (first, second) = (group.node("a"), group.node("b"))
        try await first.join()
        try await second.join()
        #expect(try await first.claimBuckets().count == 512)
        #expect(try await second.claimBuckets().count == 512)
        #expect(try await first.acquire(lease: "feed:x"))
        #expect(try await !second.acquire(lease: "feed:x"))
        #expect(try await first.acquire(lease: "feed:x"))
        let oldFence = try #require(first.fence(lease: "feed:x"))

        try await group.expire("a")
        #expect(try await second.acquire(lease: "feed:x"))
        #expect(try await second.claimBuckets().count == 1024)
        try await group.expectFenced(oldFence)
        try await group.expectFenced(Fence(node: .a, term: oldFence.term))
    }

    @Test func twoNodesShareBucketsFairlyWithoutOverlap() async throws {
        let group = try await Group()
        let (first, second) = (group.node("a"), group.node("b"))
        try await first.join()
        #expect(try await first.claimBuckets().count == 1024)
        try await second.join()
        // The surplus is missing from the answer before another node can have it.
        let kept = try await first.claimBuckets()
        #expect(kept.count == 512)
        #expect(try await second.claimBuckets().isEmpty)
        #expect(try await first.claimBuckets() == kept)
        let taken = try await second.claimBuckets()
        #expect(taken.count == 512 && Set(taken).isDisjoint(with: kept))
        let shares = Statement("select count(*) from bucket_owner join node using (term) group by term")
        #expect(try await group.pool.query(shares) { try $0.int(0) } == [512, 512])
    }

    @Test func aNodeThatSendsNothingOwnsNoBuckets() async throws {
        let group = try await Group()
        let (first, second, silent) = (group.node("a"), group.node("b"), group.node("c", sends: false))
        try await silent.join()
        #expect(try await silent.claimBuckets().isEmpty, "no node owns them while none sends")
        try await first.join()
        try await second.join()
        for _ in 0..<2 {
            #expect(try await silent.claimBuckets().isEmpty)
            let counts = [try await first.claimBuckets().count, try await second.claimBuckets().count]
            #expect(counts == [512, 512])
        }
        #expect(try await silent.acquire(lease: "feed:x"), "it takes other duties")
        try await group.expire("b")
        #expect(try await silent.claimBuckets().isEmpty)
        #expect(try await first.claimBuckets().count == 1024)
    }

    /// The file of the signing key is a setting, so that it may be missing after a restart.
    @Test func aNodeThatSendsNothingAfterItsRestartLeavesItsBuckets() async throws {
        let group = try await Group()
        let (before, other) = (group.node("a"), group.node("b"))
        try await before.join()
        try await other.join()
        #expect(try await before.claimBuckets().count == 512)
        let after = group.node("a", sends: false)
        try await after.join()
        #expect(try await after.claimBuckets().isEmpty)
        #expect(try await other.claimBuckets().count == 1024)
    }

    @Test func manyNodesClaimingAtOnceEndWithEqualShares() async throws {
        let group = try await Group()
        let nodes = (0..<4).map { group.node("n\($0)") }
        for node in nodes { try await node.join() }
        for _ in 0..<3 {
            let claims = try await withThrowingTaskGroup(of: [Bucket].self) { tasks in
                for node in nodes { tasks.addTask { try await node.claimBuckets() } }
                return try await tasks.reduce(into: [Bucket]()) { $0 += $1 }
            }
            #expect(Set(claims).count == claims.count)
        }
        // A row that another node had locked is left for the next round.
        var counts: [Int] = []
        for node in nodes { counts.append(try await node.claimBuckets().count) }
        #expect(counts == [256, 256, 256, 256])
    }

    @Test func runRenewsTheTermAndResignsWhenCancelled() async throws {
        let group = try await Group()
        let listener = Listener(group.info, channels: [Membership.channel])
        var heard = listener.notifications.makeAsyncIterator()
        #expect(await heard.next() == .reconnected)
        // Long enough that a machine which pauses for seconds does not end the term.
        let node = group.node("a", timeToLive: .seconds(9))
        let term = try await node.join()
        #expect(await heard.next() == .message(channel: Membership.channel, payload: "a"))
        let expiry = Statement("select expires_at from node where node_id = 'a'")
        let joined = try await group.pool.query(expiry) { try $0.timestamp(0) }
        let running = Task { try await node.run() }
        try await eventually("a renewal") {
            try await group.pool.query(expiry) { try $0.timestamp(0) }[0] - joined[0] > .seconds(2)
        }
        #expect(node.term == term)
        running.cancel()
        try await running.value
        #expect(await heard.next() == .message(channel: Membership.channel, payload: "a"))
        #expect(node.term == nil && !node.isTrusted && node.fence() == nil)
        let isOver = Statement("select expires_at <= clock_timestamp() from node where node_id = 'a'")
        #expect(try await group.pool.query(isOver) { try $0.bool(0) } == [true])
        listener.stop()
    }

    @Test func anExpiredNodeRejoinsUnlessAnotherHasItsName() async throws {
        let group = try await Group()
        let node = group.node("a", timeToLive: .milliseconds(900))
        let old = try await node.join()
        try await group.expire("a")
        let running = Task { try await node.run() }
        try await eventually("a new term") { node.term.map { $0 > old } ?? false }

        let usurper = group.node("a")
        try await usurper.join()
        let error = await #expect(throws: PostgresError.self) { try await running.value }
        #expect(error?.kind == .fenced && error?.message.contains("unique id") == true)
        #expect(!node.isTrusted && usurper.isTrusted)
    }

    @Test("H6: a node without queries trusts its term until half a second before its lifetime")
    func trustEndsHalfASecondBeforeTheLifetimeWithoutAQuery() async throws {
        let group = try await Group()
        let time = ManualClock()
        let node = Membership(info: group.info, node: .a, clock: time.clock())
        #expect(!node.isTrusted)
        try await node.join()
        time.advance(by: .milliseconds(2499))
        #expect(node.isTrusted && node.fence() != nil)
        time.advance(by: .milliseconds(1))
        #expect(!node.isTrusted && node.fence() == nil)
    }

    @Test("H3: a fenced transaction keeps its lease and delays no renewal")
    func aFencedTransactionKeepsItsLeaseAndDelaysNoRenewal() async throws {
        let group = try await Group()
        let (first, second) = (group.node("a"), group.node("b"))
        try await first.join()
        try await second.join()
        #expect(try await first.acquire(lease: "feed:x"))
        let fence = try #require(first.fence(lease: "feed:x"))
        let writer = try await Connection.open(group.info, name: "writer")
        try await writer.script("begin")
        try await writer.inside { try fence.check(on: $0) }
        // It counts as dead while it still writes: the lease stays with it until its transaction ends.
        try await group.expire("a")
        #expect(try await !second.acquire(lease: "feed:x"))
        #expect(try await second.claimBuckets().count == 1024)
        try await writer.script("commit")
        #expect(try await second.acquire(lease: "feed:x"))
    }

    @Test func aReleasedLeaseIsFreeAtOnce() async throws {
        let group = try await Group()
        let (first, second) = (group.node("a"), group.node("b"))
        try await first.join()
        try await second.join()
        #expect(try await first.acquire(lease: "feed:x"))
        try await first.release(lease: "feed:x")
        #expect(try await second.acquire(lease: "feed:x"))
        #expect(try await !first.acquire(lease: "feed:x"))
    }
}

/// Nodes on one database.
private struct Group {
    let info: ConnectionInfo
    let pool: Pool

    init() async throws {
        info = try await ScratchDatabase.make()
        pool = Pool(info, size: 1, name: "test")
    }

    func node(_ name: String, timeToLive: Duration = .seconds(600), sends: Bool = true) -> Membership {
        Membership(
            info: info,
            node: NodeID(unchecked: name),
            sends: sends,
            clock: ServiceClock(),
            timeToLive: timeToLive
        )
    }

    /// The effect of an expired lifetime.
    func expire(_ name: String) async throws {
        try await pool.execute(
            Statement("update node set expires_at = clock_timestamp() - interval '1 ms' where node_id = $1"),
            [.text(name)]
        )
    }

    func expectFenced(_ fence: Fence, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let error = await #expect(throws: PostgresError.self, sourceLocation: sourceLocation) {
            try await pool.transaction { try fence.check(on: $0) }
        }
        #expect(error?.kind == .fenced, sourceLocation: sourceLocation)
    }
}

extension NodeID {
    fileprivate static let a = NodeID(unchecked: "a")
}

extension Connection {
    /// Lets a test use the connection.
    fileprivate func inside<R: Sendable>(_ body: @Sendable (isolated Connection) throws -> R) throws -> R {
        try body(self)
    }
}
