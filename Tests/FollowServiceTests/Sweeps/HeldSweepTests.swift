// A match that an operator holds may be silent for hours; no activity ends for that.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct HeldSweepTests {
    /// Nothing of a held match is sent, no end either, and the half hour begins again at its release.
    @Test(arguments: [false, true]) func aHeldMatchIsNotSilent(wasEverPushed: Bool) async throws {
        let store = try await Store()
        let silent = SilentActivities(activities: store.activities)
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        try await store.own(Bucket.all, Term(1))
        try await store.pool.execute(
            Statement("insert into match (match_id, feed_id, epoch, phase) values ($1, 'f', 'e', 1)"),
            [.text(MatchID.final.text)]
        )
        try await store.script("update match set held_reason = 'wrong teams', held_at = now()")
        if wasEverPushed {
            let progress = store.progress(Term(1))
            _ = try await progress.resume(.final, buckets: Bucket.all)
        }
        let name = try #require(ChannelID("Y2hhbm5lbA=="))
        _ = try await channels.save(store.channelRecord(name))
        for number in 1...2 as ClosedRange<UInt64> {
            try await store.register(number, seq: 1, route: .token(token(number)))
        }
        func found(after wait: Duration) async throws -> [Int] {
            store.time.advance(by: wait)
            let cutoff = store.time.now + (.zero - FollowLimits.silence)
            let exceptions = [(match: MatchID.final, device: device(2))]
            let count = try await silent.count(
                before: cutoff,
                buckets: Bucket.all,
                exceptions: exceptions,
                limit: 100
            ).count
            let found = try await silent.find(before: cutoff, buckets: Bucket.all, exceptions: exceptions, limit: 100)
            #expect(found.activities.count + found.channels.count == count)
            return [found.activities.count, found.channels.count]
        }
        #expect(try await found(after: .seconds(7200)) == [0, 0], "it is held")
        try await store.pool.execute(
            Statement("update match set held_reason = null, held_at = null, released_at = $1"),
            [.timestamp(store.time.now)]
        )
        #expect(try await found(after: .seconds(1790)) == [0, 0], "its state is being sent")
        #expect(try await found(after: .seconds(20)) == [2, 1], "silent since its release")
    }

    @Test func anUnansweredEndOfAHeldMatchWaitsForItsRelease() async throws {
        let store = try await Store()
        let silent = SilentActivities(activities: store.activities)
        try await store.pool.execute(
            Statement("insert into match (match_id, feed_id, epoch, phase) values ($1, 'f', 'e', 1)"),
            [.text(MatchID.final.text)]
        )
        try await store.register(1, seq: 1, route: .token(token(1)))
        #expect(try await store.activities.beginEnd(match: .final, device: device(1), reason: .unfollowed) != nil)
        try await store.script("update match set held_reason = 'wrong teams', held_at = now()")
        store.time.advance(by: FollowLimits.endRetryTime + .seconds(1))
        let cutoff = store.time.now + (.zero - FollowLimits.silence)
        #expect(try await silent.count(before: cutoff, buckets: Bucket.all, limit: 10).count == 0)
        #expect(try await silent.find(before: cutoff, buckets: Bucket.all, limit: 10).activities.isEmpty)
        try await store.script("update match set held_reason = null, held_at = null")
        let ending = try await silent.find(before: cutoff, buckets: Bucket.all, limit: 10).activities
        #expect(ending.map(\.device) == [device(1)] && ending.first?.reason == .unfollowed)
    }
}
