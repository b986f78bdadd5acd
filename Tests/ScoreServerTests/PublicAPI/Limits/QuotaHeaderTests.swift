// Every answer of the public listener reports the quotas that its request took from.

import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct QuotaHeaderTests {
    @Test func aUseReportsWhatIsLeftAndWhenTheQuotaIsWhole() throws {
        let time = ManualClock()
        var limits = RateLimits([.read: Quota(count: 10, per: .seconds(60))])
        limits.sharedAddresses = [try #require(AddressBlock("192.0.2.0/24"))]
        limits.sharedFactor = 100
        let limiter = RateLimiter(limits: limits, clock: time.clock())
        let party = ClientParty.address(IPAddress("203.0.113.7"))
        #expect(limiter.look(.read, by: party).level.text == "\"read\";r=10;t=0")
        let first = try limiter.use(.read, by: party)
        #expect(first.policies == "\"read\";q=10;w=60" && first.level.text == "\"read\";r=9;t=6")
        time.advance(by: .seconds(3))
        #expect(try limiter.use(.read, by: party).level.text == "\"read\";r=8;t=9", "half a use is not counted")
        let register = try limiter.use(.register, by: party)
        #expect(register.policies == "\"register\";q=5;w=3600, \"register.daily\";q=20;w=86400")
        #expect(register.level.remaining == 4 && register.longer?.remaining == 19)
        let shared = try limiter.use(.read, by: .address(IPAddress("192.0.2.9")))
        #expect(shared.policies == "\"read\";q=1000;w=60" && shared.level.remaining == 999)
    }

    private func name(_ answer: WireAnswer) -> Substring? { answer["RateLimit"]?.split(separator: ";").first }

    @Test func everyKindOfAnswerReportsItsQuota() async throws {
        let device = Samples.device()
        var stubs = TestDependencies()
        stubs.devices.onHash = device.hash
        stubs.devices.onRegister = { _ in true }
        stubs.follows.onList = { _ in [] }
        try await withServer(stubs) { server in
            let view = try Samples.view(7)
            server.publish(view)
            let client = server.publicClient
            let match = "/v1/matches/ipl-final"
            let requests: [(String, String, [String: String], status: Int, policy: String)] = [
                ("GET", match, [:], 200, "read.address"), ("GET", match, device.headers, 200, "read"),
                ("GET", match, ["If-None-Match": "\"\(view.revision)\""], 304, "read.address"),
                ("HEAD", match, [:], 200, "read.address"), ("GET", "/v1/matches", [:], 200, "read.address"),
                ("GET", "/v1/matches/none", [:], 404, "read.address"), ("GET", "/none", [:], 404, "read.address"),
                ("POST", "/v1/matches", [:], 405, "read.address"), ("OPTIONS", match, [:], 204, "read.address"),
                ("GET", "/v1/matches?limit=x", [:], 400, "read.address"),
                ("GET", "/v1/matches?token=x", [:], 400, "read.address"),
                ("GET", "/v1/devices/me", [:], 401, "read.address"),
                ("GET", "/v1/devices/me/follows", device.headers, 200, "read"),
                ("GET", match, ["X": String(repeating: "x", count: 17_000)], 431, "read.address"),
                ("HEAD", "\(match)/stream", [:], 200, "stream.open.address"),
            ]
            for request in requests {
                let answer = try await client.send(request.0, request.1, request.2)
                let text = "\(request.0) \(request.1)"
                #expect(answer.status == request.status, "\(text)")
                #expect(name(answer) == "\"\(request.policy)\"", "\(text): \(answer["RateLimit"] ?? "none")")
                #expect(answer["RateLimit-Policy"]?.hasPrefix("\"\(request.policy)\";q=") == true, "\(text)")
            }
            let key = ["Idempotency-Key": "0123456789abcdef"]
            let made = try await client.send("POST", "/v1/devices", key, json: Samples.registration)
            #expect(made.status == 201 && name(made) == "\"register\"")
            let stream = WireClient.head("GET", "\(match)/stream", [:], bodyBytes: 0, close: false)
            try await client.withStream(Array(stream.utf8)) { stream in
                let head = try await stream.head()
                #expect(head.headers["ratelimit"]?.hasPrefix("\"stream.open.address\";r=") == true)
            }
        }
    }

    @Test func theRestFallsWithEachRequest() async throws {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.readAddress: Quota(count: 2, per: .seconds(3600))])
        try await withServer(stubs) { server in
            var seen: [String?] = []
            for _ in 0..<3 { seen.append(try await server.publicClient.get("/v1/client-config")["RateLimit"]) }
            #expect(seen[0] == "\"read.address\";r=1;t=1800")
            #expect(seen[1]?.hasPrefix("\"read.address\";r=0;t=3") == true)
            #expect(seen[2]?.hasPrefix("\"read.address\";r=0;t=1") == true, "until the next use")
        }
    }
}
