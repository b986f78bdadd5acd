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
}
