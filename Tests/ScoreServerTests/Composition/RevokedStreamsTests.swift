// The credential of a device changes at one node while its stream is at another.

import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct RevokedStreamsTests {
    private static let rotation = ["Idempotency-Key": "rotation-key-0001"]

    @Test("S16: a rotation keeps the stream at another node, and an erasure ends it")
    func aRotationKeepsTheStreamOfAnotherNodeAndAnErasureEndsIt() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode(["NODE_ID": "one"]) { one in
            let old = try await one.register()
            try await setup.withWholeNode(["NODE_ID": "two"]) { two in
                let path = "/v1/matches/ipl-final/stream"
                let request = Array(WireClient.head("GET", path, old, bodyBytes: 0, close: false).utf8)
                try await two.publicClient.withStream(request) { stream in
                    #expect(try await stream.head().status == 200)
                    let first = try await stream.event("state")
                    let headers = old.merging(Self.rotation) { $1 }
                    let rotate = "/v1/devices/me/credential/rotate"
                    let rotated = try await one.publicClient.send("POST", rotate, headers)
                    let new = ["Authorization": "Bearer \(try #require(rotated.json["credential"]?.string))"]
                    // The old credential is valid for ten more minutes, and so is its stream.
                    try await FeedNode.report(Samples.deliveries(4), on: setup)
                    #expect(try await stream.event("state").id != first.id)
                    #expect(try await one.publicClient.send("DELETE", "/v1/devices/me", new).status == 204)
                    #expect(try await stream.event("bye").data["reason"]?.string == "revoked")
                    #expect(try await stream.event() == nil)
                }
            }
        }
        await setup.stop()
    }
}
