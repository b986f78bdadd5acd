// A server that answers with a test's closure.

import HTTP2

/// Calls a closure for each request.
final class ClosureDelegate: ServerDelegate {
    private let body: (borrowing ServerRequest) -> Void

    init(_ body: @escaping (borrowing ServerRequest) -> Void) { self.body = body }

    func server(didReceive request: borrowing ServerRequest) { body(request) }
}

/// A server on 127.0.0.1 with its own identity.
struct TestServer: Sendable {
    let server: Server
    let identity: TLSIdentity

    init(
        on loop: EventLoop,
        change: (inout HTTP2ServerConfiguration) -> Void,
        answer: @escaping @Sendable (borrowing ServerRequest) -> Void
    ) async throws {
        identity = try TLSIdentity.selfSigned(commonName: "test", addresses: ["127.0.0.1", "localhost"])
        var configuration = HTTP2ServerConfiguration(identity: identity)
        change(&configuration)
        server = try await Server.start(configuration, on: loop) { _ in ClosureDelegate(answer) }
    }

    init(
        on loop: EventLoop,
        answer: @escaping @Sendable (borrowing ServerRequest) -> Void = TestServer.echo
    ) async throws {
        try await self.init(on: loop, change: { _ in }, answer: answer)
    }

    /// Answers 200 with the request's apns-id and body.
    static let echo: @Sendable (borrowing ServerRequest) -> Void = { request in
        let body = request.body.isEmpty ? nil : BodyBytes(request.body)
        let extra = request.header("apns-id").map { ExtraHeader("apns-id", $0) }
        request.stream.respond(status: request.isBodyTruncated ? 413 : 200, extra: extra, body: body)
    }

    var client: ClientConfiguration {
        let tls = TLSClientConfiguration(trust: .certificates(pem: identity.certificatePEM), serverName: "127.0.0.1")
        return ClientConfiguration(host: "127.0.0.1", port: server.port, tls: tls)
    }
}
