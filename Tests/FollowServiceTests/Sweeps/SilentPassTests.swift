// A sweep reads the activities of a match in pages, over several calls, and a match without silent ones seldom.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct SilentPassTests {
    /// Ends activities (3), or makes them active with a token (1).
    private func setState(_ state: Int16, _ numbers: ClosedRange<UInt64>, in store: Store) async throws {
        let change = Statement("update activity set state = $2, token = sha256(token) where device_id = any($1)")
        try await store.pool.execute(change, [.uuids(numbers.map { device($0) }), .smallint(state)])
    }

    /// Sweeps until nothing is left; returns the devices and the number of calls.
    private func sweep(_ silent: SilentActivities, in store: Store) async throws -> (found: [DeviceID], calls: Int) {
        var (found, calls) = ([DeviceID](), 0)
        while true {
            let cutoff = store.time.now + (.zero - FollowLimits.silence)
            let part = try await silent.find(before: cutoff, buckets: Bucket.all, limit: 100)
            _ = try await store.activities.finishEnd(of: part.activities)
            found += part.activities.map(\.device)
            calls += 1
            if !part.hasMore { return (found, calls) }
        }
    }

    @Test func aCallReadsAFewPagesAndTheNextOneContinues() async throws {
        let store = try await Store()
        let bounds = SilentBounds(rowsPerPage: 3, pagesPerCall: 2)
        let silent = SilentActivities(activities: store.activities, bounds: bounds)
        for number in 1...25 as ClosedRange<UInt64> {
            try await store.register(number, seq: 1, route: .token(token(number)))
        }
        try await setState(3, 6...25, in: store)
        store.time.advance(by: FollowLimits.silence + .seconds(1))
        let cutoff = store.time.now + (.zero - FollowLimits.silence)
        #expect(try await silent.count(before: cutoff, buckets: Bucket.all, limit: 100).hasMore, "it reads 6 of 25")
        let first = try await sweep(silent, in: store)
        #expect(Set(first.found) == Set((1...5).map { device($0) }) && first.found.count == 5)
        #expect(first.calls == 5, "nine pages, two in each call")
        try await setState(1, 20...20, in: store)
        let soon = try await sweep(silent, in: store)
        #expect(soon.found.isEmpty && soon.calls == 1, "the match was read a moment ago")
        store.time.advance(by: FollowLimits.silentPassRest)
        #expect(try await sweep(silent, in: store).found == [device(20)])
    }

    @Test func aMatchIsReadAgainWhenFurtherBucketsAreSilent() async throws {
        let store = try await Store()
        let bounds = SilentBounds(rowsPerPage: 2)
        let silent = SilentActivities(activities: store.activities, bounds: bounds)
        let progress = Statement("insert into fanout (match_id, bucket, term, sent_at) values ($1, $2, 1, $3)")
        var owners: [DeviceID: Bucket] = [:]
        for number in 1...8 as ClosedRange<UInt64> {
            try await store.register(number, seq: 1, route: .token(token(number)))
            owners[device(number)] = Bucket(of: device(number))
        }
        let buckets = Set(owners.values).sorted()
        let late = Set(buckets.suffix(buckets.count / 2))
        for bucket in buckets {
            let sent = store.time.now + (late.contains(bucket) ? .seconds(2) : .zero)
            try await store.pool.execute(
                progress,
                [.text(MatchID.final.text), .smallint(bucket.number), .timestamp(sent)]
            )
        }
        store.time.advance(by: FollowLimits.silence + .seconds(1))
        let first = try await sweep(silent, in: store).found
        #expect(Set(first) == Set(owners.keys.filter { !late.contains(owners[$0] ?? buckets[0]) }) && !first.isEmpty)
        store.time.advance(by: .seconds(60))
        let second = try await sweep(silent, in: store).found
        #expect(Set(first + second) == Set(owners.keys) && !second.isEmpty, "not only after the rest of ten minutes")
    }

    @Test(arguments: [1, 3] as [Int64]) func aMatchThatEndedLongAgoIsReadOnceAnHour(hours: Int64) async throws {
        let store = try await Store()
        let silent = SilentActivities(activities: store.activities)
        for number in 1...3 as ClosedRange<UInt64> {
            try await store.register(number, seq: 1, route: .token(token(number)))
        }
        store.time.advance(by: FollowLimits.silence + .seconds(1))
        try await store.pool.execute(
            Statement("insert into match (match_id, feed_id, epoch, phase, over_at) values ($1, 'f', 'e', 3, $2)"),
            [.text(MatchID.final.text), .timestamp(store.time.now + .seconds(-hours * 3600))]
        )
        #expect(try await sweep(silent, in: store).found.count == 3, "a node that was off ends them late")
        try await setState(1, 1...1, in: store)
        #expect(try await sweep(silent, in: store).found == (hours == 1 ? [device(1)] : []))
        try await setState(1, 2...2, in: store)
        store.time.advance(by: FollowLimits.silentAfterEnd)
        let late = try await sweep(silent, in: store).found
        #expect(Set(late) == (hours == 1 ? [device(2)] : [device(1), device(2)]), "phones that registered late")
        try await setState(1, 3...3, in: store)
        #expect(try await sweep(silent, in: store).found.isEmpty, "it was read a moment ago")
    }

    /// A node knows the channel for some seconds after its retirement, and stores an activity on it.
    @Test func anActivityThatIsRegisteredAfterTheEndOfItsChannelIsEnded() async throws {
        let store = try await Store()
        let silent = SilentActivities(activities: store.activities)
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        var records: [ChannelRecord] = []
        for (generation, name) in ["ZW5kZWQ=", "bG9zdA=="].enumerated() {
            let record = store.channelRecord(try #require(ChannelID(name)), generation: Int32(generation + 1))
            records.append(try await channels.save(record))
        }
        store.time.advance(by: .seconds(60))
        try await store.register(1, seq: 1, route: .channel(records[0].channel))
        #expect(try await silent.finish(records[0], in: Bucket.all, reason: .over) == 1)
        for record in records { try await channels.retire(record.channel, in: .sandbox, at: store.time.now) }
        store.time.advance(by: .seconds(5))
        try await store.register(2, seq: 1, route: .channel(records[0].channel))
        try await store.register(3, seq: 1, route: .channel(records[1].channel))
        #expect(try await silent.finishRetired(in: Bucket.all) == 0, "further ones may come")
        store.time.advance(by: FollowLimits.lateReportTime)
        #expect(try await silent.finishRetired(in: Bucket.all) == 1)
        let active = Statement("select count(*) from activity where state = 1 and channel_id = $1")
        #expect(try await store.number(active, [.text(records[0].channel.text)]) == 0)
        #expect(try await store.number(active, [.text(records[1].channel.text)]) == 1, "it had no end")
        #expect(try await silent.finishRetired(in: Bucket.all) == 0)
    }

    @Test func theActivitiesOfAChannelAreEndedInPages() async throws {
        let store = try await Store()
        let bounds = SilentBounds(rowsPerPage: 4, endsPerStatement: 2)
        let silent = SilentActivities(activities: store.activities, bounds: bounds)
        let name = try #require(ChannelID("Y2hhbm5lbA=="))
        let record = store.channelRecord(name)
        for number in 1...20 as ClosedRange<UInt64> {
            try await store.register(number, seq: 1, route: number % 2 == 0 ? .channel(name) : .token(token(number)))
        }
        #expect(try await silent.finish(record, in: Bucket.all, reason: .silent) == 10)
        #expect(try await store.number(Statement("select count(*) from activity where state = 3")) == 10)
        #expect(try await silent.finish(record, in: Bucket.all, reason: .silent) == 0)
    }
}
