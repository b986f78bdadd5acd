// Conditional reads over a scripted network.

import Foundation
import Testing

@testable import ScoreClient

@Suite(.timeLimit(.minutes(1))) struct MatchReadsTests {
    private let rig = LiveRig()

    /// Reads a match, and answers the request.
    private func read(
        _ reads: MatchReads,
        _ match: String = "a",
        tag: String? = nil,
        rev: Int64 = 5
    ) async throws -> ClientRequest {
        async let detail = reads.read(MatchDetail.self, "/v1/matches/\(match)")
        let exchange = try await rig.next(.get, "/v1/matches/\(match)")
        let isKnown = tag != nil && exchange.request.headers["if-none-match"] == tag
        exchange.answer(
            isKnown ? 304 : 200,
            isKnown ? "" : SampleMatch.detail(rev),
            headers: tag.map { ["etag": $0] } ?? [:]
        )
        let read = try await detail
        #expect(read.rev == rev)
        return exchange.request
    }

    @Test func anUnchangedMatchIsDecodedFromTheKeptBody() async throws {
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        #expect(try await read(reads, tag: "\"1\"").headers["if-none-match"] == nil)
        #expect(try await read(reads, tag: "\"1\"").headers["if-none-match"] == "\"1\"")
        #expect(try await read(reads, tag: "\"2\"", rev: 6).headers["if-none-match"] == "\"1\"")
        #expect(try await read(reads, tag: "\"2\"", rev: 6).headers["if-none-match"] == "\"2\"")
    }

    @Test func anAnswerWithoutATagIsNotKept() async throws {
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        _ = try await read(reads, tag: "\"1\"")
        _ = try await read(reads)
        #expect(try await read(reads).headers["if-none-match"] == nil)
    }

    @Test func theLeastRecentlyUsedBodyIsDropped() async throws {
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        _ = try await read(reads, "first", tag: "\"1\"")
        _ = try await read(reads, "second", tag: "\"1\"")
        _ = try await read(reads, "first", tag: "\"1\"")
        for number in 1..<ClientLimits.keptRepresentations {
            _ = try await read(reads, "m\(number)", tag: "\"1\"")
        }
        #expect(try await read(reads, "first", tag: "\"1\"").headers["if-none-match"] != nil)
        #expect(try await read(reads, "second", tag: "\"1\"").headers["if-none-match"] == nil)
    }

    @Test func aBodyThatIsDroppedDuringItsReadIsStillUsed() async throws {
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        _ = try await read(reads, "first", tag: "\"1\"")
        async let detail = reads.read(MatchDetail.self, "/v1/matches/first")
        let exchange = try await rig.next(.get, "/v1/matches/first")
        for number in 0...ClientLimits.keptRepresentations {
            _ = try await read(reads, "m\(number)", tag: "\"1\"")
        }
        exchange.answer(304, "")
        let read = try await detail
        #expect(read.rev == 5)
    }

    @Test func statusesBecomeErrorsWithAdvice() async throws {
        let cases: [(Int, ClientError, ClientError.Advice)] = [
            (401, .unauthenticated, .none), (404, .notFound, .removeMatch), (410, .matchRemoved, .removeMatch),
            (429, .busy(retryAfterSeconds: 9), .retry), (503, .busy(retryAfterSeconds: 9), .retry),
            (400, .refused(status: 400, slug: "bad"), .report), (200, .unreadable, .report),
        ]
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        for (status, error, advice) in cases {
            async let result = reads.poll("a")
            try await rig.next(.get, "/v1/matches/a")
                .answer(status, #"{"type":"/v1/problems/bad"}"#, headers: ["retry-after": "9"])
            let failure = await result
            #expect(failure == .failure(error))
            #expect(error.advice == advice)
        }
    }

    @Test(arguments: [true, false]) func aReadEndsAtItsDeadline(isPoll: Bool) async throws {
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        let limit = isPoll ? ClientLimits.pollTime : ClientLimits.readTime
        let result = Task { () async -> Result<MatchDetail, ClientError> in
            if isPoll { return await reads.poll("a") }
            do throws(ClientError) {
                return .success(try await reads.read(MatchDetail.self, "/v1/matches/a"))
            } catch {
                return .failure(error)
            }
        }
        let exchange = try await rig.next(.get, "/v1/matches/a")
        try await rig.clock.hasWaiter(within: limit, atLeast: limit)
        rig.clock.advance(by: limit)
        try await exchange.cancellation()
        #expect(await result.value == .failure(.offline))
    }

    @Test func aCancelledReadEndsItsRequest() async throws {
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        let result = Task { await reads.poll("a") }
        let exchange = try await rig.next(.get, "/v1/matches/a")
        result.cancel()
        try await exchange.cancellation()
        #expect(await result.value == .failure(.cancelled))
    }

    /// Reads a match and opens a stream; both requests, unanswered.
    private func readAndOpen() async throws -> (reading: ScriptedTransport.Exchange, stream: ScriptedTransport.Exchange)
    {
        let read = Task { try await rig.client.match("a") }
        let reading = try await rig.next(.get, "/v1/matches/a")
        read.cancel()
        let watch = Task { for try await _ in try await rig.client.live(["a"]) {} }
        let stream = try await rig.next(.get, "/v1/matches/a/stream")
        watch.cancel()
        return (reading, stream)
    }

    @Test func readsAndStreamsCarryTheCredentialOfTheDevice() async throws {
        let running = try await rig.register()
        defer { running.cancel() }
        let (reading, stream) = try await readAndOpen()
        #expect(reading.request.headers["authorization"] == "Bearer ssd1.a")
        #expect(stream.request.headers["authorization"] == "Bearer ssd1.a")
    }

    @Test(arguments: [401, 403]) func aRefusedCredentialIsNotSentAgain(status: Int) async throws {
        let running = try await rig.register()
        defer { running.cancel() }
        async let detail = rig.client.match("a")
        let refused = try await rig.next(.get, "/v1/matches/a")
        #expect(refused.request.headers["authorization"] == "Bearer ssd1.a")
        refused.answer(status)
        let repeated = try await rig.next(.get, "/v1/matches/a")
        #expect(repeated.request.headers["authorization"] == nil)
        repeated.answer(200, SampleMatch.detail(5))
        #expect(try await detail.rev == 5)
        let (reading, stream) = try await readAndOpen()
        #expect(reading.request.headers["authorization"] == nil)
        #expect(stream.request.headers["authorization"] == nil)
        // The next credential is a new one.
        await rig.client.rotateCredential()
        try await rig.next(.post, "/v1/devices/me/credential/rotate").answer(200, #"{"credential":"ssd1.b"}"#)
        await rig.client.follow("m1")
        _ = try await rig.next(.put, "/v1/devices/me/follows/m1")
        let later = try await readAndOpen()
        #expect(later.reading.request.headers["authorization"] == "Bearer ssd1.b")
    }

    @Test func aStreamWhoseCredentialIsRefusedIsOpenedWithoutIt() async throws {
        let running = try await rig.register()
        defer { running.cancel() }
        let watch = Task { for try await _ in try await rig.client.live(["a"]) {} }
        defer { watch.cancel() }
        let closed = ScriptedStream()
        let refused = try await rig.next(.get, "/v1/matches/a/stream")
        #expect(refused.request.headers["authorization"] == "Bearer ssd1.a")
        refused.open(401, closed)
        let repeated = try await rig.next(.get, "/v1/matches/a/stream")
        #expect(repeated.request.headers["authorization"] == nil)
        try await closed.closed.next()
    }
}
