import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService

@Suite struct SweepTests {
    private func register(
        _ store: Store,
        _ number: UInt64,
        match: MatchID = .final,
        route: ActivityRoute? = nil
    ) async throws {
        _ = try await store.activities.register(
            ActivityRegistration(
                device: device(number),
                match: match,
                activityID: ActivityID(unchecked: "A"),
                environment: .sandbox,
                route: route ?? .token(token(number)),
                startedAt: store.time.now,
                clientSequence: 1
            )
        )
    }

    @Test("C21: an activity that was silent for half an hour is ended once")
    func anActivitySilentForHalfAnHourIsEndedOnce() async throws {
        let store = try await Store()
        let progress = store.progress(Term(1))
        let silent = SilentActivities(activities: store.activities)
        let one = device(1)
        for number in 1...20 as ClosedRange<UInt64> { try await register(store, number) }
        try await register(store, 1, match: .other)
        for match in [MatchID.final, .other] {
            try await store.own(Bucket.all, Term(1))
            _ = try await progress.resume(match, buckets: Bucket.all)
        }
        func find(exceptions: [(match: MatchID, device: DeviceID)] = []) async throws -> SilentFindings {
            let cutoff = store.time.now + (.zero - FollowLimits.silence)
            return try await silent.find(before: cutoff, buckets: Bucket.all, exceptions: exceptions, limit: 15)
        }
        store.time.advance(by: .seconds(1000))
        _ = try await progress.record(match: .other, buckets: Bucket.all, revision: 5, at: store.time.now)
        try await register(store, 21)
        store.time.advance(by: .seconds(900))
        let first = try await find()
        let second = try await find()
        #expect(first.hasMore && first.activities.count == 15)
        #expect(!second.hasMore && second.activities.count == 5)
        let found = first.activities + second.activities
        #expect(Set(found.map(\.device)).count == 20)
        #expect(found.allSatisfy { $0.match == .final && $0.device != device(21) }, "new and served ones stay")
        #expect(try await find().activities.isEmpty, "ended once")
        let excepted = try await find(exceptions: [(match: .other, device: one)])
        #expect(excepted.activities.map(\.match) == [.other])

        #expect(try await store.activities.finishEnd(of: Array(found.dropFirst())) == 19)
        store.time.advance(by: FollowLimits.endRetryTime + .seconds(1))
        _ = try await store.activities.finishEnd(of: excepted.activities)
        let retried = try await find().activities.filter { $0.device != device(21) }
        #expect(retried.map(\.device) == [found[0].device], "an unanswered end is sent again")
    }

