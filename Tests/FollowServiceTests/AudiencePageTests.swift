// A page reads a limited number of followers, also when few of them are recipients.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct AudiencePageTests {
    private static let followers: ClosedRange<UInt64> = 1...12
    /// The only devices with tokens for notifications and widgets.
    private static let reachable: Set<UInt64> = [4, 9]

    private func store() async throws -> Store {
        let store = try await Store()
        for number in Self.followers {
            let isReachable = Self.reachable.contains(number)
            try await store.registerDevice(number, tokens: isReachable ? [.alert, .widget] : [.pushToStart])
            _ = try await store.follows.put(FollowSettings(match: .final), of: device(number), clientSequence: 1)
        }
        return store
    }

    /// The members of all pages, and the number of members of each page.
    private func read(
        _ page: (AudienceCursor) async throws -> (members: [DeviceID], next: AudienceCursor?)
    ) async throws -> (members: [DeviceID], pages: [Int]) {
        var (members, pages) = ([DeviceID](), [Int]())
        var cursor: AudienceCursor? = .start
        while let after = cursor {
            let page = try await page(after)
            members += page.members
            pages.append(page.members.count)
            cursor = page.next
        }
        return (members, pages)
    }

    @Test(arguments: [(rows: 1, limit: 5), (3, 5), (5, 1), (12, 1), (100, 5)])
    func widgetPagesReadALimitedNumberOfFollowers(rows: Int, limit: Int) async throws {
        let store = try await store()
        var audience = WidgetAudience(pool: store.pool)
        audience.rowsPerPage = rows
        let widgets = audience
        let (low, high) = (try #require(Bucket(0)), try #require(Bucket(1023)))
        let found = try await read { cursor in
            let page = try await widgets.page(of: .final, buckets: low...high, without: [], after: cursor, limit: limit)
            return (page.members.map(\.device), page.next)
        }
        #expect(found.members.count == 2 && Set(found.members) == Set(Self.reachable.map { device($0) }))
        #expect(found.pages.count >= 12 / rows, "\(found.pages)")
    }

    @Test(arguments: [(rows: 1, limit: 5), (3, 5), (5, 1), (12, 1), (100, 5)])
    func alertPagesReadALimitedNumberOfFollowers(rows: Int, limit: Int) async throws {
        let store = try await store()
        var audience = AlertAudience(pool: store.pool, clock: store.time.clock())
        audience.rowsPerPage = rows
        let alerts = audience
        let (low, high) = (try #require(Bucket(0)), try #require(Bucket(1023)))
        let found = try await read { cursor in
            let page = try await alerts.page(
                of: .final,
                buckets: low...high,
                kind: [.wicket],
                publishedAt: store.time.now,
                after: cursor,
                limit: limit
            )
            return (page.members.map(\.target.device), page.next)
        }
        #expect(found.members.count == 2 && Set(found.members) == Set(Self.reachable.map { device($0) }))
        #expect(found.pages.count >= 12 / rows, "\(found.pages)")
    }
}
