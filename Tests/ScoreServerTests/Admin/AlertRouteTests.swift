// Operators read how long alerts wait and which were taken back, in the API and on a page.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite struct AlertRouteTests {
    private static var stubs: TestDependencies {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 1_000, per: .seconds(1))])
        var slow = CorrectionCurve(reported: 1_000, wrong: Array(repeating: 0, count: 14) + [40], late: 3)
        slow.addReported()
        let curves: CorrectionEvidence.Curves = [
            .runOut: slow, .lbw: CorrectionCurve(reported: 500, wrong: Array(repeating: 0, count: 24) + [90]),
        ]
        stubs.alerts.known = [FeedConfirmation(FeedID(unchecked: "main"), curves, target: 0.001)]
        let moment = RevokedMoment(
            key: "w:1:3",
            kind: .runOut,
            title: "Wicket!",
            body: "<b>Rohit</b> run out 45(32)",
            confirmedBy: .unchanged,
            waited: 15,
            lastReportedAt: 61
        )
        let alert = RevokedAlert(match: Scorebook.match, feed: FeedID(unchecked: "main"), moment: moment)
        stubs.alerts.list = [StoredRevokedAlert(alert: alert, at: Instant(milliseconds: 1_700_000_000_000))]
        return stubs
    }

    @Test func theCurvesAreRead() async throws {
        try await withServer(Self.stubs) { server in
            let token = try await server.token(.viewer)
            let answer = try await server.internalClient.get("/admin/api/v1/alerts/confirmation", token)
            #expect(answer.status == 200)
            let feed = try #require(answer.json["items"]?.asElements?.first)
            #expect(feed["feed"]?.string == "main")
            #expect(feed["falseTarget"] == .integer(1_000))
            let kinds = try #require(feed["kinds"]?.asElements)
            #expect(kinds.count == MomentClass.allCases.count)
            let runOut = try #require(kinds.first { $0["kind"]?.string == "run_out" })
            #expect(runOut["waitSeconds"] == .integer(15))
            #expect(runOut["reported"] == .integer(1_001))
            #expect(runOut["wrong"] == .integer(40))
            #expect(runOut["late"] == .integer(3))
            #expect(runOut["missesTarget"] == .bool(true), "three mistakes stood for longer than any wait")
            #expect(runOut["falsePerMillion"]?.asElements?.count == 26)
            let lbw = try #require(kinds.first { $0["kind"]?.string == "lbw" })
            #expect(lbw["waitSeconds"] == .integer(25))
            #expect(lbw["missesTarget"] == .bool(true))
        }
    }

    @Test func revokedAlertsAreListed() async throws {
        try await withServer(Self.stubs) { server in
            let token = try await server.token(.viewer)
            let answer = try await server.internalClient.get("/admin/api/v1/alerts/revoked?limit=5", token)
            let alert = try #require(answer.json["items"]?.asElements?.first)
            #expect(alert["confirmedBy"]?.string == "unchanged")
            #expect(alert["waitedSeconds"] == .integer(15))
            #expect(alert["lastReportedSeconds"] == .integer(61))
            #expect(try await server.internalClient.get("/admin/api/v1/alerts/revoked?limit=501", token).status == 400)
        }
    }

    @Test func aPageOfRevokedAlertsNamesTheNextOne() async throws {
        var stubs = Self.stubs
        let alert = try #require(stubs.alerts.list.first).alert
        stubs.alerts.list = (0..<3 as Range<Int64>).map { number in
            StoredRevokedAlert(alert: alert, at: Instant(milliseconds: 1_700_000_000_000 - number * 1_000))
        }
        try await withServer(stubs) { server in
            let token = try await server.token(.viewer)
            let path = "/admin/api/v1/alerts/revoked?limit=2"
            let first = try await server.internalClient.get(path, token)
            let next = try #require(first.json["nextBefore"]?.int)
            let second = try await server.internalClient.get(path + "&before=\(next)", token)
            let times = [first, second].map { page in (page.json["items"]?.list ?? []).compactMap { $0["at"]?.string } }
            let expected = ["2023-11-14T22:13:20Z", "2023-11-14T22:13:19Z", "2023-11-14T22:13:18Z"]
            #expect(times == [Array(expected[..<2]), [expected[2]]] && second.json["nextBefore"] == nil)
            #expect(try await server.internalClient.get(path + "&before=0", token).status == 400)
        }
    }

    @Test func thePageShowsBothAndEscapesNames() async throws {
        try await withServer(Self.stubs) { server in
            let token = try await server.token(.viewer)
            let page = try await server.internalClient.get("/admin/alerts", token)
            #expect(page.status == 200)
            #expect(page.text.contains("run out"))
            #expect(page.text.contains("target missed"))
            #expect(page.text.contains("polyline points=\"0,"))
            #expect(page.text.contains("&lt;b&gt;Rohit&lt;/b&gt;"))
            #expect(!page.text.contains("<b>Rohit</b>"))
        }
    }
}
