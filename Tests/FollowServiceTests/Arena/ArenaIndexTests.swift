import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService

/// An index whose tail runs during the test.
struct RunningIndex {
    let index: ArenaIndex
    let additions: Additions
    private let task: Task<Void, Never>

    final class Additions: Sendable {
        private let list = Mutex<[LateToken]>([])
        var all: [LateToken] { list.withLock { $0 } }
        func add(_ more: [LateToken]) { list.withLock { $0 += more } }
    }

    init(_ store: Store, clock: ServiceClock = ServiceClock()) {
        let additions = Additions()
        let index = ArenaIndex(info: store.info, pool: store.pool, clock: clock)
        self.index = index
        self.additions = additions
        task = Task { await index.run { additions.add($0) } }
    }

    func stop() async {
        task.cancel()
        await task.value
    }

    /// Whether the first token of a device is held.
    func has(_ device: DeviceID, of match: MatchID) -> Bool {
        index.token(of: match, device: device, generation: 1) != nil
    }

    /// The contents of a match's arenas: device, generation, token.
    func contents(of match: MatchID) -> Set<String> {
        var contents: Set<String> = []
        for bucket in index.buckets(of: match) {
            var cursor: WalkCursor? = .start
            while let current = cursor, !current.isAtEnd {
                cursor = index.slice(match: match, bucket: bucket, before: current) { slice in
                    slice.forEach { entry in
                        let held = entry.activity
                        let token = Hex.string(entry.token)
                        contents.insert("\(held.device) \(held.generation) \(token) \(held.environment)")
                    }
                }
            }
        }
        return contents
    }
}

/// The expected contents of the arenas of a match, read from the table.
func tableContents(_ store: Store, of match: MatchID, buckets: [Bucket] = Bucket.all) async throws -> Set<String> {
    let rows = try await store.pool.query(
        Statement(
            """
            select device_id || ' ' || gen || ' ' || encode(token, 'hex') || ' '
                   || case env when 0 then 'sandbox' else 'production' end
            from activity where match_id = $1 and bucket = any($2) and state = 1 and channel_id is null
            """
        ),
        [.text(match.text), .smallints(buckets.map(\.number))]
    ) { try $0.text(0) }
    return Set(rows)
}

@Suite struct ArenaIndexTests {
    @Test func registrationsRotationsAndEndsReachTheArena() async throws {
        let store = try await Store()
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        func register(_ number: UInt64, seq: Int64, route: ActivityRoute, knownRev: Int64) async throws {
            try await store.register(number, seq: seq, route: route, knownRev: knownRev)
            running.index.wake()
        }
        try await register(1, seq: 1, route: .token(token(1)), knownRev: 7)
        try await eventually("the addition is reported") { running.additions.all.count == 1 }
        #expect(running.additions.all.first?.knownRevision == 7)
        #expect(running.index.token(of: .final, device: device(1), generation: 1) == (try token(1)))
        try await register(1, seq: 2, route: .token(token(2)), knownRev: 9)
        try await eventually("so is the rotation") { running.additions.all.map(\.generation) == [1, 2] }
        #expect(running.index.token(of: .final, device: device(1), generation: 1) == nil)
        let channel = try #require(ChannelID("dGVzdA=="))
        try await register(1, seq: 3, route: .channel(channel), knownRev: 9)
        try await eventually("on a channel it takes no place") { running.contents(of: .final).isEmpty }
        try await register(1, seq: 4, route: .token(token(3)), knownRev: 9)
        try await eventually("back on a token") { running.contents(of: .final).count == 1 }
        running.index.evict(RejectedToken(match: .final, device: device(1), generation: 3, deadAt: nil))
        let minuteAgo = store.time.now + .seconds(-60)
        running.index.evict(RejectedToken(match: .final, device: device(1), generation: 4, deadAt: minuteAgo))
        #expect(running.contents(of: .final).count == 1, "an old generation and an old time evict nothing")
        running.index.evict(
            RejectedToken(match: .final, device: device(1), generation: 4, deadAt: store.time.now)
        )
        #expect(running.contents(of: .final).isEmpty, "removed from memory at once")
        try await eventually("it is written") { running.index.status.evictionsWaiting == 0 }
        #expect(try await tableContents(store, of: .final).isEmpty, "and ended in the table")
        await running.stop()
    }

