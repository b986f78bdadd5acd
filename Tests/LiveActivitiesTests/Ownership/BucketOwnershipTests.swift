// Claimed buckets with unread tokens are retried, and walked as soon as the tokens are read.

import FollowService
import MatchJournal
import MatchSamples
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import LiveActivities
@testable import Postgres

@Suite(.timeLimit(.minutes(1))) struct BucketOwnershipTests {
    /// Holds its term during a test.
    private static func membership(on info: ConnectionInfo) -> Membership {
        Membership(info: info, node: NodeID(unchecked: "a"), clock: ServiceClock(), timeToLive: .seconds(60))
    }

    @Test func bucketsWithUnreadTokensAreRetried() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 2, name: "ownership", bounds: .init(statementTimeout: .seconds(60)))
        let membership = Self.membership(on: info)
        try await membership.join()
        // The table of tokens is unavailable for now; leases are in another one.
        let name = "tokens_\(UInt64.random(in: 0...UInt64.max))"
        let away = info.database(name)
        let arenas = ArenaIndex(info: away, pool: pool, clock: ServiceClock())
        try await arenas.open(Samples.match)
        let ownership = BucketOwnership(membership: membership, arenas: arenas)
        let changes = Mutex(0)
        let counting = Task { for await _ in ownership.changes { changes.withLock { $0 += 1 } } }

        for _ in 0..<2 {
            await #expect(throws: FollowError.self) { try await ownership.claim() }
            #expect(ownership.buckets == Bucket.all, "this node owns them all the same")
            #expect(arenas.buckets(of: Samples.match).isEmpty, "but none can be walked")
            #expect(changes.withLock { $0 } == 0)
        }

        try await pool.withConnection { try $0.script(embedded: "create database \(name) template score") }
        let tokens = Pool(away, size: 1, name: "tokens")
        let device = DeviceID(high: 7, low: 1)
        _ = try await Activities(pool: tokens, clock: ServiceClock()).register(
            ActivityRegistration(
                device: device,
                match: Samples.match,
                activityID: ActivityID(unchecked: "A1"),
                environment: .sandbox,
                route: .token(try #require(PushToken(bytes: [UInt8](repeating: 1, count: 32)))),
                startedAt: ServiceClock().wall,
                clientSequence: 1
            )
        )
        let following = Task { await arenas.run() }
        try await ownership.claim()
        #expect(arenas.buckets(of: Samples.match).count == Bucket.count)
        try await eventually("the change is reported") { changes.withLock { $0 } == 1 }
        var found: [DeviceID] = []
        _ = arenas.slice(match: Samples.match, bucket: Bucket(of: device)) { slice in
            slice.forEach { found.append($0.activity.device) }
        }
        #expect(found == [device])
        try await ownership.claim()
        #expect(changes.withLock { $0 } == 1, "read buckets are not read again")
        counting.cancel()
        following.cancel()
        await following.value
        await membership.resign()
        await tokens.close()
        await pool.close()
    }

    @Test func aLostTermReleasesTheBuckets() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 2, name: "ownership")
        let membership = Self.membership(on: info)
        try await membership.join()
        let arenas = ArenaIndex(info: info, pool: pool, clock: ServiceClock())
        let following = Task { await arenas.run() }
        let ownership = BucketOwnership(membership: membership, arenas: arenas)
        #expect(!ownership.maySend, "it owns nothing yet")
        try await ownership.claim()
        #expect(ownership.maySend)
        try await membership.join()
        #expect(!ownership.maySend, "these buckets were claimed in another term")
        try await ownership.claim()
        #expect(ownership.maySend && ownership.buckets == Bucket.all)
        await membership.resign()
        #expect(!ownership.maySend)
        following.cancel()
        await following.value
        await pool.close()
    }
}
