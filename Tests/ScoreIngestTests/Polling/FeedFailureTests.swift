// Requests and gauges of a feed during failures.

import CoreMetrics
import MatchEngine
import MetricsTestKit
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A match without its database.
private struct AwaySink: ReplySink {
    func accept(_ reply: SeenReply) async throws -> ReplyResult { throw RecordingSink.Failure() }
    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Duration? { throw RecordingSink.Failure() }
    func tick(nextPollIn: Duration?) async throws -> Duration? { throw RecordingSink.Failure() }
    func announce(_ fixture: Fixture, source: JournalSource) async throws { throw RecordingSink.Failure() }
    func isInPlay() async throws -> Bool { throw RecordingSink.Failure() }
    func removed() async throws { throw RecordingSink.Failure() }
}

@Suite(.timeLimit(.minutes(1))) struct FeedFailureTests {
    private static let feed = FeedID(unchecked: "trouble")

    /// A feed of `PartsAdapter` with scripted answers; nil has a readable page.
    private final class Setup: Sendable {
        let holds = Mutex(true)
        let opened = Mutex(0)
        let answer: @Sendable (ScriptedServer.Request) -> [UInt8]?

        init(_ answer: @escaping @Sendable (ScriptedServer.Request) -> [UInt8]? = { _ in nil }) { self.answer = answer }

        func running(
            makeSink: @escaping @Sendable (Int) -> any ReplySink,
            metrics: TestMetrics = TestMetrics(),
            _ body: (ScriptedServer, IngestService) async throws -> Void
        ) async throws {
            let server = try ScriptedServer { [answer] request, write in
                if let bytes = answer(request) { return write(bytes) }
                let text =
                    switch request.path {
                    case "/auth": "t1"
                    case "/words": "words"
                    case "/list": "m1"
                    case "/m/m1": "Lord's"
                    default: "2"
                    }
                return write(ScriptedServer.reply(body: Array(text.utf8)))
            }
            let service = withMetricsFactory(metrics) {
                IngestService(
                    feeds: [
                        FeedConfiguration(id: feed, baseURL: server.url, adapter: PartsAdapter(), security: .local())
                    ],
                    driver: TransferDriver(name: "test-trouble"),
                    clock: ServiceClock(speed: 10_000),
                    mayPoll: { [self] _ in holds.withLock { $0 } },
                    makeSink: { [self] _, _ in
                        makeSink(
                            opened.withLock {
                                $0 += 1
                                return $0
                            }
                        )
                    }
                )
            }
            let task = Task { await service.run() }
            defer {
                task.cancel()
                server.stop()
            }
            try await body(server, service)
        }
    }

    @Test func matchesAreNotPolledWithoutADatabase() async throws {
        let setup = Setup()
        let sink = RecordingSink()
        try await setup.running { number in
            if number <= 4 { AwaySink() } else { sink }
        } _: { server, _ in
            #expect(await sink.next() == .accepted(balls: 2))
            #expect(setup.opened.withLock { $0 } == 5)
            #expect(server.requests.count { $0.path == "/m/m1" } == 1, "not once for each writer that could not open")
        }
    }

    @Test("An operator's order ends the wait of a sign-in that was refused", arguments: [429, 500])
    func anOperatorEndsTheWaitOfASignIn(status: Int) async throws {
        let setup = Setup { request in
            guard request.path == "/auth" else { return nil }
            return ScriptedServer.reply(status: status, headers: ["Retry-After": "3000"])
        }
        try await setup.running { _ in
            RecordingSink()
        } _: { server, service in
            await server.received()
            // The order may come before the refusal: then it is sent again.
            try await eventually("poll-now polls again") {
                await service.pollNow(FeedFailureTests.feed)
                return server.requests.count > 1
            }
            // A requested pause is obeyed, whatever the state of the breaker.
            guard status == 500 else { return }
            let requested = server.requests.count
            try await eventually("reset-breaker polls again") {
                await service.resetBreaker(FeedFailureTests.feed)
                return server.requests.count > requested + 1
            }
        }
    }

    @Test("F14: an empty list of balls is requested less and less often")
    func anEmptyListIsPolledLessOften() async throws {
        let sink = RecordingSink { $0 <= 8 ? .dropped(.emptyList) : .unchanged }
        try await Setup().running { _ in
            sink
        } _: { _, _ in
            for _ in 1...9 { #expect(await sink.next() == .accepted(balls: 2)) }
            _ = await sink.next()
            // The first may be a mistake; the following ones are failures.
            #expect(await sink.waits.count <= 3)
        }
    }

    @Test("An unreadable page does not end the silence of a match")
    func anUnreadablePageDoesNotEndTheSilence() async throws {
        let isListRead = Mutex(false)
        let setup = Setup { request in
            let isRead = request.path == "/list" && isListRead.withLock { $0 }
            if request.path == "/auth" || request.path == "/words" || isRead { return nil }
            return ScriptedServer.reply(body: Array("refused".utf8))
        }
        let metrics = TestMetrics()
        try await setup.running(
            makeSink: { _ in RecordingSink() },
            metrics: metrics
        ) { _, service in
            let last = try metrics.expectGauge(
                "score_feed_last_success_timestamp_seconds",
                [("feed", FeedFailureTests.feed.text)]
            )
            try await eventually("the list cannot be read") { await service.status()[0].unreadable >= 2 }
            #expect(await service.status()[0].lastSuccess == nil)
            #expect(last.lastValue == nil)
            #expect(await service.status()[0].breaker == .closed, "it does answer")
            isListRead.withLock { $0 = true }
            try await eventually("the list is read") { await service.status()[0].lastSuccess != nil }
            #expect(last.lastValue != nil)
        }
    }

    @Test("The gauges of a feed end with the duty of its node")
    func theGaugesOfAFeedEndWithTheDuty() async throws {
        let isDown = Mutex(false)
        let setup = Setup { request in
            isDown.withLock { $0 } && request.path.hasPrefix("/m/") ? ScriptedServer.reply(status: 500) : nil
        }
        let metrics = TestMetrics()
        let sink = RecordingSink()
        try await setup.running(
            makeSink: { _ in sink },
            metrics: metrics
        ) { _, service in
            func gauge(_ name: String) throws -> TestRecorder {
                try metrics.expectGauge("score_feed_\(name)", [("feed", FeedFailureTests.feed.text)])
            }
            #expect(await sink.next() == .accepted(balls: 2))
            #expect(await sink.next() == .unchanged)
            #expect(try gauge("poll_interval_seconds").lastValue ?? 0 > 0)
            #expect(try gauge("list_interval_seconds").lastValue ?? 0 > 0)
            isDown.withLock { $0 = true }
            try await eventually("the breaker opens") { try gauge("breaker_state").lastValue ?? 0 > 0 }
            setup.holds.withLock { $0 = false }
            try await eventually("the duty is lost") { await service.status()[0].activity == .standby }
            for name in ["breaker_state", "poll_interval_seconds", "list_interval_seconds", "unknown_words"] {
                #expect(try gauge(name).lastValue == 0, "\(name)")
            }
            let found = await service.status()[0]
            #expect(found.breaker == .closed && found.pollInterval == nil)
        }
    }
}
