import FollowService
import ScoreTypes
import Testing

@testable import LiveActivities

@Suite struct StartPassTests {
    private let today = Instant(milliseconds: 1_790_000_000_000)

    private func buckets(_ numbers: ClosedRange<Int16>) throws -> [Bucket] {
        try numbers.map { try #require(Bucket(Int($0))) }
    }

    /// Reads what is due, one page a range, and returns the ranges of both scopes.
    private func read(
        _ pass: inout StartPass,
        _ due: [Bucket],
        of owned: [Bucket],
        since: Instant? = nil,
        at seconds: Int,
        rows: Int = 1
    ) -> [ClosedRange<Int16>] {
        let ranges = Bucket.ranges(of: due)
        pass.begin(over: owned, in: ranges, since: since ?? today, at: .seconds(seconds), rest: .seconds(300))
        var read: [ClosedRange<Int16>] = []
        while let step = pass.next(in: ranges) {
            read.append(max(step.after.bucket, step.range.lowerBound.number)...step.range.upperBound.number)
            pass.read(rows, in: step, upTo: nil)
        }
        pass.complete()
        return read
    }

    @Test func aRoundOverManyFollowersReadsOnlyNewBuckets() throws {
        var pass = StartPass()
        let owned = try buckets(0...9)
        let early = try buckets(0...4)
        let many = LiveActivityLimits.followersReadAlways
        let first = read(&pass, early, of: owned, at: 0, rows: many)
        #expect(first == [0...4, 0...4], "both scopes")
        let second = read(&pass, owned, of: owned, at: 30, rows: many)
        #expect(second == [4...9, 4...9], "the buckets that are due now")
        let third = read(&pass, owned, of: owned, at: 60)
        #expect(third.isEmpty)
        let rested = read(&pass, owned, of: owned, at: 300)
        #expect(rested == [0...9, 0...9])
        let next = read(&pass, owned, of: owned, at: 330)
        #expect(next == [0...9, 0...9], "few followers are read in each round")
    }

    @Test func otherBucketsAndAnotherDayBeginAgain() throws {
        var pass = StartPass()
        let owned = try buckets(0...9)
        let many = LiveActivityLimits.followersReadAlways
        let first = read(&pass, owned, of: owned, at: 0, rows: many)
        #expect(first == [0...9, 0...9])
        let more = try buckets(0...19)
        let wider = read(&pass, more, of: more, at: 30, rows: many)
        #expect(wider == [0...19, 0...19], "buckets of another node")
        let tomorrow = today + .seconds(86_400)
        let later = read(&pass, more, of: more, since: tomorrow, at: 60, rows: many)
        #expect(later == [0...19, 0...19])
    }

    @Test func anInterruptedRoundContinues() throws {
        var pass = StartPass()
        let owned = try buckets(0...9)
        pass.begin(over: owned, in: Bucket.ranges(of: owned), since: today, at: .zero, rest: .seconds(300))
        let step = try #require(pass.next(in: Bucket.ranges(of: owned)))
        let place = AudienceCursor.end(of: owned[6])
        pass.read(1, in: step, upTo: place)
        pass.begin(over: owned, in: Bucket.ranges(of: owned), since: today, at: .seconds(1), rest: .seconds(300))
        let next = try #require(pass.next(in: Bucket.ranges(of: owned)))
        #expect(next.scope == .supporters && next.after == place)
    }

    @Test func aDayEndIsReadOnceForEachDay() throws {
        var pass = DayEndPass()
        let owned = try buckets(0...9)
        pass.begin(over: owned, startedBefore: today)
        #expect(pass.cursor == .start && pass.buckets == owned && pass.end == today)
        pass.cursor = nil
        pass.begin(over: owned, startedBefore: today)
        #expect(pass.cursor == nil)
        pass.begin(over: owned, startedBefore: today + .seconds(86_400))
        #expect(pass.cursor == .start)
    }
}
