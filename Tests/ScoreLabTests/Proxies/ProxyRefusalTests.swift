// A node that refuses requests on purpose stays in use behind the proxies; one address has a limit of connections.

import Foundation
import TestSupport
import Testing

@testable import ScoreLab

@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: Proxy.areInstalled, "SKIPPED: nginx-light, haproxy or curl is not installed, so deploy/ is not tested")
)
struct ProxyRefusalTests {
    /// More than twice the three failures after which nginx would take a node out.
    private static let refusals = 12

    private static let answer = ScriptedServer.reply(headers: ["Cache-Control": "no-store"], body: Array("{}".utf8))

    /// The answer of a node that refuses a request.
    private static func refusal(_ cause: String) -> [UInt8] {
        let body = Array(#"{"status":503,"cause":"\#(cause)"}"#.utf8)
        return ScriptedServer.reply(status: 503, headers: ["Cache-Control": "no-store"], body: body)
    }

    @Test func switchedOffStreamsLeaveNodesInUse() async throws {
        let server = try ProxiedServer(.nginx, isTLS: false)
        defer { server.remove() }
        try await server.start(feedSpeed: 60, isTwice: true)
        try await eventually("the match is in play") {
            try server.direct("/v1/matches/1").contains(#""status":"live""#)
        }
        try await server.switchOff("streams")
        for _ in 1...Self.refusals {
            let answer = try server.get("/v1/matches/1/stream")
            #expect(answer.status == 503 && answer.body.contains(#""cause":"streams-off""#), "\(answer.body)")
        }
        let read = try server.get("/v1/problems/not-found")
        #expect(read.status == 200, "\(read.body)")
        #expect(try server.received("/v1/problems/{slug}") == 1, "no cache has answered")
        let call = try server.get("/v1/devices/me")
        #expect(call.status == 401, "\(call.body)")
        #expect(try server.received("/v1/devices/me") == 1)
        try await server.stop()
    }

    @Test(arguments: Proxy.allCases) func refusedWritesLeaveNodesInUse(proxy: Proxy) async throws {
        let nodes = try (1...(proxy == .nginx ? 2 : 1)).map { _ in
            try ScriptedServer { request, write in write(request.method == "PUT" ? Self.refusal("db") : Self.answer) }
        }
        let gate = try await ProxiedNodes(proxy, nodes)
        defer { gate.remove() }
        for number in 1...Self.refusals {
            let answer = try gate.get("/v1/devices/me/follows/\(number)", ["-X", "PUT", "-d", "{}"])
            #expect(answer.status == 503 && answer.body.contains(#""cause":"db""#), "\(answer.body)")
        }
        let writes = nodes.flatMap(\.requests).filter { $0.method == "PUT" }
        #expect(writes.count == Self.refusals, "each write reaches one node")
        for path in ["/v1/matches", "/v1/devices/me"] {
            let answer = try gate.get(path)
            #expect(answer.status == 200, "\(path): \(answer.body)")
        }
        try await gate.stop()
    }

    @Test func aDrainedNodeRefusesStreamsAndAnswersCalls() async throws {
        let drained = try ScriptedServer { request, write in
            write(request.path.hasSuffix("/stream") ? Self.refusal("draining") : Self.answer)
        }
        let other = try ScriptedServer { _, write in write(Self.answer) }
        let gate = try await ProxiedNodes(.nginx, [drained, other])
        defer { gate.remove() }
        for _ in 1...Self.refusals {
            let answer = try gate.get("/v1/matches/1/stream")
            #expect(answer.status == 200, "the other node takes the stream: \(answer.body)")
        }
        let refused = drained.requests.filter { $0.path.hasSuffix("/stream") }
        #expect(refused.count > 3, "its refusals do not count as failures")
        for _ in 1...4 { #expect(try gate.get("/v1/devices/me").status == 200) }
        #expect(drained.requests.contains { $0.path == "/v1/devices/me" })
        try await gate.stop()
    }

    @Test func nodesThatAreNotReadyStillAnswerReads() async throws {
        let node = try ScriptedServer { request, write in
            write(request.path == "/readyz" ? Self.refusal("db") : Self.answer)
        }
        let gate = try await ProxiedNodes(.haproxy, [node])
        defer { gate.remove() }
        // HAProxy takes a node out after three failed checks, in each of three backends.
        await node.received(12) { $0.path == "/readyz" }
        try await eventually("no node takes calls of devices") {
            try gate.get("/v1/devices/me").body.contains(#""cause":"gateway""#)
        }
        for path in ["/v1/matches", "/v1/matches/1/stream", "/v1/stream?matches=1"] {
            let answer = try gate.get(path)
            #expect(answer.status == 200, "\(path): \(answer.body)")
        }
        try await gate.stop()
    }

    @Test func connectionsOfOneAddressAreLimited() async throws {
        let node = try ScriptedServer { _, write in write(Self.answer) }
        let gate = try await ProxiedNodes(.haproxy, [node], edits: ["sc0_conn_cur gt 4000": "sc0_conn_cur gt 8"])
        defer { gate.remove() }
        var idle: [Int32] = []
        defer { for connection in idle { close(connection) } }
        for _ in 1...12 { idle.append(try RawExchange.open(gate.port)) }
        #expect(throws: MeasurementFailure.self) { try gate.get("/v1/devices/me") }
        let another = try gate.get("/v1/devices/me", ["--interface", "127.0.0.2"])
        #expect(another.status == 200, "another address has its own limit")
        while let connection = idle.popLast() { close(connection) }
        try await eventually("closed connections do not count") {
            (try? gate.get("/v1/devices/me"))?.status == 200
        }
        try await gate.stop()
    }
}
