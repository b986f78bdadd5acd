// A read from memory has two ways through the server; a client must not see which one it took.

import MatchSamples
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct MemoryReadsTests {
    /// A body announced, even an empty one, sends a read the ordinary way.
    private static let ordinary = ["Content-Length": "0"]

    @Test(
        arguments: [
            [:], ["Accept-Encoding": "gzip"], ["If-None-Match": "\"Abcd1234.7\""], ["If-None-Match": "*"],
            ["If-None-Match": "W/\"Abcd1234.7\"", "Accept-Encoding": "gzip"], ["Origin": "https://scores.example"],
            ["Origin": "https://other.example"], ["X-Request-Id": "a-request-of-mine"],
            ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
        ]
    )
    func bothWaysGiveTheSameAnswer(headers: [String: String]) async throws {
        var dependencies = TestDependencies()
        dependencies.origins = ["https://scores.example"]
        try await withServer(dependencies) { server in
            server.publish(try Samples.view(7))
            _ = try await server.publicClient.get("/v1/matches")
            for path in ["/v1/matches", "/v1/matches/ipl-final"] {
                let quick = try await server.publicClient.get(path, headers)
                let ordinary = try await server.publicClient.get(path, headers.merging(Self.ordinary) { $1 })
                #expect(quick.status == ordinary.status)
                #expect(quick.body == ordinary.body)
                #expect(quick.headers.keys.sorted() == ordinary.headers.keys.sorted())
                for (name, value) in quick.headers where !["x-request-id", "ratelimit", "date"].contains(name) {
                    #expect(value == ordinary.headers[name], "\(name)")
                }
                if headers["X-Request-Id"] ?? headers["traceparent"] != nil {
                    #expect(quick["X-Request-Id"] == ordinary["X-Request-Id"])
                }
                #expect(quick["RateLimit"]?.hasPrefix("\"read.address\";r=") == true)
            }
        }
    }

    @Test func bothWaysTakeFromOneQuota() async throws {
        var dependencies = TestDependencies()
        dependencies.limits = RateLimits([.readAddress: Quota(count: 4, per: .seconds(3600))])
        try await withServer(dependencies) { server in
            server.publish(try Samples.view(7))
            for headers in [[:], Self.ordinary, [:], Self.ordinary] {
                #expect(try await server.publicClient.get("/v1/matches/ipl-final", headers).status == 200)
            }
            for headers in [[:], Self.ordinary] {
                let refused = try await server.publicClient.get("/v1/matches/ipl-final", headers)
                #expect(refused.status == 429)
                #expect(refused.problem == "quota-exceeded")
            }
        }
    }

    @Test func pipelinedRequestsOfBothWaysAreAnsweredInTheirOrder() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let targets = ["/v1/matches/ipl-final", "/v1/problems", "/v1/matches/ipl-final", "/v1/teams"]
            let fields = "Host: scores.example\r\nConnection: keep-alive\r\n"
            let requests = targets.map { "GET \($0) HTTP/1.1\r\n\(fields)\r\n" }.joined()
            let last = "GET /v1/matches/ipl-final HTTP/1.1\r\nHost: scores.example\r\nConnection: close\r\n\r\n"
            let statuses = try await server.publicClient.withStream(Array((requests + last).utf8)) { stream in
                var kinds: [String] = []
                for _ in 0...targets.count {
                    let answer = try await stream.answer(hasBody: true)
                    kinds.append(answer["Surrogate-Key"] ?? answer["Cache-Control"] ?? "")
                }
                return kinds
            }
            #expect(statuses[0] == "match/ipl-final" && statuses[2] == statuses[0] && statuses[4] == statuses[0])
            #expect(statuses[1] != statuses[0] && statuses[3] != statuses[0])
        }
    }
}
