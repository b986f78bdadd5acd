// The client never exceeds the peer's stream limit: APNs punishes a connection that does.

import HTTP2
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LimitTests {
    @Test("A15: a limit of one stream is obeyed until it is raised")
    func aLimitOfOneStreamIsObeyedUntilItIsRaised() async throws {
        let loop = EventLoop(name: "test")
        let seen = Observed<[Int]>([])
        let server = try await TestServer(on: loop, change: { $0.maxConcurrentStreams = 1 }) { request in
            let connection = request.stream.connection
            seen.update { $0.append(connection.openStreams) }
            TestServer.echo(request)
            if seen.now.count == 20 { connection.setMaxConcurrentStreams(100) }
        }
        let client = await TestClient(server.client, on: loop)
        client.send((0..<500).map { TestRequest(tag: $0) })
        let record = await client.observed.wait { $0.outcomes == 500 || $0.end != nil }
        #expect(record.answers.count == 500)
        #expect(record.peerLimits == [1, 100])
        #expect(record.openStreamsMax == 100)
        #expect(seen.now.prefix(20).allSatisfy { $0 == 1 })
        #expect(seen.now.max() ?? 0 > 1)
        loop.stop()
    }

    @Test("A15: a falling limit of streams is obeyed") func aFallingLimitIsObeyed() async throws {
        let loop = EventLoop(name: "test")
        let seen = Observed<[Int]>([])
        let server = try await TestServer(on: loop, change: { $0.maxConcurrentStreams = 50 }) { request in
            let connection = request.stream.connection
            seen.update { $0.append(connection.openStreams) }
            if seen.now.count == 1 { connection.setMaxConcurrentStreams(2) }
            TestServer.echo(request)
        }
        let client = await TestClient(server.client, on: loop)
        client.send((0..<300).map { TestRequest(tag: $0) })
        let record = await client.observed.wait { $0.outcomes == 300 || $0.end != nil }
        // Requests already sent when the limit fell are refused; from then on the limit holds.
        #expect(record.answers.count >= 252)
        #expect(record.failures.values.allSatisfy { $0 == .refused })
        #expect(record.peerLimits == [50, 2])
        #expect(seen.now.dropFirst(50).allSatisfy { $0 <= 2 })
        loop.stop()
    }

    @Test func theClientLimitIsObeyed() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop)
        var configuration = server.client
        configuration.streamsMax = 3
        let client = await TestClient(configuration, on: loop)
        client.send((0..<30).map { TestRequest(tag: $0) })
        let record = await client.observed.wait { $0.outcomes == 30 || $0.end != nil }
        #expect(record.answers.count == 30)
        #expect(record.openStreamsMax == 3)
        loop.stop()
    }
}
