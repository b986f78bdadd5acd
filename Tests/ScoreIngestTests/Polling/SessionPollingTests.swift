// A provider with a sign-in and matches in parts, over real connections.

import CoreMetrics
import Foundation
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

@Suite(.timeLimit(.minutes(1))) struct SessionPollingTests {
    private static let feed = FeedID(unchecked: "parts")

    /// Domain time runs fast; the manual clock moves real time, and a minute passes between two openings.
    private static func clock(_ hand: ManualClock) -> ServiceClock {
        ServiceClock(
            speed: 10_000,
            monotonic: { ServiceClock().monotonic + hand.clock().monotonic },
            wall: { ServiceClock().wall }
        )
    }

    private func service(
        _ server: ScriptedServer,
        _ sink: RecordingSink,
        hourlyRequests: Int? = nil,
        isPushed: Bool = false,
        clock: ServiceClock = ServiceClock(speed: 10_000),
        capture: @escaping @Sendable (FeedCapture) -> Void = { _ in }
    ) -> IngestService {
        IngestService(
            feeds: [
                FeedConfiguration(
                    id: Self.feed,
                    baseURL: server.url,
                    adapter: PartsAdapter(),
                    credentials: ProviderCredentials(key: Secret("the-key")),
                    security: .local(),
                    hourlyRequests: hourlyRequests,
                    isPushed: isPushed
                )
            ],
            driver: TransferDriver(name: "test-parts"),
            clock: clock,
            mayPoll: { _ in true },
            makeSink: { _, _ in sink },
            capture: capture
        )
    }

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

    /// Answers as a provider whose token is `token`; nil falls back to the default answer.
    private static func server(
        token: @escaping @Sendable () -> String = { "t1" },
        refusal: [UInt8] = ScriptedServer.reply(status: 401),
        answer: @escaping @Sendable (ScriptedServer.Request) -> [UInt8]? = { _ in nil }
    ) throws -> ScriptedServer {
        try ScriptedServer { request, write in
            if let bytes = answer(request) { return write(bytes) }
            switch request.path {
            case "/auth":
                let isKey = request.body == Array("the-key".utf8)
                return write(ScriptedServer.reply(status: isKey ? 200 : 401, body: Array(token().utf8)))
            case "/words": return write(ScriptedServer.reply(body: Array("words".utf8)))
            case _ where request.headers["rs-token"] != token(): return write(refusal)
            case "/list": return write(ScriptedServer.reply(body: Array("m1".utf8)))
            case "/m/m1": return write(ScriptedServer.reply(headers: ["ETag": "\"f\""], body: Array("Lord's".utf8)))
            default: return write(ScriptedServer.reply(body: Array("\(min(request.number, 9))".utf8)))
            }
        }
    }

    @Test func theFeedIsOpenedFirstAndPartsAreMerged() async throws {
        let balls = Mutex(0)
        let server = try Self.server(answer: { request in
            guard request.path == "/m/m1/balls" else { return nil }
            let count = balls.withLock { count in
                count += 1
                return count
            }
            return ScriptedServer.reply(body: Array("\(min(count, 3))".utf8))
        })
        let sink = RecordingSink()
        let service = service(server, sink)
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 1))
            #expect(await sink.next() == .accepted(balls: 2))
            #expect(await sink.next() == .accepted(balls: 3))
            #expect(await sink.next() == .unchanged)
            #expect(server.requests.prefix(3).map(\.path) == ["/auth", "/words", "/list"])
            // The frame that was not requested again is still used.
            #expect(await sink.replies.allSatisfy { $0.snapshot.info.venue == "Lord's" })
            #expect(server.requests.count { $0.path == "/m/m1" } == 1)
            #expect(await sink.replies.map(\.source) == Array(repeating: JournalSource(.roanuz, Self.feed), count: 3))
            #expect(await sink.replies.first?.raw?.isWhole == true)
            #expect(await sink.replies.last?.raw?.parts.keys.sorted() == ["balls"])
            #expect(await service.status()[0].isOpen)
        }
    }

    /// With its own status, or inside a reply with status 200, as EntitySport and Roanuz refuse.
    @Test(arguments: [401, 200]) func aRefusedTokenIsRenewed(status: Int) async throws {
        let token = Mutex("t1")
        let refusal = ScriptedServer.reply(status: status, body: Array("refused".utf8))
        let server = try Self.server(token: { token.withLock { $0 } }, refusal: refusal)
        let sink = RecordingSink()
        let hand = ManualClock()
        let clock = Self.clock(hand)
        let service = service(server, sink, clock: clock)
        try await running(server, service) {
            guard case .accepted = await sink.next() else {
                Issue.record("no first poll")
                return
            }
            token.withLock { $0 = "t2" }
            hand.advance(by: .seconds(61))
            await server.received(2) { $0.path == "/auth" }
            try await eventually("the refusal is noted") {
                let reason = await service.status()[0].lastFailureReason ?? ""
                return status == 401 ? reason == "http4xx 401" : reason.hasPrefix("badSchema")
            }
            let requested = server.requests.count
            await server.received { $0.number > requested && $0.headers["rs-token"] == "t2" }
            #expect(server.requests.count { $0.path == "/auth" } == 2)
        }
    }

    @Test func aRoundStoppedByThePlanIsResumed() async throws {
        let server = try Self.server()
        let sink = RecordingSink()
        let hand = ManualClock()
        // Four requests at once, which sign-in, table, list and frame take, and one more each ninety seconds.
        let service = service(server, sink, hourlyRequests: 50, clock: Self.clock(hand))
        try await running(server, service) {
            await server.received { $0.path == "/m/m1" }
            try await eventually("the plan is used up") { await service.status()[0].overBudget >= 1 }
            hand.advance(by: .seconds(200))
            await service.pollNow(Self.feed)
            guard case .accepted = await sink.next() else {
                Issue.record("the balls were never requested")
                return
            }
            #expect(server.requests.count { $0.path == "/m/m1" } == 1)
        }
    }

    @Test func anUnknownStatusReloadsTheTablesOnceAMinute() async throws {
        let words = Mutex("words")
        let balls = Mutex("1")
        let server = try Self.server(answer: { request in
            switch request.path {
            case "/words": ScriptedServer.reply(body: Array(words.withLock { $0 }.utf8))
            case "/m/m1/balls": ScriptedServer.reply(body: Array(balls.withLock { $0 }.utf8))
            default: nil
            }
        })
        let sink = RecordingSink()
        let hand = ManualClock()
        let clock = Self.clock(hand)
        let service = service(server, sink, clock: clock)
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 1))
            balls.withLock { $0 = "2 switch-hit" }
            try await eventually("the score is not known") { await service.status()[0].unreadable >= 2 }
            #expect(server.requests.count { $0.path == "/words" } == 1)
            words.withLock { $0 = "words switch-hit" }
            hand.advance(by: IngestLimits.sessionReopenEvery)
            var event = await sink.next()
            while event == .unchanged { event = await sink.next() }
            #expect(event == .accepted(balls: 2))
            #expect(server.requests.count { $0.path == "/words" } == 2)
        }
    }

    @Test func anUnknownStatusIsCounted() async throws {
        let server = try Self.server(answer: { request in
            request.path == "/m/m1/balls" ? ScriptedServer.reply(body: Array("2 ?".utf8)) : nil
        })
        let sink = RecordingSink { number in
            var generator = SystemRandomNumberGenerator()
            return .applied(Revision(epoch: Epoch(using: &generator), number: Int64(number)))
        }
        let metrics = TestMetrics()
        let service = withMetricsFactory(metrics) { self.service(server, sink) }
        let unknown = try metrics.expectGauge("score_feed_unknown_words", [("feed", Self.feed.text)])
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 2))
            try await eventually("the word is counted") { unknown.lastValue == 1 }
        }
    }

    @Test func aWrongKeyIsTriedLessOften() async throws {
        let server = try Self.server(answer: { request in
            request.path == "/auth" ? ScriptedServer.reply(status: 403) : nil
        })
        let sink = RecordingSink()
        let service = service(server, sink)
        try await running(server, service) {
            await server.received(4)
            #expect(server.requests.allSatisfy { $0.path == "/auth" })
            #expect(await service.status()[0].isOpen == false)
            #expect(await service.status()[0].lastFailureReason == "http4xx 403")
        }
    }

    @Test func aFailedPartKeepsTheEarlierParts() async throws {
        let failures = Mutex(2)
        let server = try Self.server(answer: { request in
            guard request.path == "/m/m1/balls" else { return nil }
            let fails = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            return ScriptedServer.reply(status: fails ? 500 : 200, body: Array("4".utf8))
        })
        let sink = RecordingSink()
        let service = service(server, sink)
        try await running(server, service) {
            #expect(await sink.next() == .accepted(balls: 4))
            // The frame was requested with its tag after the first failure.
            let tags = server.requests.filter { $0.path == "/m/m1" }.map { $0.headers["if-none-match"] ?? "none" }
            #expect(tags.first == "none" && tags.count <= 3)
        }
    }

    @Test("F19: the hourly budget is obeyed")
    func theHourlyBudgetIsObeyed() async throws {
        let server = try Self.server()
        let sink = RecordingSink()
        // 100 an hour: 80 may be spent, 8 of them at once.
        let metrics = TestMetrics()
        let service = withMetricsFactory(metrics) { self.service(server, sink, hourlyRequests: 100) }
        let waits = try metrics.expectCounter("score_feed_budget_waits_total", [("feed", Self.feed.text)])
        #expect(waits.totalValue == 0)
        try await running(server, service) {
            try await eventually("the budget is spent") { await service.status()[0].overBudget > 0 }
            // The last of them may still be in flight.
            await server.received(8)
            #expect(server.requests.count == 8)
            let left = await service.status()[0].budgetLeft
            #expect((left ?? 1) < 0.2)
            try await eventually("the metric agrees") {
                await waits.totalValue == Int64(service.status()[0].overBudget)
            }
        }
    }

    @Test func theProvidersOwnCountLowersTheBudget() async throws {
        // Nine of fifty are left of the day, less than the fifth in reserve.
        let server = try Self.server(answer: { request in
            request.path == "/list" ? ScriptedServer.reply(body: Array("m1 #41/50".utf8)) : nil
        })
        let sink = RecordingSink()
        let service = service(server, sink, hourlyRequests: 1_000)
        try await running(server, service) {
            try await eventually("the budget is spent") { await service.status()[0].overBudget > 0 }
            #expect(server.requests.map(\.path) == ["/auth", "/words", "/list"])
            #expect((await service.status()[0].budgetLeft ?? 1) < 0.1)
        }
    }

    @Test func aNoticeIsPolledAtOnceAndASnapshotNeedsNoRequest() async throws {
        let server = try Self.server(answer: { request in
            request.path == "/m/m1/balls" ? ScriptedServer.reply(body: Array("2".utf8)) : nil
        })
        let sink = RecordingSink()
        // At real speed a match is polled about every five seconds: an earlier poll has another cause.
        let service = service(server, sink, isPushed: true, clock: ServiceClock())
        try await running(server, service) {
            let match = ProviderMatchID(unchecked: "m1")
            #expect(await sink.next() == .accepted(balls: 2))
            await service.notice(Self.feed, match)
            #expect(await sink.next() == .unchanged)
            let requested = server.requests.count
            let balls = ProviderReplies(["balls": Array("7".utf8)])
            await service.notice(Self.feed, match, .replies(match, balls))
            #expect(await sink.next() == .accepted(balls: 7))
            #expect(server.requests.count == requested)
            #expect(await service.status()[0].lastNotice != nil)
        }
    }

    @Test("S38: a provider's reason is kept and shown without the secrets in it")
    func reasonsContainNoSecret() async throws {
        let server = try Self.server(answer: { request in
            // A message is truncated in the middle of the key.
            let reason = "refused: the plan of this very key the-key has no more"
            return request.path == "/m/m1/balls" ? ScriptedServer.reply(body: Array(reason.utf8)) : nil
        })
        let captured = Mutex<[FeedCapture]>([])
        let service = service(server, RecordingSink()) { capture in captured.withLock { $0.append(capture) } }
        try await running(server, service) {
            try await eventually("the refusal is noted") {
                await service.status()[0].lastFailureReason?.hasPrefix("badSchema") == true
            }
            let shown = try #require(await service.status()[0].lastFailureReason)
            #expect(shown.contains("this very key -----"), "\(shown)")
            try await eventually("it is captured") { captured.withLock { $0.count >= 2 } }
            for case .unreadable(_, _, let reason) in captured.withLock({ $0.map(\.kind) }) {
                #expect(reason.contains("this very key -----"), "\(reason)")
            }
        }
    }

    @Test("S38: answers to a sign-in are not captured")
    func signInAnswersAreNotCaptured() async throws {
        let server = try Self.server(answer: { request in
            request.path == "/auth" ? ScriptedServer.reply(body: Array("{\"token\":\"live-token\"}".utf8)) : nil
        })
        let captured = Mutex<[FeedCapture]>([])
        let service = service(server, RecordingSink()) { capture in captured.withLock { $0.append(capture) } }
        try await running(server, service) {
            try await eventually("it is captured") { captured.withLock { !$0.isEmpty } }
            guard case .unreadable(_, let replies, let reason)? = captured.withLock({ $0.first })?.kind else {
                Issue.record("expected a reply that could not be read")
                return
            }
            #expect(reason.contains("auth"))
            #expect(replies.parts == ["words"])
        }
    }
}
