// deploy/nginx.conf and deploy/haproxy.cfg do before the real server what docs/proxies.md promises.

import Foundation
import TestSupport
import Testing

@testable import ScoreLab

@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: Proxy.areInstalled, "SKIPPED: nginx-light, haproxy or curl is not installed, so deploy/ is not tested")
)
struct ProxyTests {
    private static let match = "/v1/matches/1"
    /// A ball takes about half a second.
    private static let speed = 60

    @Test("C18, C19, C20, S2, S6: reads are cached for a second, and streams pass at once", arguments: Proxy.allCases)
    func readsAreCachedAndStreamsPassAtOnce(proxy: Proxy) async throws {
        let server = try ProxiedServer(proxy, isTLS: true)
        defer { server.remove() }
        try await server.start(feedSpeed: Self.speed, settings: ["LIMITS_READ_ADDRESS": "100000/1s"])
        try Self.expectHTTP2(server)
        try Self.expectOneRequestForMany(server)
        // The caches would keep the match before its start for a minute.
        try await eventually("the match is in play") { try server.direct(Self.match).contains(#""status":"live""#) }
        try Self.expectOneRequestASecond(server)
        try await Self.expectEventsAtOnce(server)
        try await server.stopFeed()
        if proxy == .nginx {
            try await eventually("the cache renews the match by its tag", within: .seconds(30)) {
                try server.get(Self.match)
                return try server.received("/v1/matches/{id}", code: 304) > 0
            }
        }
        try await server.stop()
    }

    private static func expectHTTP2(_ server: ProxiedServer) throws {
        let answer = try server.get("/v1/client-config", ["-H", "X-Request-Id: proxy-test-1"])
        #expect(answer.version == "2" && answer.status == 200)
        #expect(answer["x-request-id"] == "proxy-test-1")
        #expect(answer["strict-transport-security"] == "max-age=31536000")
        #expect(answer["server"] == nil || answer["server"] == "nginx", "the version is not shown")
        let second = try server.get("/v1/client-config")
        #expect(second["x-request-id"] != "proxy-test-1", "a cached answer does not have the id of another request")
        #expect(second["x-request-id"]?.isEmpty == false)
        #expect(try server.get("/v1/client-config", ["-H", "Host: other.example.com"]).status == 421)
    }

    /// Sixty requests at once for an answer that is fresh for an hour.
    private static func expectOneRequestForMany(_ server: ProxiedServer) throws {
        let route = "/v1/problems"
        let urls = Array(repeating: server.url(route), count: 60)
        let many = server.client + ["--parallel", "--parallel-max", "40", "-f"] + urls
        _ = try server.curl(many)
        let first = try server.received(route)
        // HAProxy does not let requests wait for the first one.
        #expect(server.proxy == .nginx ? first == 1 : first < 60)
        _ = try server.curl(many)
        #expect(try server.received(route) == first)
        let tag = try #require(try server.get(route)["etag"])
        let answer = try server.get(route, ["-H", "If-None-Match: \(tag)"])
        #expect(answer.status == 304 && answer.body.isEmpty)
        #expect(try server.received(route) == first, "the cache compares tags itself")
    }

    /// Many requests, one after the other, for a match in play.
    private static func expectOneRequestASecond(_ server: ProxiedServer) throws {
        let route = "/v1/matches/{id}"
        let before = try server.received(route)
        let started = ContinuousClock.now
        _ = try server.curl(server.client + ["-f"] + Array(repeating: server.url(match), count: 300))
        let seconds = Int((ContinuousClock.now - started).components.seconds)
        // One a second, one begun before, one begun after.
        #expect(try server.received(route) - before <= seconds + 3)
    }

    /// Each event arrives through the proxy before the next one is sent, and a position is resumed.
    private static func expectEventsAtOnce(_ server: ProxiedServer) async throws {
        let direct = try server.stream("\(match)/stream", direct: true)
        let proxied = try server.stream("\(match)/stream")
        defer { for stream in [direct, proxied] { stream.signal(SIGKILL) } }
        try await eventually("both streams are open: \(proxied.output)") {
            positions(in: direct).count > 1 && positions(in: proxied).count > 1
        }
        var punctual = 0
        for _ in 1...6 {
            let known = positions(in: direct).last
            try await eventually("a ball is bowled") { positions(in: direct).last != known }
            let newest = try #require(positions(in: direct).last)
            try await eventually("it arrives through the proxy") { positions(in: proxied).contains(newest) }
            if positions(in: direct).last == newest { punctual += 1 }
        }
        #expect(punctual >= 3, "a proxy that buffers holds several events back")
        let last = try #require(positions(in: proxied).last)
        proxied.signal(SIGKILL)
        let resumed = try server.stream("\(match)/stream", ["-H", "Last-Event-ID: \(last)"])
        defer { resumed.signal(SIGKILL) }
        try await eventually("the stream resumes: \(resumed.output)") { positions(in: resumed).count > 1 }
        let answer = ProxiedAnswer(resumed.output)
        #expect(answer.version == "2" && answer["content-type"]?.hasPrefix("text/event-stream") == true)
        #expect(["exact", "conflated"].contains(answer["stream-resume"]))
        #expect(positions(in: resumed).allSatisfy { $0 != last }, "a known state is not repeated")
    }

    private static func positions(in stream: ChildProcess) -> [String] {
        stream.output.replacingOccurrences(of: "\r\n", with: "\n").split(separator: "\n")
            .filter { $0.hasPrefix("id:") }.map { $0.dropFirst(3).trimmingCharacters(in: .whitespaces) }
    }

    @Test("C10, C19, S4, S5: strangers change nothing for others", arguments: Proxy.allCases)
    func strangersChangeNothing(proxy: Proxy) async throws {
        let server = try ProxiedServer(proxy, isTLS: false)
        defer { server.remove() }
        try await server.start(settings: ["LIMITS_READ_ADDRESS": "20/3600s"])
        try server.get("/v1/problems")
        try Self.expectAddresses(server)
        let answers = try RefusedForms.all(host: server.host).map { form in
            (name: form.name, statuses: try RawExchange.statuses(of: form.bytes, port: server.port))
        }
        for answer in answers {
            #expect(answer.statuses.allSatisfy { (400...599).contains($0) }, "\(answer)")
        }
        #expect(try server.received("none") == 0, "no request reaches the server beside the proxy")
        try Self.expectProblems(server)
        try await server.stopServer()
        let answer = try server.get("/v1/devices/me")
        #expect(answer.status == 503 && answer["content-type"] == "application/problem+json")
        #expect(answer.body.contains("/v1/problems/temporarily-unavailable") && answer["retry-after"] != nil)
        #expect(answer["cache-control"] == "no-store")
        let cached = try server.get("/v1/problems")
        #expect(proxy == .haproxy || cached.status == 200, "a fresh answer needs no server")
        try await server.stop()
    }

    /// The server counts for the address of the client, whatever the client writes into headers.
    private static func expectAddresses(_ server: ProxiedServer) throws {
        func status(_ number: Int, from address: String) throws -> Int {
            let forged = ["X-Forwarded-For: 192.0.2.\(number)", "Forwarded: for=192.0.2.\(number)"]
            let options = ["--interface", address] + forged.flatMap { ["-H", $0] }
            return try server.get("/v1/problems/none-\(number)", options).status
        }
        let statuses = try (1...22).map { try status($0, from: "127.0.0.2") }
        #expect(statuses.prefix(20).allSatisfy { $0 == 404 } && statuses.suffix(2).allSatisfy { $0 == 429 })
        #expect(try status(30, from: "127.0.0.3") == 404, "another client has its own quota")
    }

    /// The answers of the proxy itself have the form of the server's.
    private static func expectProblems(_ server: ProxiedServer) throws {
        let body = "@\(Proxy.curl.path)"
        let cases: [(path: String, options: [String], status: Int, slug: String)] = [
            ("/metrics", [], 404, "not-found"), ("/admin", [], 404, "not-found"), ("/readyz", [], 404, "not-found"),
            ("/v1/devices", ["-X", "POST", "-H", "Expect:", "--data-binary", body], 413, "payload-too-large"),
        ]
        for (path, options, status, slug) in cases {
            let answer = try server.get(path, options)
            #expect(answer.status == status && answer["content-type"] == "application/problem+json", "\(path)")
            #expect(answer.body.contains("/v1/problems/\(slug)"), "\(path): \(answer.body)")
        }
        let large = try server.get("/v1/matches", ["-H", "X-Large: \(String(repeating: "x", count: 20_000))"])
        #expect([400, 431].contains(large.status))
    }
}
