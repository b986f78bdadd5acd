// The transport over URLSession against a server on 127.0.0.1: whole answers, streams, failures, cancellation.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite(.timeLimit(.minutes(3))) struct URLSessionTransportTests {
    private static let streamHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func transport(
        _ handle: @escaping @Sendable (LocalServer.Connection) -> Void
    ) throws -> (LocalServer, URLSessionTransport) {
        let server = try LocalServer(handle)
        return (server, URLSessionTransport(base: try #require(server.url)))
    }

    /// Reads until a text is complete.
    private static func read(_ body: any ByteStream, until text: String) async throws -> String {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).hasSuffix(text) {
            bytes += try #require(try await body.next())
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aRequestArrivesAsItIs() async throws {
        let received = Locked<[String]>([])
        let (server, transport) = try Self.transport { connection in
            received.with { $0 = [connection.head, connection.body] }
            connection.answer("409 Conflict", ["Retry-After: 7"], "{}")
        }
        let request = ClientRequest(
            .put,
            "/v1/devices/me/follows/a%2Fb",
            query: [URLQueryItem(name: "clientSeq", value: "5"), URLQueryItem(name: "reason", value: "a b&c")],
            headers: ["authorization": "Bearer x", "content-type": "application/json"],
            body: Data("{\"a\":1}".utf8)
        )
        let response = try await transport.send(request)
        #expect(response.status == 409)
        #expect(response.headers["retry-after"] == "7")
        #expect(response.body == Data("{}".utf8))
        let (head, body) = received.with { ($0[0], $0[1]) }
        #expect(head.hasPrefix("PUT /v1/devices/me/follows/a%2Fb?clientSeq=5&reason=a%20b%26c HTTP/1.1\r\n"))
        #expect(head.lowercased().contains("authorization: bearer x\r\n"))
        #expect(body == "{\"a\":1}")
        withExtendedLifetime(server) {}
    }

    @Test func partsOfAStreamArriveBeforeItsEnd() async throws {
        let isRead = DispatchSemaphore(value: 0)
        let (server, transport) = try Self.transport { connection in
            connection.write(Self.streamHead)
            // Some versions of URLSession hold the first 512 bytes; the server sends padding, too.
            connection.writeChunk(":" + String(repeating: " ", count: 2048) + "\n")
            connection.writeChunk("data: 1\n\n")
            isRead.wait()
            connection.writeChunk("data: 2\n\n")
            isRead.wait()
            connection.write("0\r\n\r\n")
        }
        let response = try await transport.open(ClientRequest(.get, "/v1/stream"))
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/event-stream")
        _ = try await Self.read(response.body, until: "data: 1\n\n")
        isRead.signal()
        #expect(try await Self.read(response.body, until: "data: 2\n\n") == "data: 2\n\n")
        isRead.signal()
        #expect(try await response.body.next() == nil)
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [false, true]) func closingAStreamClosesTheConnection(byTask: Bool) async throws {
        let ended = WaitingQueue<Void>()
        let (server, transport) = try Self.transport { connection in
            connection.write(Self.streamHead)
            connection.writeChunk("data: 1\n\n")
            connection.waitForEnd()
            ended.put(())
        }
        let response = try await transport.open(ClientRequest(.get, "/v1/stream"))
        let reading = Task { () async -> TransportError? in
            do throws(TransportError) {
                while try await response.body.next() != nil {}
                return nil
            } catch {
                return error
            }
        }
        if byTask { reading.cancel() } else { response.body.cancel() }
        try await ended.next()
        #expect(await reading.value == .cancelled)
        withExtendedLifetime(server) {}
    }

    @Test func aCutAnswerIsInterrupted() async throws {
        let (server, transport) = try Self.transport { connection in
            connection.answer("200 OK", [], "{", length: 100)
        }
        await #expect(throws: TransportError.interrupted) { try await transport.send(ClientRequest(.get, "/")) }
        withExtendedLifetime(server) {}
    }

    @Test func aServerThatIsNotThereIsOffline() async throws {
        var server: LocalServer? = try LocalServer { _ in }
        let url = try #require(server?.url)
        server = nil
        let transport = URLSessionTransport(base: url)
        await #expect(throws: TransportError.offline) { try await transport.send(ClientRequest(.get, "/")) }
    }

    @Test func aRedirectIsNotFollowed() async throws {
        let requests = Locked(0)
        let (server, transport) = try Self.transport { connection in
            requests.with { $0 += 1 }
            connection.answer("307 Temporary Redirect", ["Location: /other"])
        }
        let response = try await transport.send(ClientRequest(.get, "/"))
        #expect(response.status == 307)
        #expect(requests.with { $0 } == 1)
        withExtendedLifetime(server) {}
    }

    @Test func aLargeAnswerIsRefused() async throws {
        let (server, transport) = try Self.transport { connection in
            connection.answer("200 OK", length: ClientLimits.answerBytes * 2)
            let part = String(repeating: "x", count: 65_536)
            while connection.write(part) {}
        }
        await #expect(throws: TransportError.tooLarge) { try await transport.send(ClientRequest(.get, "/")) }
        withExtendedLifetime(server) {}
    }

    @Test func aLiveStreamRunsOverAnInterruptedConnection() async throws {
        let connections = Locked(0)
        let heads = WaitingQueue<String>()
        let (server, transport) = try Self.transport { connection in
            heads.put(connection.head.lowercased())
            let number = connections.with { count in
                count += 1
                return count
            }
            connection.write(Self.streamHead)
            connection.writeChunk(SampleMatch.hello + SampleMatch.event(Int64(number)))
            guard number == 2 else { return }
            connection.writeChunk("event: end\ndata: {\"matchId\":\"a\"}\nid: e.3\n\n")
            connection.waitForEnd()
        }
        let clock = ManualClock()
        let live = LiveMatches(
            matches: ["a"],
            settings: ClientSettings(),
            reads: MatchReads(transport: transport, clock: clock),
            clock: clock,
            random: { SeededSource(1) }
        )
        var revisions: [Int64] = []
        for try await event in live {
            if case .state(let state) = event { revisions.append(state.display.rev) }
            if event == .connection(.waiting) { clock.advance(by: ClientLimits.firstWait) }
        }
        #expect(revisions == [1, 2])
        #expect(try await heads.next().contains("get /v1/matches/a/stream"))
        #expect(try await heads.next().contains("last-event-id: e.1\r\n"))
        withExtendedLifetime(server) {}
    }
}
