// Operators read the stuck activities page by page, by fingerprint.

import FollowService
import LiveActivities
import MatchSamples
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct StuckRoutesTests {
    @Test func stuckActivitiesAreListedByFingerprint() async throws {
        let stubs = TestDependencies()
        let now = ServiceClock().wall
        stubs.receipts.published(Samples.match, 7, hash: 7, at: now + .seconds(-2000))
        let receipts = (1...3).map { number in
            Receipt(
                device: DeviceID(high: 7, low: UInt64(number)),
                activity: ShownActivity(
                    activityID: ActivityID(unchecked: "secret-\(number)"),
                    match: Samples.match,
                    shown: 5,
                    accepted: 7,
                    startedAt: now + .seconds(-3000)
                ),
                observedAt: now
            )
        }
        stubs.receipts.take(receipts)
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            func page(_ query: String) async throws -> WireAnswer {
                try await server.internalClient.get("/admin/api/v1/activities?\(query)", viewer)
            }
            let first = try await page("state=stuck&limit=2")
            #expect(first.status == 200 && first.json["total"]?.int == 3)
            #expect(first.json["items"]?.list.count == 2 && !first.text.contains("secret"))
            let item = try #require(first.json["items"]?.list.first)
            #expect(item["shown"]?.int == 5 && item["accepted"]?.int == 7)
            let after = try #require(first.json["nextAfter"]?.string)
            let second = try await page("limit=2&after=\(after)")
            #expect(second.json["items"]?.list.count == 1 && second.json["nextAfter"] == nil)
            #expect(try await page("match=other").json["items"]?.list.isEmpty == true)
            #expect(try await page("state=happy").status == 400)
            #expect(try await page("limit=201").status == 400)
            #expect(try await server.internalClient.get("/admin/api/v1/activities").status == 401)
        }
    }
}
