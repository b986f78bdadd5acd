// A page reads a limited number of followers, whatever number of them is to be started.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct StartPageTests {
    @Test func aPageReadsALimitedNumberOfFollowers() async throws {
        let store = try await Store()
        for number in 1...12 as ClosedRange<UInt64> {
            try await store.registerDevice(number)
            let settings = FollowSettings(match: .final)
            _ = try await store.follows.put(settings, of: device(number), clientSequence: 1)
        }
        var starts = StartCandidates(pool: store.pool, clock: store.time.clock())
        starts.rowsPerPage = 5
        let candidates = starts
        let (low, high) = (try #require(Bucket(0)), try #require(Bucket(1023)))
        func read(limit: Int) async throws -> (started: [DeviceID], rows: [Int]) {
            var (started, rows) = ([DeviceID](), [Int]())
            var cursor: AudienceCursor? = .start
            while let after = cursor {
                let page = try await candidates.page(
                    of: .final,
                    buckets: low...high,
                    scope: .neutrals,
                    since: Store.start,
                    after: after,
                    limit: limit
                )
                started += page.members.map(\.target.device)
                rows.append(page.rowsRead)
                cursor = page.next
            }
            return (started, rows)
        }
        let first = try await read(limit: 3)
        #expect(first.rows == [3, 3, 3, 3, 0], "a page ends behind its last member")
        #expect(Set(first.started) == Set((1...12).map { device($0) }) && first.started.count == 12)
        let second = try await read(limit: 3)
        #expect(second.started.isEmpty && second.rows == [5, 5, 2], "or behind the last follower that it may read")
    }
}
