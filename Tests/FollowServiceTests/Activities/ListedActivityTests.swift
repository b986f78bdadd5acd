// Lists of activities are read page by page, and a search by fingerprint covers every bucket within its time.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite(.timeLimit(.minutes(2))) struct ListedActivityTests {
    @Test func aMatchIsListedPageByPageAndByState() async throws {
        let store = try await Store()
        let channel = ActivityRoute.channel(try #require(ChannelID("channel")))
        for number in 1...25 as ClosedRange<UInt64> {
            try await store.register(number, seq: 1, route: number > 20 ? channel : .token(try token(number)))
        }
        for number in 1...5 as ClosedRange<UInt64> {
            _ = try await store.activities.beginEnd(match: .final, device: device(number), reason: .operator)
        }
        func pages(_ choice: ActivityChoice) async throws -> [ListedActivity] {
            var (all, cursor): ([ListedActivity], ActivityChoice.Cursor?) = ([], nil)
            repeat {
                let page = try await store.activities.list(choice, after: cursor, limit: 4)
                all += page.activities
                cursor = page.next
            } while cursor != nil
            return all
        }
        let all = try await pages(ActivityChoice(.match(.final)))
        #expect(Set(all.map(\.device)) == Set((1...25).map { device($0) }) && all.count == 25)
        #expect(all.count { $0.route == channel } == 5)
        #expect(try await pages(ActivityChoice(.match(.final), state: .active)).count == 20)
        let ending = try await pages(ActivityChoice(.ending))
        #expect(Set(ending.map(\.device)) == Set((1...5).map { device($0) }))
        #expect(ending.allSatisfy { $0.state == .ending && $0.endReason == .operator && $0.endingAt != nil })
        #expect(try await pages(ActivityChoice(.match(.other))).isEmpty)
        #expect(try await pages(ActivityChoice(.device(device(7)))).map(\.match) == [.final])
        #expect(try await pages(ActivityChoice(.device(device(7)), state: .ended)).isEmpty)
    }

    @Test(arguments: [(10, 2, 13), (1, 25, 4), (1, 3, 11)])
    func aPageThatFindsNoneHasACursor(limit: Int, rows: Int, pages: Int) async throws {
        let store = try await Store()
        for number in 1...25 as ClosedRange<UInt64> {
            try await store.register(number, seq: 1, route: .token(try token(number)))
        }
        let chosen = [3, 4, 5].map { device($0) }
        let ending = try await store.activities.beginEnd(match: .final, devices: chosen, reason: .operator)
        try await store.activities.finishEnd(of: ending)
        let choice = ActivityChoice(.match(.final), state: .ended)
        var (found, read, empty): ([DeviceID], Int, Int) = ([], 0, 0)
        var cursor: ActivityChoice.Cursor?
        repeat {
            let page = try await store.activities.list(choice, after: cursor, limit: limit, reading: rows)
            #expect(page.activities.count <= limit && page.activities.allSatisfy { $0.state == .ended })
            found += page.activities.map(\.device)
            read += 1
            if page.activities.isEmpty, page.next != nil { empty += 1 }
            cursor = page.next
        } while cursor != nil && read <= 25
        #expect(found.count == 3 && Set(found) == Set(chosen), "each once")
        #expect(read <= pages, "a page reads as much as it may")
        if rows < 25 { #expect(empty > 0, "a page without a hit is not the last one") }
    }

    @Test func aFingerprintFindsTheActivityOfATokenOrAnID() async throws {
        let store = try await Store()
        for number in 1...40 as ClosedRange<UInt64> {
            try await store.register(number, seq: 1, route: .token(try token(number)))
        }
        let token = try await DeviceOrdersTests.fingerprint(of: try token(33).bytes, store)
        let (found, next) = try await store.activities.search(token, from: 0, within: .seconds(60))
        #expect(found == [FoundToken(device: device(33), kind: .activity, match: .final)] && next == nil)
        let bucket = Bucket(of: device(33)).number
        let (later, _) = try await store.activities.search(token, from: bucket + 1, within: .seconds(60))
        #expect(later.isEmpty, "a search continues where the one before ended")
        let id = try await DeviceOrdersTests.fingerprint(of: Array("A".utf8), store)
        let (shown, _) = try await store.activities.search(id, from: 0, within: .seconds(60))
        #expect(shown.count >= 20, "all have the id A; the list is bounded")
        let (none, rest) = try await store.activities.search(token, from: 5, within: .zero)
        #expect(none.isEmpty && rest == 5)
    }

    @Test func aSearchReadsMoreBucketsWhileItIsFast() {
        var search = BucketSearch(from: 0, until: .seconds(100))
        var (ranges, now): ([ClosedRange<Int16>], Duration) = ([], .zero)
        while let range = search.next(at: now) {
            ranges.append(range)
            now += ranges.count == 4 ? FollowLimits.searchStep : .milliseconds(1)
            search.searched(range, at: now)
        }
        #expect(ranges.map(\.count).prefix(7) == [1, 2, 4, 8, 1, 2, 4], "one after a slow read")
        #expect(ranges.map(\.count).max() == Int(FollowLimits.bucketsPerSearch))
        #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == 1023)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 == $1.lowerBound })
        #expect(search.bucket == 1024)
    }
}
