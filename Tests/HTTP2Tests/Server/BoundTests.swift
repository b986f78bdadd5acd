// The bounds of a server hold whatever a client sends.

import HTTP2
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BoundTests {
    @Test func aStreamWithTooLargeHeadersIsReset() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop, change: { $0.headersMax = 2000 }, answer: TestServer.echo)
        let client = await TestClient(server.client, on: loop)
        let long = "/" + String(repeating: "x", count: 3000)
        client.send([TestRequest(tag: 1, path: long), TestRequest(tag: 2)])
        let record = await client.observed.wait { $0.outcomes == 2 || $0.end != nil }
        #expect(record.failures == [1: .ambiguous])
        #expect(record.answers[2]?.status == 200)
        loop.stop()
    }

    @Test func connectionsAboveTheLimitAreClosed() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop, change: { $0.connectionsMax = 1 }, answer: TestServer.echo)
        let first = await TestClient(server.client, on: loop)
        await first.observed.wait { $0.isOpen }
        let second = await TestClient(server.client, on: loop)
        let record = await second.observed.wait { $0.end != nil || $0.isOpen }
        #expect(!record.isOpen)
        first.send([TestRequest(tag: 1)])
        #expect(await first.observed.wait { $0.outcomes == 1 }.answers.count == 1)
        loop.stop()
    }

    @Test func anIdleClientIsClosed() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(
            on: loop,
            change: { $0.idleTimeout = .milliseconds(50) },
            answer: TestServer.echo
        )
        let client = await TestClient(server.client, on: loop)
        let record = await client.observed.wait { $0.end != nil }
        #expect(record.isOpen)
        #expect(record.end == .goneAway(code: 0, debug: ""))
        loop.stop()
    }

    @Test func aKeyOfAnotherCertificateIsRefused() async throws {
        let loop = EventLoop(name: "test")
        let one = try TLSIdentity.selfSigned(commonName: "one", addresses: [])
        let other = try TLSIdentity.selfSigned(commonName: "other", addresses: [])
        let mixed = TLSIdentity(certificatePEM: one.certificatePEM, privateKeyPEM: other.privateKeyPEM)
        await #expect(throws: Server.StartFailure.self) {
            _ = try await Server.start(HTTP2ServerConfiguration(identity: mixed), on: loop) { _ in
                ClosureDelegate(TestServer.echo)
            }
        }
        #expect(!"\(mixed)".contains("PRIVATE"))
        #expect(throws: TLSFailure.self) { try TLSIdentity.selfSigned(commonName: "x", addresses: ["bad,IP:zz"]) }
        loop.stop()
    }

    @Test func eachRequestIsAnsweredOnce() async throws {
        let loop = EventLoop(name: "test")
        let seconds = Observed<[Bool]>([])
        let server = try await TestServer(on: loop) { request in
            let first = request.stream.respond(status: 201)
            let second = request.stream.respond(status: 200)
            seconds.update { $0 = [first, second] }
        }
        let client = await TestClient(server.client, on: loop)
        client.send([TestRequest(tag: 1)])
        let record = await client.observed.wait { $0.outcomes == 1 }
        #expect(record.answers[1]?.status == 201)
        #expect(seconds.now == [true, false])
        loop.stop()
    }
}
