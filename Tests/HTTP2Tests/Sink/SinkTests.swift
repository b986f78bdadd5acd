// A sink serves a real client, and cuts clients that misbehave.

import ScoreTypes
import Testing

@testable import HTTP2

@Suite(.timeLimit(.minutes(1)))
struct SinkTests {
    @Test func requestsMayExceedTheWindows() async throws {
        let fixture = try await SinkFixture { $0.connectionWindow = 70_000 }
        let client = await TestClient(fixture.client, on: fixture.loop)
        let body = BodyBytes([UInt8](repeating: 1, count: 30_000))
        client.send((1...20).map { TestRequest(tag: $0, body: body) })
        let record = await client.observed.wait { $0.outcomes == 20 || $0.end != nil }
        #expect(record.answers.values.count { $0.status == 200 && $0.body.isEmpty } == 20)
        #expect(record.peerLimits.last == 1000)
        #expect(fixture.counter.count == 20)
        await fixture.stop()
    }

    @Test func aClientOfAnotherProtocolIsClosed() async throws {
        let fixture = try await SinkFixture()
        let isCut = try await fixture.isCut { Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8) }
        #expect(isCut)
        await fixture.stop()
    }

    @Test("a client that never reads is cut, and its pending responses are freed")
    func aClientThatDoesNotReadIsClosed() async throws {
        let fixture = try await SinkFixture()
        let pings = (0..<3600).flatMap { _ in Frame(6, Array(1...8)).bytes }
        let isFirst = Observed(true)
        let isCut = try await fixture.isCut {
            defer { isFirst.update { $0 = false } }
            return isFirst.now ? FrameScan.preface + pings : pings
        }
        #expect(isCut)
        await fixture.stop()
    }
}

/// A running sink and its address.
private struct SinkFixture {
    /// More than the sink and both kernels' buffers hold, in bytes.
    private static let patience = 64 * 1_048_576

    let loop = EventLoop(name: "sink")
    let counter = RequestCounter()
    let identity: TLSIdentity
    let server: Server

    init(change: (inout HTTP2ServerConfiguration) -> Void = { _ in }) async throws {
        identity = try TLSIdentity.selfSigned(commonName: "sink", addresses: ["127.0.0.1"])
        var configuration = HTTP2ServerConfiguration(identity: identity)
        change(&configuration)
        server = try await Server.startSink(configuration, on: loop, counter: counter)
    }

    var client: ClientConfiguration {
        let tls = TLSClientConfiguration(trust: .certificates(pem: identity.certificatePEM), serverName: "127.0.0.1")
        return ClientConfiguration(host: "127.0.0.1", port: server.port, tls: tls)
    }

    func stop() async {
        await server.stop()
        loop.stop()
    }

    /// Sends the same bytes repeatedly and never reads; returns whether the sink has cut the connection.
    func isCut(saying words: @escaping @Sendable () -> [UInt8]) async throws -> Bool {
        let (port, pem) = (server.port, identity.certificatePEM)
        return try await withCheckedThrowingContinuation { continuation in
            OwnedThread.start(name: "rude-client") {
                continuation.resume(
                    with: Result {
                        let client = try RawClient(port: port, trusting: pem)
                        var said = 0
                        while said < Self.patience {
                            let bytes = words()
                            guard try client.send(bytes) else { return true }
                            said += bytes.count
                        }
                        return false
                    }
                )
            }
        }
    }
}