    @Test func aRepeatedEndKeepsItsReasonOnTokensAndChannels() async throws {
        let store = try await Store()
        let silent = SilentActivities(activities: store.activities)
        let channel = ActivityRoute.channel(try #require(ChannelID("Y2hhbm5lbA==")))
        try await register(store, 1)
        try await register(store, 2, route: channel)
        let devices = [device(1), device(2)]
        let ending = try await store.activities.beginEnd(match: .final, devices: devices, reason: .unfollowed)
        #expect(ending.count == 2)
        store.time.advance(by: FollowLimits.endRetryTime + .seconds(1))
        let cutoff = store.time.now + (.zero - FollowLimits.silence)
        let again = try await silent.find(before: cutoff, buckets: Bucket.all, limit: 10).activities
        #expect(Set(again.map(\.device)) == Set(devices))
        #expect(again.allSatisfy { $0.reason == .unfollowed }, "a new follow may start another one")
    }

    @Test func theActivitiesOfASilentChannelAreEnded() async throws {
        let store = try await Store()
        let silent = SilentActivities(activities: store.activities)
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        let name = try #require(ChannelID("Y2hhbm5lbA=="))
        _ = try await channels.save(store.channelRecord(name))
        for number in 1...5 as ClosedRange<UInt64> { try await register(store, number, route: .channel(name)) }
        try await register(store, 6)
        func found() async throws -> [ChannelRecord] {
            let cutoff = store.time.now + (.zero - FollowLimits.silence)
            return try await silent.find(before: cutoff, buckets: Bucket.all, limit: 10).channels
        }
        store.time.advance(by: .seconds(1700))
        try await channels.recordBroadcast(name, in: .sandbox, revision: 1, at: store.time.now)
        store.time.advance(by: .seconds(1700))
        #expect(try await found().isEmpty)
        store.time.advance(by: .seconds(200))
        let channel = try #require(try await found().first)
        #expect(try await silent.finish(channel, in: Bucket.all, reason: .silent) == 5)
        #expect(try await found().isEmpty, "one end for one silence")
        try await channels.recordBroadcast(name, in: .sandbox, revision: 2, at: store.time.now + .seconds(1))
        store.time.advance(by: .seconds(1700))
        #expect(try await found().isEmpty)
        store.time.advance(by: .seconds(200))
        #expect(try await found().count == 1, "it was served again, and became silent again")
        #expect(try await silent.finish(channel, in: Bucket.all, reason: .silent) == 0)
        let closed = Statement("select count(*) from activity where state = 3 and (channel_id is null) = $1")
        #expect(try await store.number(closed, [.bool(false)]) == 5)
        #expect(try await store.number(closed, [.bool(true)]) == 0, "an activity on a token ends by its own push")
    }

    @Test func oldMatchesAreDeletedInSteps() async throws {
        let store = try await Store()
        let progress = store.progress(Term(1))
        let finished = FinishedMatches(pool: store.pool, clock: store.time.clock())
        try await store.own(Bucket.all, Term(1))
        let over = Statement(
            "insert into match (match_id, feed_id, epoch, phase, over_at) values ($1, 'f', 'e', 3, $2)"
        )
        for (match, age) in [(MatchID.final, 13), (.other, 11)] as [(MatchID, Int64)] {
            try await store.pool.execute(
                over,
                [.text(match.text), .timestamp(store.time.now + .seconds(-age * 3600))]
            )
            _ = try await progress.resume(match, buckets: Bucket.all)
            for number in 1...3 as ClosedRange<UInt64> { try await register(store, number, match: match) }
        }
        func count(_ match: MatchID) async throws -> [Int64] {
            [
                try await store.number(
                    Statement("select count(*) from activity where match_id = $1"),
                    [.text(match.text)]
                ),
                try await store.number(
                    Statement("select count(*) from fanout where match_id = $1"),
                    [.text(match.text)]
                ),
            ]
        }
        #expect(try await finished.clearActivities(limit: 10_000) == 3 + Bucket.count)
        #expect(try await count(.final) == [0, 0])
        #expect(try await count(.other) == [3, Int64(Bucket.count)], "its phones may still show the result")
        #expect(try await finished.clearActivities(limit: 10_000) == 0)
        store.time.advance(by: .seconds(2 * 3600))
        #expect(try await finished.clearActivities(limit: 1) == 3 + Bucket.count)
        #expect(try await count(.other) == [0, 0])
    }

    /// A match that was never pushed has no progress; its activities are silent since their start.
    @Test func activitiesWithoutAMatchAreEndedUnlessItIsAhead() async throws {
        let store = try await Store()
        let silent = SilentActivities(activities: store.activities)
        let progress = store.progress(Term(1))
        try await store.own(Bucket.all, Term(1))
        let match = Statement(
            """
            insert into match (match_id, feed_id, epoch, phase, starts_at, removed_at)
            values ($1, 'f', 'e', 0, $2, $3)
            """
        )
        let minutes: [(name: String, start: Int64?, isRemoved: Bool)] = [
            ("awaited", 60, false), ("served", 60, false), ("late", 20, false), ("removed", 60, true),
            ("open", nil, false),
        ]
        for (name, start, isRemoved) in minutes {
            let at = start.map { Bind.timestamp(store.time.now + .seconds($0 * 60)) } ?? .null
            try await store.pool.execute(
                match,
                [.text(name), at, isRemoved ? .timestamp(store.time.now) : .null]
            )
        }
        for name in minutes.map(\.name) + ["unknown"] { try await register(store, 1, match: MatchID(unchecked: name)) }
        _ = try await progress.resume(MatchID(unchecked: "served"), buckets: Bucket.all)
        func ended(after wait: Duration) async throws -> [String] {
            store.time.advance(by: wait)
            let cutoff = store.time.now + (.zero - FollowLimits.silence)
            let count = try await silent.count(before: cutoff, buckets: Bucket.all, limit: 100).count
            let found = try await silent.find(before: cutoff, buckets: Bucket.all, limit: 100)
            #expect(found.activities.count == count)
            _ = try await store.activities.finishEnd(of: found.activities)
            return found.activities.map(\.match.text).sorted()
        }
        #expect(try await ended(after: .seconds(1700)) == [], "half an hour is not over")
        #expect(try await ended(after: .seconds(200)) == ["open", "removed", "unknown"])
        #expect(try await ended(after: .seconds(1200)) == ["late"], "half an hour after its first ball was due")
        #expect(try await ended(after: .seconds(2400)) == ["awaited", "served"])
    }

    @Test func theChannelOfAMatchAheadIsNotSilent() async throws {
        let store = try await Store()
        let silent = SilentActivities(activities: store.activities)
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        try await store.pool.execute(
            Statement("insert into match (match_id, feed_id, epoch, phase, starts_at) values ($1, 'f', 'e', 0, $2)"),
            [.text(MatchID.final.text), .timestamp(store.time.now + .seconds(3600))]
        )
        _ = try await channels.save(store.channelRecord(try #require(ChannelID("Y2hhbm5lbA=="))))
        func found() async throws -> Int {
            let cutoff = store.time.now + (.zero - FollowLimits.silence)
            return try await silent.find(before: cutoff, buckets: Bucket.all, limit: 10).channels.count
        }
        store.time.advance(by: .seconds(3000))
        #expect(try await found() == 0)
        store.time.advance(by: .seconds(2500))
        #expect(try await found() == 1)
    }

    @Test func activitiesOfAnUnpushedMatchAreDeletedToo() async throws {
        let store = try await Store()
        let finished = FinishedMatches(pool: store.pool, clock: store.time.clock())
        try await store.pool.execute(
            Statement("insert into match (match_id, feed_id, epoch, phase, over_at) values ($1, 'f', 'e', 3, $2)"),
            [.text(MatchID.final.text), .timestamp(store.time.now + .seconds(-13 * 3600))]
        )
        for number in 1...3 as ClosedRange<UInt64> { try await register(store, number) }
        try await register(store, 1, match: .other)
        #expect(try await finished.countActivities(limit: 100) == 3)
        #expect(try await finished.clearActivities(limit: 100) == 3)
        #expect(try await finished.clearActivities(limit: 100) == 0)
        #expect(try await store.number(Statement("select count(*) from activity")) == 1)
    }

    @Test func aMatchRemovedBeforeItsStartIsDeletedLikeAFinishedOne() async throws {
        let store = try await Store()
        let finished = FinishedMatches(pool: store.pool, clock: store.time.clock())
        let dropped = Statement(
            "insert into match (match_id, feed_id, epoch, phase, removed_at) values ($1, 'f', 'e', 0, $2)"
        )
        for (match, hours) in [(MatchID.final, 13), (.other, 11)] as [(MatchID, Int64)] {
            let at = store.time.now + .seconds(-hours * 3600)
            try await store.pool.execute(dropped, [.text(match.text), .timestamp(at)])
            try await register(store, 1, match: match)
            _ = try await store.follows.put(FollowSettings(match: match), of: device(1), clientSequence: 1)
        }
        #expect(try await finished.countActivities(limit: 100) == 1)
        #expect(try await finished.clearActivities(limit: 100) == 1)
        #expect(try await store.number(Statement("select count(*) from activity")) == 1)
        store.time.advance(by: .seconds(36 * 3600))
        #expect(try await finished.clearActivities(limit: 100) == 1, "the other's activity")
        #expect(try await finished.countFollows(limit: 100) == 1)
        #expect(try await finished.clearFollows(limit: 100) == 1, "the first one's follow")
        #expect(try await store.number(Statement("select count(*) from follow")) == 1)
    }

    @Test func followsAreDeletedTwoDaysAfterTheMatch() async throws {
        let store = try await Store()
        let finished = FinishedMatches(pool: store.pool, clock: store.time.clock())
        let over = Statement(
            "insert into match (match_id, feed_id, epoch, phase, over_at) values ($1, 'f', 'e', $2, $3)"
        )
        for (match, phase, age) in [("a-old", 3, 49), ("b-young", 3, 47), ("c-live", 1, 60), ("d-older", 3, 50)]
            as [(String, Int16, Int64)]
        {
            let at = store.time.now + .seconds(-age * 3600)
            try await store.pool.execute(over, [.text(match), .smallint(phase), .timestamp(at)])
            for number in 1...3 as ClosedRange<UInt64> {
                let wish = FollowSettings(match: MatchID(unchecked: match))
                _ = try await store.follows.put(wish, of: device(number), clientSequence: 1)
            }
        }
        _ = try await store.follows.remove(MatchID(unchecked: "a-old"), of: device(1), clientSequence: 2)
        _ = try await store.follows.put(FollowSettings(match: .other), of: device(1), clientSequence: 1)
        func left() async throws -> [String] {
            let count = Statement("select match_id || ' ' || count(*) from follow group by match_id order by match_id")
            return try await store.pool.query(count) { try $0.text(0) }
        }
        #expect(try await finished.clearFollows(limit: 1) == 3, "in steps")
        #expect(try await left() == ["a-old 3", "b-young 3", "c-live 3", "other-1 1"], "the oldest first")
        #expect(try await finished.clearFollows(limit: 10_000) == 3)
        #expect(try await left() == ["b-young 3", "c-live 3", "other-1 1"], "records of unfollows are deleted too")
        #expect(try await finished.clearFollows(limit: 10_000) == 0)
        store.time.advance(by: .seconds(2 * 3600))
        #expect(try await finished.clearFollows(limit: 10_000) == 3)
        #expect(try await left() == ["c-live 3", "other-1 1"])
    }

    @Test func aRepeatedSlotReturnsTheFirstSummary() async throws {
        let store = try await Store()
        let records = SweepRecords(pool: store.pool, clock: store.time.clock())
        let runs = Mutex(0)
        func sweep(_ slot: String) async throws -> SweepOutcome {
            try await records.once(kind: "stale-activities", slot: slot, by: "timer:a") {
                let run = runs.withLock { runs in
                    runs += 1
                    return runs
                }
                return Array("{\"run\": \(run)}".utf8)
            }
        }
        let first = Array(#"{"run": 1}"#.utf8)
        #expect(try await sweep("10:00") == .ran(summary: first))
        #expect(try await sweep("10:00") == .repeated(summary: first))
        #expect(try await sweep("10:30") == .ran(summary: Array(#"{"run": 2}"#.utf8)))
    }

    @Test func anUnfinishedSweepDoesNotBlockItsSlot() async throws {
        let store = try await Store()
        let records = SweepRecords(pool: store.pool, clock: store.time.clock())
        struct Broken: Error {}
        await #expect(throws: Broken.self) {
            try await records.once(kind: "k", slot: "s", by: "timer:a") { throw Broken() }
        }
        let outer = try await records.once(kind: "k", slot: "s", by: "timer:a") {
            let inner = try await records.once(kind: "k", slot: "s", by: "timer:a") { Array("1".utf8) }
            #expect(inner == .running)
            store.time.advance(by: FollowLimits.sweepRunTime + .seconds(1))
            let second = try await records.once(kind: "k", slot: "s", by: "timer:a") { Array(#"{"by": 2}"#.utf8) }
            #expect(second == .ran(summary: Array(#"{"by": 2}"#.utf8)))
            return Array(#"{"by": 1}"#.utf8)
        }
        #expect(outer == .ran(summary: Array(#"{"by": 1}"#.utf8)))
        let repeated = try await records.once(kind: "k", slot: "s", by: "timer:a") { Array("2".utf8) }
        #expect(repeated == .repeated(summary: Array(#"{"by": 2}"#.utf8)), "the lost run does not overwrite it")
    }
}
