// Feeds show their captures, states in a body are drawn, and a match has its hold and its last push.

import MatchJournal
import MatchSamples
import Postgres
import ScoreTypes
import Testing

@testable import ScoreIngest
@testable import ScoreServer

@Suite struct MatchToolsTests {
    private static func stubs() throws -> TestDependencies {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 1_000, per: .seconds(1))])
        stubs.matches.put(try Samples.view(7))
        stubs.feeds.list = [StubFeeds.main()]
        return stubs
    }

    @Test func aFeedIsShownWithItsCaptures() async throws {
        var stubs = try Self.stubs()
        var body = StoredCapture.Body(part: "match", byteCount: 9)
        (body.text, body.isCut) = ("{\"a\":1", true)
        let match = MatchID(unchecked: "ipl-final")
        stubs.captures.list = [
            StoredCapture(
                id: "1-4",
                kind: "reply",
                match: match,
                at: Instant(milliseconds: 5_000),
                reason: nil,
                bodies: [body]
            )
        ]
        try await withServer(stubs) { server in
            let token = try await server.token(.operator)
            let feed = try await server.internalClient.get("/admin/api/v1/feeds/main", token)
            #expect(feed.json["feed"]?["id"]?.string == "main" && feed.json["matchIds"]?.asElements?.isEmpty == true)
            let path = "/admin/api/v1/feeds/main/captures"
            let list = try await server.internalClient.get(path + "?match=ipl-final&at=5000", token)
            #expect(list.json["stored"] == .bool(true) && list.json["items"]?.asElements?.count == 1)
            let none = try await server.internalClient.get(path + "?at=6000", token)
            #expect(none.json["items"]?.asElements?.isEmpty == true)
            let one = try await server.internalClient.get(path + "/1-4", token)
            let shown = one.json["bodies"]?.asElements?.first
            #expect(shown?["text"]?.string == "{\"a\":1" && shown?["cut"] == .bool(true))
            #expect(try await server.internalClient.get(path + "/1-5", token).status == 404)
            #expect(try await server.internalClient.get("/admin/api/v1/feeds/x", token).status == 404)
            #expect(try await server.internalClient.get(path + "?limit=1000", token).status == 400)
        }
    }

    @Test func aStateByHandIsDrawnAndNotRecorded() async throws {
        try await withServer(try Self.stubs()) { server in
            let viewer = try await server.token(.viewer)
            func draw(_ query: String, _ body: String) async throws -> WireAnswer {
                try await server.internalClient.send("POST", "/admin/api/v1/preview" + query, viewer, json: body)
            }
            let state = try Samples.view(7).publication.contentState
            let text = String(decoding: state, as: UTF8.self)
            let phone = try await draw(
                "?layout=phone-locked",
                #"{"state":\#(text),"alert":{"title":"Wicket <b>","body":"x"}}"#
            )
            #expect(phone.status == 200 && phone["Content-Type"] == "image/svg+xml")
            #expect(phone.text.contains("Wicket &lt;b&gt;"))
            let kept = try await draw("", #"{"state":{"v":1},"kept":\#(text)}"#)
            #expect(kept.json["undecodable"]?.string != nil && kept.json["images"]?.asElements?.isEmpty == false)
            #expect(try await draw("?layout=watch", #"{"state":{}}"#).status == 400)
            #expect(try await draw("", #"{"state":1}"#).status == 422)
            #expect(try await draw("", #"{"state":{},"more":1}"#).status == 422)
            let large = String(repeating: "x", count: ServerLimits.drawnStateBytes)
            #expect(try await draw("", #"{"state":{"a":"\#(large)"}}"#).status == 413)
            #expect(server.stubs.store.lines.isEmpty, "a picture is no act")
        }
    }

    @Test func theDetailOfAMatchHasItsHoldAndItsLastPush() async throws {
        var stubs = try Self.stubs()
        var news = try Samples.view(8).news
        news.hold = MatchHold(reason: "wrong batter", since: Instant(milliseconds: 1_000))
        stubs.matches.put(MatchView(news))
        stubs.control.onDetail = { _ in .record(["counted": .bool(true), "follows": .integer(3)]) }
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            let match = try await server.internalClient.get("/admin/api/v1/matches/ipl-final", viewer).json
            #expect(match["hold"]?["reason"]?.string == "wrong batter")
            #expect(match["lastPush"]?["rev"]?.int == 8 && match["lastPush"]?["priority"]?.int == 5)
            #expect(match["detail"]?["follows"]?.int == 3 && match["match"]?["epoch"]?.string == "Abcd1234")
        }
    }

    @Test func aStateThatWasSentAgainAMomentAgoNamesItsLimit() async throws {
        let setup = try await NodeSetup()
        let helper = try await PostgresAdminStore(pool: setup.pool).headers(.operator)
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode(name: "one") { node in
            try await setup.pool.execute("update publication set cause = 'keepAlive', at = clock_timestamp()")
            let path = "/admin/api/v1/matches/ipl-final/republish"
            let body = #"{"reason":"phones are behind"}"#
            let refused = try await node.internalClient.send("POST", path, helper, json: body)
            #expect(refused.status == 429 && refused.json["violatedPolicies"]?.list == [.text("match.republish")])
            let wait = try #require(refused["Retry-After"])
            #expect(refused["RateLimit"] == "\"match.republish\";r=0;t=\(wait)")
            #expect(refused["RateLimit-Policy"] == "\"match.republish\";q=1;w=30")
        }
        await setup.stop()
    }
}
