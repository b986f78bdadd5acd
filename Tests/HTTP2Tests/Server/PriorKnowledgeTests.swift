// APNs serves HTTP/2 to a client without ALPN, as aioapns is one, and nothing else to anybody.

import ScoreTypes
import Testing

@testable import HTTP2

@Suite(.timeLimit(.minutes(1)))
struct PriorKnowledgeTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let emptySettings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    /// HEADERS of stream 1, the whole request: GET, https, path /, authority x.
    private static let request: [UInt8] = [0, 0, 6, 1, 5, 0, 0, 0, 1, 0x82, 0x87, 0x84, 0x41, 0x01, 0x78]

    /// The bytes that a server sends to a client that offers protocols and sends bytes.
    private func answer(
        to bytes: [UInt8],
        offering protocols: [UInt8]?,
        until isEnough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
    ) async throws -> [UInt8] {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop)
        let (port, pem) = (server.server.port, server.identity.certificatePEM)
        let result: Result<[UInt8], any Error> = await withCheckedContinuation { continuation in
            OwnedThread.start(name: "raw-client") {
                continuation.resume(
                    returning: Result {
                        let client = try RawClient(port: port, trusting: pem, offering: protocols)
                        _ = try client.send(bytes)
                        return client.read(until: isEnough)
                    }
                )
            }
        }
        await server.server.stop()
        loop.stop()
        return try result.get()
    }

    @Test(arguments: [nil, RawClient.http2])
    func http2IsServedWithAndWithoutALPN(protocols: [UInt8]?) async throws {
        let isAnswered: @Sendable ([UInt8]) -> Bool = { bytes in
            SeenFrame.all(in: bytes).contains { $0.type == 1 && $0.stream == 1 }
        }
        let bytes = try await answer(
            to: Self.preface + Self.emptySettings + Self.request,
            offering: protocols,
            until: isAnswered
        )
        #expect(SeenFrame.all(in: bytes).first?.type == 4, "SETTINGS come first")
        #expect(isAnswered(bytes))
    }

    @Test func http1ByALPNIsRefusedInTheHandshake() async throws {
        await #expect(throws: TLSFailure.self) {
            _ = try await answer(to: [], offering: Array("\u{8}http/1.1".utf8))
        }
    }

    @Test(arguments: [nil, RawClient.http2])
    func anHTTP1RequestIsAnsweredWithGOAWAY(protocols: [UInt8]?) async throws {
        let bytes = try await answer(
            to: Array("POST /3/device/00 HTTP/1.1\r\nHost: api.push.apple.com\r\n\r\n".utf8),
            offering: protocols
        )
        let frames = SeenFrame.all(in: bytes)
        let goAway = try #require(frames.first { $0.type == 7 })
        #expect(goAway.payload[4...7].elementsEqual([0, 0, 0, 1]), "PROTOCOL_ERROR")
        #expect(!frames.contains { $0.type == 1 })
    }
}
