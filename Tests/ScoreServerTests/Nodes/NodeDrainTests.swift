// One node is drained through another one: readiness, streams, leases and buckets, and the way back.

import LiveActivities
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct NodeDrainTests {
    private static let path = "/admin/api/v1/nodes"

    private static func node(_ name: String, _ client: WireClient, _ headers: [String: String]) async throws
        -> JSONValue
    {
        let answer = try await client.get(path, headers)
        return try #require(answer.json["items"]?.list.first { $0["id"]?.string == name })
    }

    @Test func aNodeIsDrainedAndTakenBackThroughAnother() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        let headers = try await PostgresAdminStore(pool: setup.pool).headers(.operator)
        try await setup.withWholeNode(name: "one") { one in
            try await setup.withWholeNode(name: "two") { two in
                let client = one.internalClient
                try await eventually("each has its half, and is ready") {
                    let (first, second) = (
                        try await Self.node("one", client, headers), try await Self.node("two", client, headers)
                    )
                    return first["buckets"]?.int == 512 && second["buckets"]?.int == 512
                        && first["state"]?.string == "ready" && second["state"]?.string == "ready"
                }
                let request = WireClient.head("GET", "/v1/matches/ipl-final/stream", [:], bodyBytes: 0, close: false)
                try await two.publicClient.withStream(Array(request.utf8)) { stream in
                    #expect(try await stream.head().status == 200)
                    _ = try await stream.event("state")
                    try await eventually("its stream is reported") {
                        try await Self.node("two", client, headers)["streams"]?.int == 1
                    }
                    let order = #"{"reason":"a new kernel","seconds":0}"#
                    let dry = try await client.send("POST", Self.path + "/two/drain?dryRun=true", headers, json: order)
                    #expect(dry.json["result"]?["wouldAffect"]?.int ?? 0 > 512, "\(dry.text)")
                    let done = try await client.send("POST", Self.path + "/two/drain", headers, json: order)
                    #expect(done.status == 200 && done.json["result"]?["draining"] == .bool(true), "\(done.text)")
                    #expect(try await stream.event("bye").data["reason"]?.string == "draining")
                }
                try await eventually("it is not ready") {
                    try await two.internalClient.get("/readyz").status == 503
                }
                let refused = try await two.publicClient.get("/v1/matches/ipl-final/stream")
                #expect(refused.status == 503 && refused.json["cause"]?.string == "draining", "\(refused.text)")
                #expect(try await two.publicClient.get("/v1/matches/ipl-final").status == 200, "requests go on")
                try await eventually("the other node has its buckets and leases") {
                    let (first, second) = (
                        try await Self.node("one", client, headers), try await Self.node("two", client, headers)
                    )
                    return first["buckets"]?.int == 1024 && second["state"]?.string == "drained"
                }
                let up = #"{"reason":"it is up"}"#
                let back = try await client.send("POST", Self.path + "/two/undrain", headers, json: up)
                #expect(back.status == 200)
                try await eventually("it is ready and has its half again") {
                    let second = try await Self.node("two", client, headers)
                    return try await two.internalClient.get("/readyz").status == 200 && second["buckets"]?.int == 512
                }
                let none = try await client.send("POST", Self.path + "/none/drain", headers, json: up)
                #expect(none.status == 404)
            }
            let entries = try await one.internalClient.get("/admin/api/v1/audit?action=node.drain", headers)
            let states = entries.json["items"]?.list.map { $0["after"]?["draining"] }
            #expect(states?.contains(.bool(true)) == true, "\(entries.text)")
        }
        await setup.stop()
    }

    @Test func aNodeWithoutASigningKeyTakesNoBuckets() async throws {
        let setup = try await NodeSetup()
        let headers = try await PostgresAdminStore(pool: setup.pool).headers(.operator)
        try await setup.withWholeNode(name: "one") { one in
            let first = one.node.services.ownership
            try await eventually("it has all buckets") { first.buckets.count == Bucket.count }
            try await setup.withWholeNode(["APNS_KEY_FILE": ""], name: "two") { two in
                let second = two.node.services.ownership
                // A surplus would leave the first node with its second call; a term may lapse on a busy machine.
                for _ in 0..<3 { for node in [first, second] { try? await node.claim() } }
                try await eventually("the first node has kept them") {
                    let (keeper, silent) = (
                        try await Self.node("one", one.internalClient, headers),
                        try await Self.node("two", one.internalClient, headers)
                    )
                    return keeper["buckets"]?.int == 1024 && silent["buckets"]?.int == 0
                        && silent["state"]?.string == "ready"
                }
                #expect(second.buckets.isEmpty)
            }
        }
        await setup.stop()
    }

    @Test func aDrainedNodeIsInServiceAfterItsRestart() async throws {
        let setup = try await NodeSetup()
        let headers = try await PostgresAdminStore(pool: setup.pool).headers(.operator)
        let body = #"{"reason":"a new kernel"}"#
        try await setup.withWholeNode(name: "one") { one in
            try await setup.withWholeNode(name: "two") { two in
                let done = try await one.internalClient.send("POST", Self.path + "/two/drain", headers, json: body)
                #expect(done.status == 200, "\(done.text)")
                try await eventually("the gauge follows without a request for the checks") {
                    try await two.internalClient.get("/metrics").text.contains("score_ready{check=\"drain\"} 0\n")
                }
                try await eventually("it is not ready") { try await two.internalClient.get("/readyz").status == 503 }
            }
            try await setup.withWholeNode(name: "two") { two in
                let ready = try await two.internalClient.get("/readyz")
                let row = try await Self.node("two", one.internalClient, headers)
                #expect(ready.status == 200 && row["draining"] == .bool(false))
                let gauges = try await two.internalClient.get("/metrics").text
                #expect(gauges.contains("score_ready{check=\"drain\"} 1\n"))
            }
        }
        await setup.stop()
    }
}
