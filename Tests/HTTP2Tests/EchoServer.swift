// A real server on loopback whose behaviour each test scripts, and a client that writes down what it is told.

import HTTP2
import Synchronization
import Testing

/// Answers by a closure, on the loop's thread.
final class ScriptedServer: ServerDelegate {
    private let script: (ServerRequest) -> Void
    private let onOpen: (ServerConnection) -> Void

    init(onOpen: @escaping (ServerConnection) -> Void = { _ in }, script: @escaping (ServerRequest) -> Void) {
        self.script = script
        self.onOpen = onOpen
    }

    func server(didReceive request: ServerRequest) { script(request) }
    func server(didOpen connection: ServerConnection) { onOpen(connection) }
}

/// What a client was told.
enum ClientEvent: Sendable, Equatable {
    case opened(limit: Int)
    case capacity
    case answered(tag: UInt64, status: Int, body: String)
    case failed(tag: UInt64, StreamFailure)
    case closed(ConnectionEnd)
}

/// Sends `total` requests as the connection has room, and tells each event to a stream.
final class RecordingClient: ClientDelegate {
    private let total: UInt64
    private let emit: @Sendable (ClientEvent) -> Void
    private let template: HeaderTemplate
    private let body: SharedBytes
    private var next: UInt64 = 0
    private var connection: ClientConnection?
    private(set) var mostOpen = 0

    init(total: UInt64, emit: @escaping @Sendable (ClientEvent) -> Void) {
        self.total = total
        self.emit = emit
        body = SharedBytes(Array("hello".utf8))
        template = HeaderTemplate([
            .init(":method", "POST"), .init(":scheme", "https"), .init(":authority", "localhost"),
            .init("apns-topic", "com.example.app"),
        ])
    }

    func keep(_ connection: ClientConnection) { self.connection = connection }

    func connectionDidOpen(_ connection: ClientConnection) {
        emit(.opened(limit: connection.peerStreamLimit))
        send(on: connection)
    }

    func connectionHasCapacity(_ connection: ClientConnection) { send(on: connection) }

    private func send(on connection: ClientConnection) {
        while next < total {
            let path = Array("/echo/\(next)".utf8)
            let id = Array("id-\(next)".utf8)
            let accepted = path.withUnsafeBufferPointer { path in
                id.withUnsafeBufferPointer { id in
                    connection.submit(path: path, template: template, extra: ("apns-id", id), body: body, tag: next)
                }
            }
            guard accepted else { return }
            next += 1
            mostOpen = max(mostOpen, connection.openStreams)
        }
    }

    func connection(
        _ connection: ClientConnection,
        didAnswer tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    ) {
        emit(.answered(tag: tag, status: status, body: String(decoding: body, as: UTF8.self)))
    }

    func connection(_ connection: ClientConnection, didFail tag: UInt64, with failure: StreamFailure) {
        emit(.failed(tag: tag, failure))
    }

    func connectionDidClose(_ connection: ClientConnection, reason: ConnectionEnd) { emit(.closed(reason)) }
}

/// One server and one client on two loops.
struct EchoRig {
    let events: AsyncStream<ClientEvent>
    private let emit: AsyncStream<ClientEvent>.Continuation
    private let serverLoop = EventLoop(name: "test-server")
    private let clientLoop = EventLoop(name: "test-client")
    let identity: TLSIdentity
    let server: Server

    init(
        streams: Int = 1_000,
        onOpen: @escaping @Sendable (ServerConnection) -> Void = { _ in },
        script: @escaping @Sendable (ServerRequest) -> Void
    ) async throws {
        (events, emit) = AsyncStream.makeStream(of: ClientEvent.self)
        identity = try TLSIdentity.selfSigned(commonName: "test", addresses: ["127.0.0.1"])
        let configuration = ServerConfiguration(identity: identity, maxConcurrentStreams: streams)
        server = try await Server.start(configuration, on: serverLoop) { _ in
            ScriptedServer(onOpen: onOpen, script: script)
        }
    }

    /// Connects and sends; `change` may spoil the configuration.
    func connect(sending total: UInt64, change: (inout ClientConfiguration) -> Void = { _ in }) {
        var configuration = ClientConfiguration(
            host: "127.0.0.1",
            port: server.port,
            tls: TLSClientConfiguration(trust: .certificates(pem: identity.certificatePEM), serverName: "127.0.0.1")
        )
        change(&configuration)
        let configured = configuration
        let emit = emit
        clientLoop.execute { loop in
            let client = RecordingClient(total: total) { emit.yield($0) }
            // The connection holds its delegate weakly, so the delegate holds on to itself until the loop ends.
            loop.schedule(after: .seconds(600)) { _ = client }
            client.keep(ClientConnection.open(configured, in: loop, delegate: client))
        }
    }

    /// Events until one satisfies the condition, which is included.
    func events(until isLast: (ClientEvent) -> Bool) async -> [ClientEvent] {
        var seen: [ClientEvent] = []
        for await event in events {
            seen.append(event)
            if isLast(event) { break }
        }
        return seen
    }

    func stop() async {
        await server.stop()
        clientLoop.stop()
        serverLoop.stop()
    }
}
