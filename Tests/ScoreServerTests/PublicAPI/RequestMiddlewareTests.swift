// Rules of every request: ids, limits, problems, and no internal detail in answers.

import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct RequestMiddlewareTests {
    @Test func requestIdsAreEchoedOrReplaced() async throws {
        try await withServer { server in
            let own = try await server.publicClient.get("/v1/client-config", ["X-Request-Id": "my-request-1"])
            #expect(own["X-Request-Id"] == "my-request-1")
            let bad = try await server.publicClient.get("/v1/client-config", ["X-Request-Id": "<script>"])
            #expect(bad["X-Request-Id"]?.contains("script") == false)
            let lost = try await server.publicClient.get("/nothing", ["X-Request-Id": "my-request-2"])
            #expect(lost.json["instance"]?.string == "my-request-2")
            #expect(lost.problem == "not-found")
            #expect(lost["X-Content-Type-Options"] == "nosniff")
        }
    }

    @Test(
        "S1: internal paths are not on the public listener",
        arguments: [
            "/healthz", "/readyz", "/startupz", "/version", "/metrics", "/admin", "/admin/api/v1/overview",
            "/internal/v1/sweeps/stale-activities", "//healthz", "/%68ealthz", "/HEALTHZ", "/v1/../admin",
            "/%2e/metrics", "/admin/", "/v1/%2e%2e/metrics",
        ]
    )
    func internalPathsAreNotOnThePublicListener(path: String) async throws {
        try await withServer { server in
            for method in ["GET", "POST"] {
                let answer = try await server.publicClient.send(method, path)
                #expect(answer.status == 404, "\(method) \(path)")
            }
        }
    }

    @Test("S9: internal errors expose no detail") func internalErrorsExposeNoDetail() async throws {
        struct Secret: Error, CustomStringConvertible { let description = "password=hunter2 at 10.0.0.7" }
        let device = Samples.device()
        var stubs = TestDependencies()
        stubs.devices.onHash = device.hash
        stubs.follows.onList = { _ in throw Secret() }
        try await withServer(stubs) { server in
            let answer = try await server.publicClient.get("/v1/devices/me/follows", device.headers)
            #expect(answer.status == 500 && answer.problem == "internal-error")
            #expect(!answer.text.contains("hunter2") && !answer.text.contains("10.0.0.7"))
            guard case .object(let members) = answer.json else { return try unexpected("object") }
            #expect(Set(members.map(\.name)) == ["type", "title", "status", "instance"])
        }
    }

    @Test(arguments: ["limit", "view", "status", "date", "cursor", "team"])
    func anEmptyTextCountsAsAbsentAndAnEmptyNumberIsRefused(name: String) async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let path = name == "view" ? "/v1/matches/ipl-final" : "/v1/matches"
            let answer = try await server.publicClient.get("\(path)?\(name)=")
            #expect(answer.status == (["limit", "view"].contains(name) ? 400 : 200))
        }
    }

    @Test func a405ListsTheAllowedMethods() async throws {
        try await withServer { server in
            let answer = try await server.publicClient.send("POST", "/v1/matches")
            #expect(answer.status == 405 && answer["Allow"] == "GET, HEAD, OPTIONS")
            let override = try await server.publicClient.get("/v1/client-config", ["X-HTTP-Method-Override": "DELETE"])
            #expect(override.status == 200)
        }
    }

    @Test(arguments: [
        ("/v1/matches", "GET, HEAD, OPTIONS"), ("/v1/matches/ipl-final", "GET, HEAD, OPTIONS"),
        ("/v1/devices/me", "DELETE, GET, HEAD, PATCH, OPTIONS"),
    ])
    func optionsListsTheAllowedMethods(path: String, allowed: String) async throws {
        try await withServer { server in
            let answer = try await server.publicClient.send("OPTIONS", path)
            #expect(answer.status == 204 && answer["Allow"] == allowed && answer.body.isEmpty)
            let none = try await server.publicClient.send("OPTIONS", "/nothing")
            #expect(none.status == 404 && none["Allow"] == nil)
        }
    }

    @Test func aTraceIsTheIdOfARequestWithoutOne() async throws {
        try await withServer { server in
            let (trace, span) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
            let header = "00-\(trace)-\(span)-01"
            let traced = try await server.publicClient.get("/nothing", ["traceparent": header])
            #expect(traced["X-Request-Id"] == "\(trace)-\(span)")
            #expect(traced.json["instance"]?.string == "\(trace)-\(span)")
            let both = ["traceparent": header, "X-Request-Id": "my-request-1"]
            #expect(try await server.publicClient.get("/nothing", both)["X-Request-Id"] == "my-request-1")
            for wrong in [
                "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)-01-x", "00-\(trace.uppercased())-\(span)-01",
                "00-\(String(repeating: "0", count: 32))-\(span)-01", "00-\(trace)-\(span)", "<script>",
            ] {
                let answer = try await server.publicClient.get("/nothing", ["traceparent": wrong])
                #expect(answer["X-Request-Id"]?.count == 16, "\(wrong)")
            }
            let later = try await server.publicClient.get("/nothing", ["traceparent": "01-\(trace)-\(span)-01-x"])
            #expect(later["X-Request-Id"] == "\(trace)-\(span)", "a later version may have more parts")
        }
    }

    @Test func headReturnsTheHeadersOfGet() async throws {
        try await withServer { server in
            let head = try await server.publicClient.send("HEAD", "/v1/client-config")
            #expect(head.status == 200 && head["ETag"] != nil && head.body.isEmpty)
        }
    }

    @Test("S3: large headers are answered with 431") func largeHeadersAre431() async throws {
        try await withServer { server in
            let answer = try await server.publicClient.get(
                "/v1/client-config",
                ["X-Big": String(repeating: "x", count: 17_000)]
            )
            #expect(answer.status == 431 && answer.problem == "headers-too-large")
        }
    }

    @Test("S11: credentials in URLs are refused") func credentialsInUrlsAreRefused() async throws {
        try await withServer { server in
            let answer = try await server.publicClient.get("/v1/matches?Token=ssd1.a.b")
            #expect(answer.status == 400 && answer.problem == "unknown-parameter")
            #expect(!answer.text.contains("ssd1"))
        }
    }

    @Test func refusalsNameTheirLimitAndEndWithTime() async throws {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.readAddress: Quota(count: 2, per: .seconds(3600))])
        try await withServer(stubs) { server in
            for _ in 0..<2 { #expect(try await server.publicClient.get("/v1/client-config").status == 200) }
            let answer = try await server.publicClient.get("/v1/client-config", ["X-Forwarded-For": "9.9.9.9"])
            #expect(answer.status == 429 && answer.problem == "quota-exceeded")
            #expect(answer.json["violatedPolicies"]?.list == [.text("read.address")])
            #expect(Int(answer["Retry-After"] ?? "").map { (1700...1800).contains($0) } == true)
        }
    }

    @Test("C6: a slow body is answered with 408") func aSlowBodyIs408() async throws {
        var stubs = TestDependencies()
        stubs.deadlines.body = .milliseconds(50)
        try await withServer(stubs) { server in
            let request =
                "POST /v1/devices HTTP/1.1\r\nHost: x\r\nIdempotency-Key: 0123456789abcdef\r\n"
                + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            let answer = try await server.publicClient.withStream(Array(request.utf8)) { stream in
                try await stream.answer(hasBody: true)
            }
            #expect(answer.status == 408 && answer.problem == "request-timeout")
        }
    }

    @Test func slowHandlerIs503() async throws {
        let device = Samples.device()
        var stubs = TestDependencies()
        stubs.deadlines = RequestDeadlines(body: .milliseconds(10), handler: .milliseconds(40))
        stubs.devices.onHash = device.hash
        let (silence, silent) = AsyncStream<Void>.makeStream()
        stubs.follows.onList = { _ in
            for await _ in silence {}
            return []
        }
        try await withServer(stubs) { server in
            let answer = try await server.publicClient.get("/v1/devices/me/follows", device.headers)
            #expect(answer.status == 503 && answer.json["cause"]?.string == "deadline")
        }
        silent.finish()
    }

    @Test func theDeadlineAppliesToWorkThatCannotBeCancelled() async throws {
        let device = Samples.device()
        let isAtWork = Mutex(true)
        let (silence, silent) = AsyncStream<Void>.makeStream()
        let stubborn = Task { for await _ in silence {} }
        var stubs = TestDependencies()
        stubs.deadlines = RequestDeadlines(body: .seconds(60), handler: .milliseconds(40))
        stubs.devices.onHash = device.hash
        stubs.follows.onList = { _ in
            // A wait for another task's value cannot be cancelled.
            await stubborn.value
            isAtWork.withLock { $0 = false }
            return []
        }
        try await withServer(stubs) { server in
            defer { silent.finish() }
            let answer = try await server.publicClient.get("/v1/devices/me/follows", device.headers)
            #expect(answer.status == 503 && answer.json["cause"]?.string == "deadline")
            #expect(answer["Retry-After"] != nil)
            #expect(isAtWork.withLock { $0 }, "the answer waits neither for the work nor for a missing body")
        }
    }

    @Test("C16: guesses for one device are refused, from the second on without a query")
    func guessedCredentialsAreRefusedWithoutQueries() async throws {
        let device = Samples.device()
        let lookups = Mutex(0)
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.deviceLogin: Quota(count: 3, per: .seconds(3600))])
        stubs.devices.onHash = { id in
            lookups.withLock { $0 += 1 }
            return try await device.hash(id)
        }
        stubs.follows.onList = { _ in [] }
        try await withServer(stubs) { server in
            let path = "/v1/devices/me/follows"
            let before = try await server.publicClient.get(path, device.headers)
            var codes: [Int] = []
            for _ in 0..<6 {
                let guess = BearerCredential(new: .device, id: DeviceID(high: 9, low: 9).description)
                let headers = ["Authorization": "Bearer \(guess.text)"]
                codes.append(try await server.publicClient.get(path, headers).status)
            }
            let after = try await server.publicClient.get(path, device.headers)
            #expect(codes == [401, 401, 401, 429, 429, 429])
            #expect(lookups.withLock { $0 } == 2)
            #expect([before.status, after.status] == [200, 200])
        }
    }

    @Test func aTakenPortIsReportedInOneSentence() async throws {
        try await withServer { server in
            var stubs = TestDependencies()
            stubs.publicAddress = ListenAddress(host: "127.0.0.1", port: server.publicClient.port)
            do {
                try await withServer(stubs) { _ in Issue.record("bound twice") }
            } catch {
                let sentence = "\(error)"
                #expect(
                    sentence.contains("is taken by another program; set HTTP_PUBLIC_PORT to a free port"),
                    "\(sentence)"
                )
            }
        }
    }
}
