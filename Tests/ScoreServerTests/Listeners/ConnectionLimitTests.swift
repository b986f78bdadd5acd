// The limits of connections on real sockets against the real listener.

import MatchSamples
import NIOCore
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct ConnectionLimitTests {
    private static let get = "GET /v1/client-config HTTP/1.1\r\nHost: x\r\n\r\n"

    private func stubs(_ change: (inout ConnectionLimits) -> Void) -> TestDependencies {
        var stubs = TestDependencies()
        stubs.connectionLimits.check = .milliseconds(10)
        stubs.connectionLimits.linger = .milliseconds(50)
        change(&stubs.connectionLimits)
        return stubs
    }

    /// Sends bytes, reads so many answers, then expects the end of the connection.
    private func answers(
        _ count: Int,
        to bytes: String,
        _ server: TestServer,
        hasBody: Bool = true
    ) async throws -> [WireAnswer] {
        try await server.publicClient.withStream(Array(bytes.utf8)) { stream in
            var answers: [WireAnswer] = []
            for _ in 0..<count { answers.append(try await stream.answer(hasBody: hasBody)) }
            let next = try? await Self.head(&stream)
            #expect(next == nil, "the connection ends")
            return answers
        }
    }

    private static func head(_ stream: inout WireStream) async throws -> Int { try await stream.head().status }

    @Test("C5: a head that does not arrive ends its connection, and others are answered") func head() async throws {
        try await withServer(stubs { $0.head = .milliseconds(100) }) { server in
            async let none = answers(0, to: "", server)
            async let part = answers(0, to: "GET /v1/client-config HTTP/1.1\r\nHos", server)
            async let other = server.publicClient.get("/v1/client-config").status
            let (first, second, status) = try await (none.count, part.count, other)
            #expect(first == 0 && second == 0 && status == 200)
        }
    }

    @Test func anIdleConnectionEnds() async throws {
        try await withServer(stubs { $0.idle = .milliseconds(50) }) { server in
            let answers = try await answers(1, to: Self.get, server)
            #expect(answers[0].status == 200 && answers[0]["Connection"] == nil)
        }
    }

    @Test("C6: a body that drips is answered with 408 and ends its connection") func body() async throws {
        var stubs = stubs { _ in }
        stubs.deadlines.body = .milliseconds(50)
        try await withServer(stubs) { server in
            let request =
                "POST /v1/devices HTTP/1.1\r\nHost: x\r\nIdempotency-Key: 0123456789abcdef\r\n"
                + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            let answers = try await answers(1, to: request, server)
            #expect(answers[0].status == 408 && answers[0]["Connection"] == "close")
        }
    }

    @Test("C8: a refused body ends its connection") func refusedBody() async throws {
        try await withServer(stubs { _ in }) { server in
            let head = "POST /v1/devices HTTP/1.1\r\nHost: x\r\nIdempotency-Key: 0123456789abcdef\r\n"
            let json = "Content-Type: application/json\r\n"
            let large = try await answers(1, to: head + json + "Content-Length: 100000\r\n\r\n{", server)
            #expect(large[0].status == 413 && large[0]["Connection"] == "close")
            let chunk = "5000\r\n" + String(repeating: "x", count: 0x5000) + "\r\n"
            let endless = try await answers(1, to: head + json + "Transfer-Encoding: chunked\r\n\r\n" + chunk, server)
            #expect(endless[0].status == 413 && endless[0]["Connection"] == "close")
            let wrong = try await answers(1, to: head + "Content-Type: a/b\r\nContent-Length: 9\r\n\r\n{", server)
            #expect(wrong[0].status == 415 && wrong[0]["Connection"] == "close")
        }
    }

    @Test("C8: an unknown path ends its connection and counts in the rate limit") func unknownPath() async throws {
        var stubs = stubs { _ in }
        stubs.limits = RateLimits([.readAddress: Quota(count: 2, per: .seconds(3600))])
        try await withServer(stubs) { server in
            let post = "POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx"
            let lost = try await answers(1, to: post, server)
            #expect(lost[0].status == 404 && lost[0]["Connection"] == "close")
            let method = try await answers(1, to: "PUT /v1/matches HTTP/1.1\r\nHost: x\r\n\r\n", server)
            #expect(method[0].status == 405 && method[0]["Connection"] == "close")
            let more = try await answers(1, to: post, server)
            #expect(more[0].status == 429 && more[0].problem == "quota-exceeded")
            #expect(try await server.publicClient.get("/v1/client-config").status == 429)
        }
    }

    @Test("C12: pipelined requests are answered in order, each with its own answer") func pipelining() async throws {
        try await withServer(stubs { $0.requests = 3 }) { server in
            let ids = ["first-request", "second-request", "third-request"]
            let requests = ids.map { "GET /v1/client-config HTTP/1.1\r\nHost: x\r\nX-Request-Id: \($0)\r\n\r\n" }
            let answers = try await answers(3, to: requests.joined(), server)
            #expect(answers.map { $0["X-Request-Id"] } == ids)
            #expect(answers.map { $0["Connection"] } == [nil, nil, "close"])
        }
    }

    @Test("C12: too many pipelined requests end their connection") func pipeliningDepth() async throws {
        try await withServer(stubs { $0.pipelined = 3 }) { server in
            let stream = try await server.publicClient.withStream(
                Array(String(repeating: Self.get, count: 100).utf8)
            ) { stream in
                var count = 0
                while let status = try? await Self.head(&stream), status == 200 { count += 1 }
                return count
            }
            #expect(stream <= 3)
        }
    }

    @Test func readsFromMemoryDoNotPileUpForAClientThatNeverReads() async throws {
        var limits = stubs {
            // Only the number of requests without an answer ends the connection.
            ($0.output, $0.head, $0.body, $0.idle) = (.hours(1), .hours(1), .hours(1), .hours(1))
            $0.requests = 1_000_000
        }
        limits.limits = RateLimits([.readAddress: Quota(count: 1_000_000, per: .seconds(60))])
        try await withServer(limits) { server in
            server.publish(try Samples.view(7))
            let request = "GET /v1/matches/ipl-final HTTP/1.1\r\nHost: x\r\n\r\n"
            let client = try PlainSocket(port: server.publicClient.port, receiveBytes: 4096)
            // More answers than the kernel's buffers hold; the server may end the connection before all are sent.
            try? client.send(String(repeating: request, count: 8_000))
            // The kernel ends the connection after 30 s.
            try await eventually("the server has closed", within: .seconds(20)) { !client.isOpenAtServer }
        }
    }

    @Test("S53: an address has a number of connections, which ended ones leave") func addressCap() async throws {
        var stubs = stubs { _ in }
        stubs.connectionCaps.address = 1
        try await withServer(stubs) { server in
            let status = try await server.publicClient.withStream(Array(Self.get.utf8)) { stream in
                let first = try await stream.answer(hasBody: true).status
                #expect(first == 200)
                // The server may have closed the connection before the request is sent.
                return try? await server.publicClient.get("/v1/client-config").status
            }
            #expect(status == nil || status == 503)
            try await eventually("the connection has left") {
                (try? await server.publicClient.get("/v1/client-config").status) == 200
            }
        }
    }

    @Test("C7: a client that never reads is cut") func unreadOutput() async throws {
        let limits = stubs {
            $0.output = .milliseconds(100)
            $0.pipelined = 100
        }
        try await withServer(limits) { server in
            let request = "GET /v1/openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n"
            let client = try PlainSocket(port: server.publicClient.port, receiveBytes: 4096)
            try client.send(String(repeating: request, count: 100))
            try await eventually("the server has closed") { !client.isOpenAtServer }
        }
    }

    @Test("H4: a client that holds its connection does not hold up the shutdown") func shutdown() async throws {
        let limits = stubs { $0.drain = .milliseconds(100) }
        let clients = Mutex<[PlainSocket]>([])
        try await withServer(limits) { server in
            let port = server.publicClient.port
            let (head, body) = (try PlainSocket(port: port), try PlainSocket(port: port))
            try head.send("GET /v1/cl")
            try body.send(
                "POST /v1/devices HTTP/1.1\r\nHost: x\r\nIdempotency-Key: 0123456789abcdef\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            )
            #expect(try await server.publicClient.get("/v1/client-config").status == 200)
            clients.withLock { $0 = [head, body] }
            await server.shutDown()
        }
        #expect(clients.withLock { $0.allSatisfy { !$0.isOpenAtServer } })
    }

    @Test(
        "C10: a request with two readings is refused, and nothing after it is answered",
        arguments: [
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
            "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 5\r\nContent-Length: 5\r\n",
            "Content-Length: 5, 5\r\n", "Content-Length: +5\r\n", "Content-Length: -5\r\n", "Content-Length: 0x5\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding : chunked\r\n", "Content-Length : 5\r\n",
            "Transfer-Encoding:\u{b}chunked\r\n", " Content-Length: 5\r\n", "X: a\r\n folded\r\n", "X: a\nY: b\r\n",
            "X: a\rY: b\r\n", "X: a\u{0}b\r\n", "X y: a\r\n", ": a\r\n",
        ]
    )
    func smuggling(fields: String) async throws {
        try await withServer(stubs { _ in }) { server in
            let request =
                "GET /v1/client-config HTTP/1.1\r\nHost: x\r\n\(fields)\r\n0\r\n\r\n"
                + "GET /v1/matches HTTP/1.1\r\nHost: x\r\n\r\n"
            let answers = try await answers(1, to: request, server, hasBody: false)
            #expect(answers[0].status == 400 && answers[0]["Connection"] == "close")
        }
    }
}
