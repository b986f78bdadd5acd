// A plain HTTP/1.1 client over a real socket, since the tests check the bytes on the wire.

import Foundation
import MatchJournal
import NIOCore
import NIOPosix
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

/// An answer as received.
struct WireAnswer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }
    subscript(header: String) -> String? { headers[header.lowercased()] }

    /// The slug of a problem.
    var problem: String? {
        guard case .text(let type)? = json["type"] else { return nil }
        return type.split(separator: "/").last.map { String($0) }
    }
}

enum WireError: Error { case closed, malformed, late }

/// Sends requests to one port of this machine.
struct WireClient: Sendable {
    let port: Int
    /// The client's own address in 127.0.0.0/8, for which the server counts its quotas; nil for the usual one.
    var source: String?
    /// The longest wait for an answer.
    static let deadline: Duration = .seconds(20)

    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> WireAnswer {
        try await send("GET", path, headers)
    }

    func send(
        _ method: String,
        _ path: String,
        _ headers: [String: String] = [:],
        json: String? = nil
    ) async throws -> WireAnswer {
        var headers = headers
        if json != nil && headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        return try await send(method, path, headers, body: Array((json ?? "").utf8))
    }

    /// Sends bytes, which need not be text.
    func send(
        _ method: String,
        _ path: String,
        _ headers: [String: String],
        body: [UInt8]
    ) async throws -> WireAnswer {
        let head = Self.head(method, path, headers, bodyBytes: body.count, close: true)
        let answer = try await withStream(Array(head.utf8) + body) {
            try await $0.answer(hasBody: method != "HEAD")
        }
        ContractChecker.check(method, path, answer)
        return answer
    }

    /// Opens a connection, sends a request and passes the bytes on as they arrive.
    ///
    /// The request leaves from the event loop: the threads of tasks may be busy for longer than a server waits for it.
    func withStream<Result: Sendable>(
        _ request: [UInt8],
        _ body: @escaping @Sendable (inout WireStream) async throws -> Result
    ) async throws -> Result {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.so_rcvbuf), value: 8 * 1024)
        if let source { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: source, port: 0)) }
        let channel =
            try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RequestAtOnce(request: ByteBuffer(bytes: request)))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await Deadline.run(Self.deadline, ServiceProblem(.requestTimeout)) {
            try await channel.executeThenClose { inbound, _ in
                var stream = WireStream(bytes: inbound.makeAsyncIterator(), request: request)
                return try await body(&stream)
            }
        }
    }

    /// A port of 127.0.0.1 that is free, and that the system chooses for no other listener and no connection.
    static func freePort() async throws -> Int {
        while true {
            let port = Int.random(in: 20_000..<32_000)
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            guard let channel = try? await bootstrap.bind(host: "127.0.0.1", port: port).get() else { continue }
            try await channel.close()
            return port
        }
    }

    static func head(
        _ method: String,
        _ path: String,
        _ headers: [String: String],
        bodyBytes: Int,
        close: Bool
    ) -> String {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
        if bodyBytes > 0 { text += "Content-Length: \(bodyBytes)\r\n" }
        if close { text += "Connection: close\r\n" }
        return text + "\r\n"
    }
}

/// Sends the bytes as soon as the connection is open.
private final class RequestAtOnce: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: ByteBuffer

    init(request: ByteBuffer) { self.request = request }

    func channelActive(context: ChannelHandlerContext) {
        if request.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(request), promise: nil) }
        context.fireChannelActive()
    }
}
