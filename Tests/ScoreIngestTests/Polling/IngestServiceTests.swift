// A feed from end to end over real connections, at the speed of a simulation.

import Foundation
import MatchEngine
import MatchSamples
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = CricsheetSample

@Suite(.timeLimit(.minutes(1))) struct IngestServiceTests {
    private static let feed = FeedID(unchecked: "test")
    private static let list = Array(#"{"matches":[{"id":"m1","state":"live"}]}"#.utf8)

    /// The match with so many balls bowled.
    private static func match(_ balls: Int, state: String = "live") -> [UInt8] {
        let over = Array(repeating: Sample.ball(1), count: balls)
        return Sample.document(innings: [Sample.innings(overs: [over])], live: #"{"state":"\#(state)"}"#)
    }

    private func service(
        _ server: ScriptedServer,
        mayPoll: @escaping @Sendable () -> Bool = { true },
        gained: @escaping @Sendable (FeedID) -> Void = { _ in },
        makeSink: @escaping @Sendable () async throws -> any ReplySink
    ) -> IngestService {
        IngestService(
            feeds: [
                FeedConfiguration(id: Self.feed, baseURL: server.url, adapter: CricsheetAdapter(), security: .local())
            ],
            driver: TransferDriver(name: "test-ingest"),
            clock: ServiceClock(speed: 10_000),
            mayPoll: { _ in mayPoll() },
            gained: gained,
            makeSink: { _, _ in try await makeSink() }
        )
    }

    /// Runs a service during a test's body.
    private func running(
        _ server: ScriptedServer,
        _ service: IngestService,
        _ body: () async throws -> Void
    ) async throws {
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        try await body()
    }

    /// Answers the list, and each request for the match by its number from 1; cuts the connection after some of them.
    private static func server(
        cutAfter: Set<Int> = [],
        _ answer: @escaping @Sendable (Int, ScriptedServer.Request) -> [UInt8]
    ) throws -> ScriptedServer {
        let count = Mutex(0)
        return try ScriptedServer { request, write in
            if request.path == "/matches" { return write(ScriptedServer.reply(body: list)) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return write(answer(number, request)) && !cutAfter.contains(number)
        }
    }

    @Test func newRepliesArePassedOnAndUnchangedOnesReported() async throws {
        let server = try Self.server { number, request in
            // Two equal replies with a tag, two without one, then a new ball.
            switch number {
            case 1: ScriptedServer.reply(headers: ["ETag": "\"1\""], body: Self.match(1))
            case 2 where request.headers["if-none-match"] == "\"1\"": ScriptedServer.reply(status: 304)
            case 3, 4: ScriptedServer.reply(body: Self.match(2))
            default: ScriptedServer.reply(body: Self.match(3))
            }
        }
        let sink = RecordingSink()
        let service = service(server) { sink }
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 1))
            #expect(await sink.next() == .unchanged)
            #expect(await sink.next() == .accepted(balls: 2))
            #expect(await sink.next() == .unchanged)
            #expect(await sink.next() == .accepted(balls: 3))
            let status = await service.status()
            #expect(status.map(\.feed) == [Self.feed] && status[0].activity == .polling)
            #expect(status[0].matches == [MatchID(unchecked: "m1")] && status[0].lastSuccess != nil)
            #expect(status[0].requests >= 6 && status[0].bytes > 0)
        }
    }

    @Test func eachAnswerReportsTheNextPoll() async throws {
        let server = try Self.server { number, _ in
            switch number {
            case 1: ScriptedServer.reply(body: Self.match(1))
            case 2, 3, 4: ScriptedServer.reply(status: 500)
            case 5: ScriptedServer.reply(body: Self.match(2))
            case 6: ScriptedServer.reply(body: Self.match(3))
            default: ScriptedServer.reply(status: 500)
            }
        }
        let sink = RecordingSink()
        let service = service(server) { sink }
        try await running(server, service) {
            for balls in 1...3 { #expect(await sink.next() == .accepted(balls: balls)) }
            let waits = await sink.waits
            // The third answer may still be in flight.
            #expect((2...3).contains(waits.count) && waits.allSatisfy { $0 == WaitKind.play.floor })
        }
    }

    @Test("F4: a truncated reply is refused and the next one is applied")
    func badRepliesAreRefused() async throws {
        let server = try Self.server(cutAfter: [6]) { number, _ in
            switch number {
            case 1: ScriptedServer.reply(body: Self.match(1))
            case 2: ScriptedServer.reply(body: Array("<html>".utf8))
            case 3: ScriptedServer.reply(body: Array(#"{"info":{"teams":7}}"#.utf8))
            case 4: ScriptedServer.reply(status: 500)
            case 5: ScriptedServer.reply(status: 404)
            case 6: ScriptedServer.reply(headers: ["Content-Length": "9999"], body: Self.match(9))
            default: ScriptedServer.reply(body: Self.match(2))
            }
        }
        let sink = RecordingSink()
        let service = service(server) { sink }
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 1))
            #expect(await sink.next() == .accepted(balls: 2))
            let status = await service.status()[0]
            #expect(status.unreadable == 2)
            #expect(status.lastFailureReason == "truncated")
        }
    }

    @Test func aHeldReplyIsRequestedInFull() async throws {
        let server = try Self.server { _, request in
            request.headers["if-none-match"] == nil
                ? ScriptedServer.reply(headers: ["ETag": "\"1\""], body: Self.match(1))
                : ScriptedServer.reply(status: 304)
        }
        let sink = RecordingSink { $0 == 1 ? .held(.massWithdrawal) : .unchanged }
        let service = service(server) { sink }
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 1))
            #expect(await sink.next() == .accepted(balls: 1))
            #expect(await sink.next() == .unchanged)
            #expect(await service.status()[0].notAccepted == 1)
        }
    }

    @Test func aPausedFeedIsNotPolledButItsMatchesTick() async throws {
        let server = try Self.server { number, _ in ScriptedServer.reply(body: Self.match(number % 6)) }
        let sink = RecordingSink(tickEvery: .milliseconds(10))
        let service = service(server) { sink }
        try await running(server, service) {
            _ = await sink.next()
            await service.setPaused(true, Self.feed)
            #expect(await service.status()[0].activity == .paused)
            // Requests in flight at the pause are completed.
            try await sink.ticks(3)
            try await eventually("all sent pushes have arrived") {
                await service.status()[0].requests == server.requests.count
            }
            let requested = server.requests.count
            // Longer than the answer about the duty is valid: the node that pauses a feed still ticks its matches.
            try await sink.ticks(100)
            #expect(server.requests.count == requested)
            await service.setPaused(false, Self.feed)
            try await eventually("it is polled again") { server.requests.count > requested }
        }
    }

    @Test func aNodeStartedDuringAPauseTakesTheDutyWithoutPolling() async throws {
        let server = try Self.server { _, _ in Self.match(1) }
        let gained = AsyncStream.makeStream(of: FeedID.self)
        let service = service(server, gained: { gained.continuation.yield($0) }) { RecordingSink() }
        await service.setPaused(true, Self.feed)
        try await running(server, service) {
            #expect(await gained.stream.first { _ in true } == Self.feed)
            #expect(server.requests.isEmpty)
            #expect(await service.status()[0].activity == .paused)
        }
    }

    @Test func onlyTheNodeWithTheDutyPolls() async throws {
        let server = try Self.server { number, _ in ScriptedServer.reply(body: Self.match(number % 6)) }
        let holds = Mutex(false)
        let requested = AsyncStream.makeStream(of: Void.self)
        let opened = AsyncStream.makeStream(of: RecordingSink.self)
        let service = service(server) {
            requested.continuation.yield()
            return holds.withLock { $0 }
        } makeSink: {
            let sink = RecordingSink()
            opened.continuation.yield(sink)
            return sink
        }
        try await running(server, service) {
            _ = await requested.stream.first { _ in true }
            #expect(server.requests.isEmpty)
            holds.withLock { $0 = true }
            let first = await opened.stream.first { _ in true }
            #expect(await first?.next() != nil)
            holds.withLock { $0 = false }
            while await service.status()[0].activity != .standby { _ = await requested.stream.first { _ in true } }
            // One request may be in flight; a poller that continued would have sent dozens before the next question.
            let sent = server.requests.count
            _ = await requested.stream.first { _ in true }
            #expect(server.requests.count <= sent + 2)
            holds.withLock { $0 = true }
            // The match is read again, since another node may have written.
            let second = await opened.stream.first { _ in true }
            #expect(second !== first)
        }
    }

    @Test func aFailedWriterIsOpenedAgain() async throws {
        let server = try Self.server { number, _ in ScriptedServer.reply(body: Self.match(number % 6)) }
        let opened = AsyncStream.makeStream(of: RecordingSink.self)
        let count = Mutex(0)
        let service = service(server) {
            let number = count.withLock {
                $0 += 1; return $0
            }
            if number == 1 { throw RecordingSink.Failure() }
            let sink = RecordingSink { _ in
                if number == 2 { throw RecordingSink.Failure() }
                return .unchanged
            }
            opened.continuation.yield(sink)
            return sink
        }
        try await running(server, service) {
            let failing = await opened.stream.first { _ in true }
            let working = await opened.stream.first { _ in true }
            #expect(failing !== working)
            #expect(await working?.next() != nil)
        }
    }

    @Test("F1: the breaker opens after five failures and the feed comes back")
    func theBreakerOpensAfterFiveFailures() async throws {
        let isDown = Mutex(true)
        let server = try ScriptedServer { request, write in
            if isDown.withLock({ $0 }) { return write(ScriptedServer.reply(status: 503)) }
            return write(ScriptedServer.reply(body: request.path == "/matches" ? Self.list : Self.match(1)))
        }
        let sink = RecordingSink()
        let service = service(server) { sink }
        try await running(server, service) {
            try await eventually("the breaker opens") { await service.status()[0].breaker != .closed }
            // The next try is soon, at this speed.
            #expect(server.requests.count >= IngestLimits.breaker.failuresInARowMax)
            let status = await service.status()[0]
            #expect(status.lastFailureReason == "http5xx 503")
            #expect(status.consecutiveFailures >= IngestLimits.breaker.failuresInARowMax)
            isDown.withLock { $0 = false }
            #expect(await sink.next() == .accepted(balls: 1))
            try await eventually("the breaker closes") { await service.status()[0].breaker == .closed }
            #expect(await service.status()[0].consecutiveFailures == 0)
        }
    }

    @Test func aFinishedMatchIsReleasedAfterItsTail() async throws {
        let server = try Self.server { number, _ in
            ScriptedServer.reply(body: Self.match(3, state: number < 3 ? "live" : "abandoned"))
        }
        let sink = RecordingSink()
        let service = service(server) { sink }
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 3))
            try await eventually("it is polled") { await !service.status()[0].matches.isEmpty }
            // The list still has it live, as lists do for a while; the match is opened again without harm.
            try await eventually("it is left") { await service.status()[0].matches.isEmpty }
        }
    }

    @Test("F10: an unreadable entry of the list is reported and counted, and delays no match")
    func anUnreadableEntryDelaysNoMatch() async throws {
        let list = Array(#"{"matches":[{"state":"live"},{"id":"m1","state":"live"},{"id":7.5}]}"#.utf8)
        let server = try ScriptedServer { request, write in
            write(ScriptedServer.reply(body: request.path == "/matches" ? list : Self.match(2)))
        }
        let sink = RecordingSink()
        let service = service(server) { sink }
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 2))
            let status = await service.status()[0]
            #expect(status.unreadable == 1)
            let reason = try #require(status.lastFailureReason)
            #expect(reason.hasPrefix("badSchema") && reason.contains("matches[0].id"), "\(reason)")
        }
    }

    @Test("F3: a match that never answers delays no other")
    func aSilentMatchDelaysNoOther() async throws {
        let release = ThreadEvent()
        let server = try ScriptedServer { request, write in
            switch request.path {
            case "/matches":
                let list = #"{"matches":[{"id":"m1","state":"live"},{"id":"m2","state":"live"}]}"#
                return write(ScriptedServer.reply(body: Array(list.utf8)))
            case "/matches/m1": return !release.await(seconds: 30)
            default: return write(ScriptedServer.reply(body: Self.match(request.number % 6)))
            }
        }
        defer { release.signal() }
        let sink = RecordingSink()
        let service = service(server) { sink }
        try await running(server, service) {
            for _ in 0..<5 { #expect(await sink.next() != nil) }
            #expect(server.requests.count { $0.path == "/matches/m1" } == 1)
        }
    }
}
