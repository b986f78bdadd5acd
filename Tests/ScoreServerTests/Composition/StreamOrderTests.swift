// An order about streams crosses nodes: each ends its own, and its author learns how many each has ended.

import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct StreamOrderTests {
    private static let path = "/admin/api/v1/streams"

    private static func stream(_ headers: [String: String]) -> [UInt8] {
        Array(WireClient.head("GET", "/v1/matches/ipl-final/stream", headers, bodyBytes: 0, close: false).utf8)
    }

    private static func disconnect(
        _ members: String,
        _ headers: [String: String],
        at node: WholeNode,
        query: String = ""
    ) async throws -> WireAnswer {
        let body = #"{"reason":"a broken build","# + members + "}"
        return try await node.internalClient.send("POST", path + "/disconnect" + query, headers, json: body)
    }

    private static func check(_ bye: WireEvent) {
        #expect(bye.data["reason"]?.string == "adminDisconnect")
        #expect((100...60_000).contains(bye.data["reconnectAfterMs"]?.int ?? -1))
    }

    @Test func anOrderEndsTheStreamsOfABuildOnTwoNodes() async throws {
        let setup = try await NodeSetup()
        let helper = try await PostgresAdminStore(pool: setup.pool).headers(.operator)
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode(["NODE_ID": "one"]) { one in
            let old = try await one.register()
            let new = try await one.register(key: "fedcba9876543210")
            let build = try await one.publicClient.send("PATCH", "/v1/devices/me", new, json: #"{"appBuild":"43"}"#)
            #expect(build.status == 200)
            try await setup.withWholeNode(["NODE_ID": "two"]) { two in
                try await one.publicClient.withStream(Self.stream(old)) { first in
                    #expect(try await first.head().status == 200)
                    _ = try await first.event("state")
                    try await two.publicClient.withStream(Self.stream(old)) { second in
                        #expect(try await second.head().status == 200)
                        _ = try await second.event("state")
                        try await two.publicClient.withStream(Self.stream(new)) { kept in
                            #expect(try await kept.head().status == 200)
                            let state = try await kept.event("state")
                            let list = try await two.internalClient.get(Self.path + "?match=ipl-final", helper)
                            let items = list.json["items"]?.list ?? []
                            #expect(items.map { $0["appBuild"]?.string } == ["42", "43"], "\(list.text)")
                            #expect(items.last?["position"]?.string == state.id)
                            #expect(list.json["node"]?.string == "two" && list.json["total"]?.int == 2)

                            let filter = #""filter":{"appBuild":"42"},"reconnectAfterMs":60000"#
                            let dry = try await Self.disconnect(filter, helper, at: one, query: "?dryRun=true")
                            #expect(dry.json["result"]?["wouldAffect"]?.int == 2, "\(dry.text)")
                            let done = try await Self.disconnect(filter, helper, at: one)
                            let result = try #require(done.json["result"])
                            #expect(result["streams"]?.int == 2 && result["unanswered"]?.list == [], "\(done.text)")
                            #expect(result["nodes"]?.list.map { $0["node"]?.string } == ["one", "two"])
                            #expect(result["nodes"]?.list.map { $0["streams"]?.int } == [1, 1])
                            let none = try await Self.disconnect(filter, helper, at: two)
                            #expect(none.json["result"]?["streams"]?.int == 0)
                            try await eventually("only another build stays") {
                                two.node.services.hub.connectionCount == 1
                            }
                        }
                        Self.check(try await second.event("bye"))
                    }
                    Self.check(try await first.event("bye"))
                }
            }
        }
        await setup.stop()
    }

    @Test func anOrderWithoutAConditionIsRefused() async throws {
        try await withServer { server in
            let helper = try await server.token(.operator)
            for (members, status) in [
                (#""filter":{}"#, 422), (#""everywhere":true"#, 422), (#""filter":{"build":"1"}"#, 422),
                (#""filter":{"match":"x y"}"#, 422), (#""filter":{"match":"m"},"reconnectAfterMs":1"#, 422),
                (#""filter":{"olderThanSeconds":0}"#, 422), (#""filter":{"device":"x"}"#, 422),
            ] {
                let body = #"{"reason":"a broken build","# + members + "}"
                let path = Self.path + "/disconnect"
                let answer = try await server.internalClient.send("POST", path, helper, json: body)
                #expect(answer.status == status, "\(members): \(answer.text)")
            }
        }
    }

    @Test("H16: an order of a later version is left out") func anOrderOfALaterVersionIsLeftOut() throws {
        let choice = StreamChoice(match: Samples.match, build: "42", olderThan: 60)
        let order = StreamOrder(id: "a", choice: choice, spread: 1_000)
        #expect(StreamOrder(order.payload) == order)
        let counted = StreamOrder(id: "a", choice: choice, spread: nil)
        #expect(StreamOrder(counted.payload) == counted)
        #expect(StreamOrder(#"{"id":"a","choice":{"match":"m","country":"IN"},"spreadMs":1000}"#) == nil)
        #expect(StreamOrder(#"{"id":"a","choice":{},"spreadMs":1000}"#) == nil, "no condition")
        #expect(StreamOrder("x") == nil && StreamOrderAnswer("{}") == nil)
        let answer = StreamOrderAnswer(id: "a", node: NodeID(unchecked: "one"), count: 3)
        #expect(StreamOrderAnswer(answer.payload) == answer)
        var answers = StreamOrderAnswers(expecting: [NodeID(unchecked: "one"), NodeID(unchecked: "two")])
        let isFirstEnough = answers.take(answer)
        #expect(!isFirstEnough && answers.missing == [NodeID(unchecked: "two")] && answers.total == 3)
        let isComplete = answers.take(StreamOrderAnswer(id: "a", node: NodeID(unchecked: "two"), count: 1))
        #expect(isComplete && answers.total == 4)
    }
}