    /// Registrations, rotations, new activities, ends and channels at random, on two matches.
    private func disturb(_ store: Store, writes: Int, generator: inout SplitMix64, seq: inout Int64) async throws {
        for _ in 0..<writes / 25 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<25 {
                    seq += 1
                    let number = UInt64.random(in: 1...600, using: &generator)
                    let match: MatchID = Bool.random(using: &generator) ? .final : .other
                    let id = ActivityID(unchecked: "A-\(match)-\(Int.random(in: 0...2, using: &generator))")
                    let kind = Int.random(in: 0...9, using: &generator)
                    let newToken = try token(generator.next(), count: kind == 9 ? 100 : 80)
                    let (count, startedAt) = (seq, store.time.now)
                    group.addTask {
                        if kind < 2 {
                            let end = ActivityEnd(
                                device: device(number),
                                activityID: id,
                                reason: .ended,
                                clientSequence: count
                            )
                            _ = try await store.activities.end(end)
                            return
                        }
                        let channel = ChannelID("Y2hhbm5lbA==").map { ActivityRoute.channel($0) }
                        _ = try await store.activities.register(
                            ActivityRegistration(
                                device: device(number),
                                match: match,
                                activityID: id,
                                environment: kind.isMultiple(of: 2) ? .sandbox : .production,
                                route: kind == 2 ? channel ?? .token(newToken) : .token(newToken),
                                startedAt: startedAt,
                                clientSequence: count
                            )
                        )
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func theArenaEqualsTheTableWhileAWriterRuns() async throws {
        let store = try await Store()
        var generator = SplitMix64.printed("arena against the table")
        var seq: Int64 = 0
        try await disturb(store, writes: 1_000, generator: &generator, seq: &seq)
        let running = RunningIndex(store)
        let half = Bucket.all.filter { $0.number < 512 }
        let (seed, start) = (generator.next(), seq)
        async let writing: Void = {
            var generator = SplitMix64(seed: seed)
            var seq = start
            try await disturb(store, writes: 4_000, generator: &generator, seq: &seq)
        }()
        // Built, abandoned and built again while the table changes.
        try await running.index.own(half)
        try await running.index.open(.final)
        try await running.index.open(.other)
        try await running.index.own([])
        #expect(running.contents(of: .final).isEmpty)
        try await running.index.own(Array(Bucket.all.shuffled(using: &generator).prefix(700)))
        try await running.index.own(Bucket.all)
        running.index.close(.other)
        try await running.index.open(.other)
        try await writing
        for match in [MatchID.final, .other] {
            let table = try await tableContents(store, of: match)
            #expect(table.count > 100)
            try await eventually("\(match) agrees with the table") { running.contents(of: match) == table }
        }
        let held = [MatchID.final, .other].map { running.contents(of: $0).count }.reduce(0, +)
        #expect(running.index.status.tokenCount == held)
        await running.stop()
    }

    @Test func aTailContinuesAfterALostConnection() async throws {
        let store = try await Store()
        var generator = SplitMix64.printed("lost tail")
        var seq: Int64 = 0
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        for _ in 0..<5 {
            try await disturb(store, writes: 100, generator: &generator, seq: &seq)
            _ = try await store.number(
                Statement(
                    """
                    select count(pg_terminate_backend(pid)) from pg_stat_activity
                    where application_name = 'arena-tail' and datname = current_database()
                    """
                )
            )
        }
        let table = try await tableContents(store, of: .final)
        try await eventually("the arena agrees with the table") { running.contents(of: .final) == table }
        await running.stop()
    }

    @Test func aBuildReportsTokensThatASenderMayHaveMissed() async throws {
        let store = try await Store()
        let progress = store.progress(Term(1))
        func register(_ number: UInt64, knownRev: Int64) async throws {
            try await store.register(number, seq: 1, route: .token(token(number)), knownRev: knownRev)
        }
        try await register(1, knownRev: 3)
        store.time.advance(by: .seconds(60))
        try await store.own(Bucket.all, Term(1))
        _ = try await progress.resume(.final, buckets: Bucket.all)
        let sent = try await progress.record(match: .final, buckets: Bucket.all, revision: 10, at: store.time.now)
        #expect(sent)
        try await register(2, knownRev: 9)
        try await register(3, knownRev: 10)
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        try await eventually("they are reported") { !running.additions.all.isEmpty }
        #expect(running.additions.all.map(\.device) == [device(2)])
        await running.stop()
    }

    @Test func aStoppedIndexRefusesCalls() async throws {
        let store = try await Store()
        let running = RunningIndex(store)
        await running.stop()
        await #expect(throws: FollowError.self) {
            try await running.index.open(.final)
            try await running.index.own(Bucket.all)
        }
    }
}
