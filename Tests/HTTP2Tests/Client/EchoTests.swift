// Requests over real TLS are answered once each, whatever the number of streams.

import HTTP2
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EchoTests {
    @Test func aRequestWithoutBodyIsAnswered() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop)
        let client = await TestClient(server.client, on: loop)
        client.send([TestRequest(tag: 7)])
        let record = await client.observed.wait { $0.outcomes == 1 || $0.end != nil }
        #expect(record.end == nil)
        #expect(record.answers == [7: .init(status: 200, apnsID: "id-7", body: [])])
        loop.stop()
    }

    @Test func aThousandConcurrentRequestsAreAnswered() async throws {
        let serverLoop = EventLoop(name: "server")
        let clientLoop = EventLoop(name: "client")
        let server = try await TestServer(on: serverLoop)
        let client = await TestClient(server.client, on: clientLoop)
        let body = BodyBytes((0..<900).map { UInt8(truncatingIfNeeded: $0) })
        let count: UInt64 = 5000
        client.send((0..<count).map { TestRequest(tag: $0, body: body) })
        let record = await client.observed.wait { $0.outcomes == Int(count) || $0.end != nil }
        #expect(record.end == nil)
        #expect(record.failures.isEmpty)
        #expect(record.answers.count == Int(count))
        #expect(record.openStreamsMax == 1000)
        for tag in 0..<count {
            let expected = ClientRecord.Answer(status: 200, apnsID: "id-\(tag)", body: [UInt8](body.bytes))
            guard record.answers[tag] != expected else { continue }
            Issue.record("request \(tag) got another answer")
            break
        }
        clientLoop.stop()
        serverLoop.stop()
    }

    @Test func bodiesMayExceedEveryWindow() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop) { configuration in
            configuration.bodyMax = 2_000_000
        } answer: { request in
            let sum = request.body.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
            request.stream.respond(status: 200, body: BodyBytes(Array(String(sum).utf8)))
        }
        let client = await TestClient(server.client, on: loop)
        let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        client.send([TestRequest(tag: 1, body: BodyBytes(bytes))])
        let record = await client.observed.wait { $0.outcomes == 1 || $0.end != nil }
        let sum = bytes.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
        #expect(record.answers[1]?.body == Array(String(sum).utf8))
        loop.stop()
    }

    @Test func aTooLongBodyIsTruncatedAndTheConnectionContinues() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop, change: { $0.bodyMax = 100 }, answer: TestServer.echo)
        let client = await TestClient(server.client, on: loop)
        client.send([
            TestRequest(tag: 1, body: BodyBytes([UInt8](repeating: 1, count: 200_000))),
            TestRequest(tag: 2, body: BodyBytes([UInt8](repeating: 2, count: 100))),
        ])
        let record = await client.observed.wait { $0.outcomes == 2 || $0.end != nil }
        #expect(record.answers[1]?.status == 413)
        #expect(record.answers[1]?.body.count == 100)
        #expect(record.answers[2]?.status == 200)
        loop.stop()
    }
}
