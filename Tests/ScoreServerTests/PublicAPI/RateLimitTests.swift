// Registrations are limited by hour and by day, and the answer contains the time to wait.

import HTTPTypes
import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct RateLimitTests {
    private func refusal(_ limiter: RateLimiter, _ name: String = "192.0.2.7") -> ServiceProblem? {
        do throws(ServiceProblem) { try limiter.use(.register, by: .address(IPAddress(name))) } catch { return error }
        return nil
    }

    @Test func oneAddressRegistersFivePhonesAnHourAndTwentyADay() {
        let time = ManualClock()
        let limiter = RateLimiter(limits: RateLimits(), clock: time.clock())
        for hour in 0..<4 {
            for place in 0..<5 { #expect(refusal(limiter) == nil, "\(hour) \(place)") }
            if hour == 0 {
                let sixth = refusal(limiter)
                #expect(sixth?.retryAfter == .seconds(720))
                #expect(sixth?.extras.first?.value == .array([.text("register")]))
            }
            time.advance(by: .seconds(3600))
        }
        // Four hours refill a sixth of the day's twenty.
        for _ in 0..<3 { #expect(refusal(limiter) == nil) }
        let refused = refusal(limiter)
        #expect(refused?.extras.first?.value == .array([.text("register.daily")]))
        #expect(refused?.retryAfter == .seconds(2880))
        #expect(refusal(limiter, "192.0.2.8") == nil, "another address has its own limit of the day")
        time.advance(by: .seconds(2880))
        #expect(refusal(limiter) == nil, "the announced time is sufficient")
    }

    @Test func aRefusalByOneLimitConsumesNothingOfTheOther() {
        let time = ManualClock()
        let quota = Quota(count: 2, per: .seconds(3600))
        let limits = RateLimits([.register: quota, .registerDaily: Quota(count: 3, per: .seconds(86_400))])
        let limiter = RateLimiter(limits: limits, clock: time.clock())
        for _ in 0..<2 { #expect(refusal(limiter) == nil) }
        for _ in 0..<10 { #expect(refusal(limiter) != nil) }
        time.advance(by: .seconds(1800))
        #expect(refusal(limiter) == nil, "the limit of the day has a third left")
        let both = refusal(limiter)
        #expect(both?.extras.first?.value == .array([.text("register"), .text("register.daily")]))
        #expect(both?.retryAfter == .seconds(27_000), "the longer of the two waits")
    }

    @Test func aStreamThatTheNodeRefusesDoesNotCountForItsAddress() async throws {
        var stubs = TestDependencies()
        stubs.matches.put(try Samples.view(7))
        stubs.limits = RateLimits([
            .streamOpenAll: Quota(count: 1, per: .seconds(3600)),
            .streamOpenAddress: Quota(count: 2, per: .seconds(3600)),
        ])
        try await withServer(stubs) { server in
            let path = "/v1/matches/ipl-final/stream"
            let first = try await server.publicClient.send("HEAD", path, [:])
            #expect(first.status == 200)
            for _ in 0..<5 {
                let refused = try await server.publicClient.get(path)
                #expect(refused.status == 429)
                #expect(refused.json["violatedPolicies"]?.list.map(\.string) == ["stream.open.all"])
            }
        }
    }

    @Test func aRefusalReportsItsLimitsInHeaders() async throws {
        var stubs = TestDependencies()
        stubs.devices.onRegister = { _ in true }
        stubs.limits = RateLimits([.registerDaily: Quota(count: 1, per: .seconds(86_400))])
        try await withServer(stubs) { server in
            func register(_ phone: String) async throws -> WireAnswer {
                let key = ["Idempotency-Key": "0123456789abcde\(phone)"]
                return try await server.publicClient.send("POST", "/v1/devices", key, json: Samples.registration)
            }
            #expect(try await register("1").status == 201)
            let refused = try await register("2")
            #expect(refused.status == 429)
            #expect(refused["RateLimit-Policy"] == "\"register\";q=5;w=3600, \"register.daily\";q=1;w=86400")
            let wait = try #require(refused["Retry-After"].flatMap { Int($0) })
            #expect((86_300...86_400).contains(wait))
            #expect(refused["RateLimit"] == "\"register.daily\";r=0;t=\(wait)")
        }
    }

    @Test func aRefusedStreamReportsTheLimitOfOpenStreams() async throws {
        var stubs = TestDependencies()
        stubs.caps = StreamCaps(node: 9, device: 3, address: 1)
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            server.publish(view)
            let path = "/v1/matches/ipl-final/stream"
            let opening = WireClient.head("GET", path, [:], bodyBytes: 0, close: false)
            try await server.publicClient.withStream(Array(opening.utf8)) { stream in
                _ = try await stream.head()
                _ = try await stream.event("state")
                let refused = try await server.publicClient.get(path)
                #expect(refused.status == 429 && refused["Retry-After"] == "1")
                #expect(refused.json["violatedPolicies"]?.list.map(\.string) == ["streams"])
                #expect(refused["RateLimit"] == "\"streams\";r=0;t=1", "not the limit of openings, which has a rest")
                #expect(refused["RateLimit-Policy"] == "\"streams\";q=1;qu=\"concurrent-requests\"")
            }
        }
    }

    @Test func aPreflightHasTheHeadersOfEveryAnswer() async throws {
        var stubs = TestDependencies()
        stubs.origins = ["https://scores.example"]
        try await withServer(stubs) { server in
            let headers = ["Origin": "https://scores.example", "Access-Control-Request-Method": "PUT"]
            let answer = try await server.publicClient.send("OPTIONS", "/v1/devices/me/follows/1", headers)
            #expect(answer.status == 204 && answer["Access-Control-Allow-Methods"]?.contains("PUT") == true)
            #expect(answer["Access-Control-Allow-Origin"] == "https://scores.example")
            #expect(answer["RateLimit"]?.hasPrefix("\"read.address\";r=") == true)
            #expect(answer["RateLimit-Policy"]?.hasPrefix("\"read.address\";q=") == true)
            #expect(answer["X-Request-Id"] != nil && answer["X-Content-Type-Options"] == "nosniff")
        }
    }
}
