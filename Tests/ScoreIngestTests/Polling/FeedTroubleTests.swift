// What a feed is spared, what it is asked, and what it shows of itself while something is broken.

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

/// A match whose database is away.
private struct AwaySink: ReplySink {
    func accept(_ reply: SeenReply) async throws -> ReplyResult { throw RecordingSink.Failure() }
    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Bool { throw RecordingSink.Failure() }
    func tick(nextPollIn: Duration?) async throws -> Duration? { throw RecordingSink.Failure() }
    func announce(_ fixture: Fixture, source: JournalSource) async throws { throw RecordingSink.Failure() }
    func known() async throws -> MatchRecord { throw RecordingSink.Failure() }
    func removed() async throws { throw RecordingSink.Failure() }
}

@Suite(.timeLimit(.minutes(1))) struct FeedTroubleTests {
    private static let feed = FeedID(unchecked: "trouble")

    /// A feed of `PartsAdapter` that answers as a test says; nil has a page that can be read.
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

    @Test func whileTheDatabaseIsAwayNoMatchIsAskedFor() async throws {
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

    @Test("An operator's word ends the wait of a sign-in that was refused", arguments: [429, 500])
    func anOperatorEndsTheWaitOfASignIn(status: Int) async throws {
        let setup = Setup { request in
            guard request.path == "/auth" else { return nil }
            return ScriptedServer.reply(status: status, headers: ["Retry-After": "3000"])
        }
        try await setup.running { _ in
            RecordingSink()
        } _: { server, service in
            await server.asked()
            // The word may come before the refusal: then it is said again.
            try await eventually("poll-now asks again") {
                await service.pollNow(FeedTroubleTests.feed)
                return server.requests.count > 1
            }
            // What wants to be left alone is so, whatever the breaker.
            guard status == 500 else { return }
            let asked = server.requests.count
            try await eventually("reset-breaker asks again") {
                await service.resetBreaker(FeedTroubleTests.feed)
                return server.requests.count > asked + 1
            }
        }
    }

    @Test("F14: a list of balls that stays empty is asked for less and less")
    func aListThatStaysEmptyIsAskedForLessAndLess() async throws {
        let sink = RecordingSink { $0 <= 8 ? .dropped(.emptyList) : .unchanged }
        try await Setup().running { _ in
            sink
        } _: { _, _ in
            for _ in 1...9 { #expect(await sink.next() == .accepted(balls: 2)) }
            _ = await sink.next()
            // The first may be a slip; what follows is no answer, as with any failure.
            #expect(await sink.waits.count <= 3)
        }
    }

    @Test("A page that cannot be read is no sign of life")
    func aPageThatCannotBeReadIsNoSignOfLife() async throws {
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
                [("feed", FeedTroubleTests.feed.text)]
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

    @Test("What a node shows of a feed ends with its duty")
    func whatANodeShowsOfAFeedEndsWithItsDuty() async throws {
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
                try metrics.expectGauge("score_feed_\(name)", [("feed", FeedTroubleTests.feed.text)])
            }
            #expect(await sink.next() == .accepted(balls: 2))
            #expect(await sink.next() == .unchanged)
            #expect(try gauge("poll_interval_seconds").lastValue ?? 0 > 0)
            isDown.withLock { $0 = true }
            try await eventually("the breaker opens") { try gauge("breaker_state").lastValue ?? 0 > 0 }
            setup.holds.withLock { $0 = false }
            try await eventually("the duty is lost") { await service.status()[0].activity == .standby }
            for name in ["breaker_state", "poll_interval_seconds", "unknown_words"] {
                #expect(try gauge(name).lastValue == 0, "\(name)")
            }
            let found = await service.status()[0]
            #expect(found.breaker == .closed && found.pollInterval == nil)
        }
    }
}
