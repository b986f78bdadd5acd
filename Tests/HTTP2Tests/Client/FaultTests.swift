// A request that the peer has not processed must never be confused with one that it may have processed.

import Glibc
import HTTP2
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FaultTests {
    @Test("A1: GOAWAY ends no request that the peer accepted, and refuses all others")
    func aGoAwayDistinguishesRefusedFromAnsweredRequests() async throws {
        let loop = EventLoop(name: "test")
        let held = UnansweredRequests()
        let server = try await TestServer(on: loop) { request in
            guard held.keep(request.stream, until: 20) else { return }
            held.connection?.goAway(lastStream: held.streams[9].id, debug: Array(#"{"reason":"Shutdown"}"#.utf8))
            for stream in held.streams[..<10] { stream.respond(status: 200) }
        }
        let client = await TestClient(server.client, on: loop)
        client.send((0..<20).map { TestRequest(tag: $0) })
        let record = await client.observed.wait { $0.end != nil }
        #expect(Set(record.answers.keys) == Set(0..<10))
        #expect(record.failures == Dictionary(uniqueKeysWithValues: (10..<20).map { ($0, .refused) }))
        #expect(record.end == .goneAway(code: 0, debug: #"{"reason":"Shutdown"}"#))
        loop.stop()
    }

    @Test("A2: requests above the last stream of a GOAWAY are refused, those below it are answered")
    func streamsAboveTheLastOneOfAGoAwayAreRefused() async throws {
        let loop = EventLoop(name: "test")
        let seen = UnansweredRequests()
        let server = try await TestServer(on: loop) { request in
            guard seen.keep(request.stream, until: 11) else { return TestServer.echo(request) }
            request.stream.connection.goAway(lastStream: request.stream.id - 2)
        }
        let client = await TestClient(server.client, on: loop)
        client.send((0..<200).map { TestRequest(tag: $0) })
        let record = await client.observed.wait { $0.end != nil }
        // All two hundred come in one piece; GOAWAY promises not to process those after the eleventh.
        #expect(record.answers.count == 10)
        #expect(record.failures.count == 190)
        #expect(record.failures.values.allSatisfy { $0 == .refused })
        let count = await withCheckedContinuation { continuation in
            loop.execute { _ in continuation.resume(returning: seen.streams.count) }
        }
        #expect(count == 11)
        loop.stop()
    }

    @Test("A3: REFUSED_STREAM means refused, CANCEL means unknown, and the connection stays")
    func resetCodesAreDistinguished() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop) { request in
            let path = String(decoding: request.path, as: UTF8.self)
            switch path {
            case "/refuse": request.stream.reset(code: 7)
            case "/cancel": request.stream.reset(code: 8)
            default: TestServer.echo(request)
            }
        }
        let client = await TestClient(server.client, on: loop)
        client.send([
            TestRequest(tag: 1, path: "/refuse"), TestRequest(tag: 2, path: "/cancel"), TestRequest(tag: 3),
        ])
        let record = await client.observed.wait { $0.outcomes == 3 || $0.end != nil }
        #expect(record.failures == [1: .refused, 2: .ambiguous])
        #expect(record.answers[3]?.status == 200)
        #expect(record.end == nil)
        loop.stop()
    }

    @Test("A3: a thousand refused streams are reported as refused, and the connection stays")
    func aThousandRefusalsAreReported() async throws {
        let loop = EventLoop(name: "test")
        let held = UnansweredRequests()
        let server = try await TestServer(on: loop) { request in
            guard held.isFull || held.keep(request.stream, until: 1000) else { return }
            guard !held.isFull else { return TestServer.echo(request) }
            held.isFull = true
            for stream in held.streams { stream.reset(code: 7) }
        }
        let client = await TestClient(server.client, on: loop)
        client.send((0..<1001).map { TestRequest(tag: $0) })
        let record = await client.observed.wait { $0.outcomes == 1001 || $0.end != nil }
        #expect(record.failures.values.allSatisfy { $0 == .refused })
        #expect(record.failures.count == 1000)
        #expect(record.answers[1000]?.status == 200)
        loop.stop()
    }

    @Test("A5: a request without a response times out and frees its stream")
    func aRequestWithoutAResponseTimesOut() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop) { request in
            if !request.path.elementsEqual("/silent".utf8) { TestServer.echo(request) }
        }
        var configuration = server.client
        configuration.requestTimeout = .seconds(4)
        configuration.streamsMax = 3
        let client = await TestClient(configuration, on: loop)
        client.send((0..<3).map { TestRequest(tag: $0, path: "/silent") } + [TestRequest(tag: 3)])
        let record = await client.observed.wait { $0.outcomes == 4 || $0.end != nil }
        #expect(record.failures == Dictionary(uniqueKeysWithValues: (0..<3).map { ($0, .timeout) }))
        #expect(record.answers[3]?.status == 200)
        loop.stop()
    }

    /// Each request fits into the window of its stream; together they exceed that of the connection.
    @Test("A16: requests end at their deadline when the peer grants no windows, and few bytes wait in memory")
    func requestsWithoutAWindowTimeOut() async throws {
        let loop = EventLoop(name: "test")
        let arrived = Observed(0)
        let server = try await TestServer(on: loop) { configuration in
            configuration.extendsWindows = false
            configuration.connectionWindow = 65_535
        } answer: { request in
            arrived.update { $0 += 1 }
            TestServer.echo(request)
        }
        var configuration = server.client
        configuration.requestTimeout = .seconds(2)
        let client = await TestClient(configuration, on: loop)
        let body = BodyBytes([UInt8](repeating: 1, count: 4_000))
        client.send((0..<200).map { TestRequest(tag: $0, body: body) })
        let record = await client.observed.wait { $0.outcomes == 200 || $0.end != nil }
        // Sixteen bodies fit into the window; every other request ends in time, and none twice.
        #expect(record.answers.count == 16 && arrived.now == 16, "\(record.answers.count)")
        #expect(record.failures.count == 184)
        #expect(record.failures.values.allSatisfy { $0 == .unsentTimeout || $0 == .refused })
        loop.stop()
    }

    @Test("A4: open requests of a lost connection have an unknown outcome")
    func openRequestsOfALostConnectionAreAmbiguous() async throws {
        let loop = EventLoop(name: "test")
        let held = UnansweredRequests()
        let server = try await TestServer(on: loop) { request in
            if held.keep(request.stream, until: 10) { held.connection?.abort() }
        }
        let client = await TestClient(server.client, on: loop)
        client.send((0..<10).map { TestRequest(tag: $0) })
        let record = await client.observed.wait { $0.end != nil }
        #expect(record.failures == Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, .ambiguous) }))
        guard case .lost = record.end else {
            Issue.record("expected .lost, got \(record)")
            return
        }
        loop.stop()
    }

    @Test func aRequestWhoseEndWasNotSentIsRefused() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop) { request in
            if request.path.elementsEqual("/cut".utf8) { request.stream.connection.abort() }
        }
        let client = await TestClient(server.client, on: loop)
        // Longer than the window of a stream, so that its end waits for WINDOW_UPDATE.
        let long = BodyBytes([UInt8](repeating: 1, count: 200_000))
        client.send([TestRequest(tag: 1, path: "/cut"), TestRequest(tag: 2, body: long)])
        let record = await client.observed.wait { $0.end != nil }
        #expect(record.failures == [1: .ambiguous, 2: .refused])
        loop.stop()
    }

    @Test func unsentRequestsAreRefused() async throws {
        let loop = EventLoop(name: "test")
        let arrived = Observed(0)
        let server = try await TestServer(on: loop) { _ in arrived.update { $0 += 1 } }
        let client = await TestClient(server.client, on: loop)
        await client.observed.wait { $0.isOpen }
        client.sendAndClose([TestRequest(tag: 1), TestRequest(tag: 2)])
        let record = await client.observed.wait { $0.end != nil }
        #expect(record.end == .closed)
        #expect(record.failures == [1: .refused, 2: .refused])
        #expect(arrived.now == 0)
        loop.stop()
    }

    @Test func aServerThatClosesIsReported() async throws {
        let serverLoop = EventLoop(name: "server")
        let clientLoop = EventLoop(name: "client")
        let arrived = Observed(0)
        let server = try await TestServer(on: serverLoop) { _ in arrived.update { $0 += 1 } }
        let client = await TestClient(server.client, on: clientLoop)
        client.send([TestRequest(tag: 1), TestRequest(tag: 2)])
        await arrived.wait { $0 == 2 }
        await server.server.stop()
        let record = await client.observed.wait { $0.end != nil }
        // The server read both before its GOAWAY, so neither may be repeated blindly.
        #expect(record.failures == [1: .ambiguous, 2: .ambiguous])
        #expect(record.end == .goneAway(code: 0, debug: ""))
        clientLoop.stop()
        serverLoop.stop()
    }

    @Test("A5: a connection whose peer answers no PING is closed")
    func aConnectionToASilentPeerIsClosed() async throws {
        let serverLoop = EventLoop(name: "server")
        let clientLoop = EventLoop(name: "client")
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let server = try await TestServer(on: serverLoop) { _ in
            // Blocks the server's whole loop: PING stays unanswered too.
            var byte: UInt8 = 0
            _ = read(reading, &byte, 1)
        }
        var configuration = server.client
        configuration.pingAfterSilence = .milliseconds(40)
        configuration.pingTimeout = .milliseconds(80)
        let client = await TestClient(configuration, on: clientLoop)
        client.send([TestRequest(tag: 1)])
        let record = await client.observed.wait { $0.end != nil }
        #expect(record.end == .silent)
        #expect(record.failures == [1: .ambiguous])
        _ = write(writing, "x", 1)
        clientLoop.stop()
        serverLoop.stop()
    }

    @Test("A18: an address that accepts a connection and sends nothing is given up in bounded time")
    func aSilentServerFailsTheConnection() async throws {
        // The kernel completes the TCP handshake although no process accepts the connection.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return }
            #expect(bind(listener, start, length) == 0)
            #expect(listen(listener, 8) == 0)
            getsockname(listener, start, &length)
        }
        let loop = EventLoop(name: "test")
        let tls = TLSClientConfiguration(serverName: "127.0.0.1")
        let port = UInt16(bigEndian: address.sin_port)
        var configuration = ClientConfiguration(host: "127.0.0.1", port: port, tls: tls)
        configuration.connectTimeout = .milliseconds(100)
        let client = await TestClient(configuration, on: loop)
        let record = await client.observed.wait { $0.end != nil }
        #expect(record.end == .connectTimeout)
        close(listener)
        loop.stop()
    }

    @Test func openStreamsAreDrained() async throws {
        let loop = EventLoop(name: "test")
        let held = UnansweredRequests()
        let arrived = Observed(false)
        let server = try await TestServer(on: loop) { request in
            if held.keep(request.stream, until: 2) { arrived.update { $0 = true } }
        }
        let client = await TestClient(server.client, on: loop)
        client.send([TestRequest(tag: 1), TestRequest(tag: 2)])
        await arrived.wait { $0 }
        client.withConnection { connection in
            connection.drain()
            #expect(connection.capacity == 0)
            for stream in held.streams { stream.respond(status: 200) }
        }
        let record = await client.observed.wait { $0.end != nil }
        #expect(record.answers.count == 2)
        #expect(record.end == .closed)
        loop.stop()
    }
}
