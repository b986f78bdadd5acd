// Faults of a feed, from its bytes on a connection to the rows of the journal.

import CoreMetrics
import JournalSamples
import MatchEngine
import MatchSamples
import MetricsTestKit
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = CricsheetSample

@Suite(.timeLimit(.minutes(2))) struct FeedFaultTests {
    /// The match with so many balls of one run each.
    private static func body(_ balls: Int, live: String = #"{"state":"live"}"#) -> [UInt8] {
        let overs = stride(from: 0, to: balls, by: 6).map { first in
            Array(repeating: Sample.ball(1), count: min(6, balls - first))
        }
        return Sample.document(innings: [Sample.innings(overs: overs)], live: live)
    }

    @Test("F1: an outage is published as stale, without content, and ends with one catch-up")
    func anOutageIsPublishedAsStale() async throws {
        let isDown = Mutex(false)
        let bowled = Mutex(3)
        let setup = try await FaultyFeed(isDown: { isDown.withLock { $0 } }) { _ in
            ScriptedServer.reply(body: Self.body(bowled.withLock { $0 }))
        }
        try await setup.run {
            await setup.sink.applied()
            let before = try await setup.publications()
            isDown.withLock { $0 = true }
            try await eventually("the breaker opens") { await setup.service.status()[0].breaker != .closed }
            // The writer continues by itself: a minute later followers receive the stale state.
            setup.hand.advance(by: JournalLimits.silenceInPlay)
            while try await setup.silentSince() == nil { await setup.sink.next(.ticked) }
            #expect(try await setup.publications() == before)
            bowled.withLock { $0 = 9 }
            isDown.withLock { $0 = false }
            await setup.sink.applied()
            #expect(try await setup.silentSince() == nil)
            #expect(try await setup.publications().count == before.count + 1)
            #expect(try await setup.balls() == 9)
        }
    }

    @Test("F1: a feed that refuses connections is published as stale, and leads again when it is back")
    func refusedConnectionsArePublishedAsStale() async throws {
        let bowled = Mutex(3)
        let setup = try await FaultyFeed { _ in ScriptedServer.reply(body: Self.body(bowled.withLock { $0 })) }
        try await setup.run {
            await setup.sink.applied()
            let before = try await setup.publications()
            setup.server.stop()
            try await eventually("the breaker opens") { await setup.service.status()[0].breaker != .closed }
            #expect(await setup.service.status()[0].lastFailureReason == "connect")
            setup.hand.advance(by: JournalLimits.silenceInPlay)
            while try await setup.silentSince() == nil { await setup.sink.next(.ticked) }
            #expect(try await setup.publications() == before)
            bowled.withLock { $0 = 9 }
            let again = try setup.reopen()
            defer { again.stop() }
            await setup.sink.applied()
            #expect(try await setup.silentSince() == nil)
            #expect(try await setup.publications().count == before.count + 1)
            #expect(try await setup.balls() == 9)
        }
    }

    @Test("F2: Retry-After pauses the requests for a match, while the list is still polled")
    func retryAfterPausesTheMatch() async throws {
        let lists = AsyncStream.makeStream(of: Void.self)
        let requested = Mutex(0)
        let server = try ScriptedServer { request, write in
            if request.path == "/matches" {
                lists.continuation.yield()
                return write(ScriptedServer.reply(body: FaultyFeed.list))
            }
            requested.withLock { $0 += 1 }
            return write(ScriptedServer.reply(status: 503, headers: ["Retry-After": "300"]))
        }
        let service = IngestService(
            feeds: [
                FeedConfiguration(
                    id: FaultyFeed.feed,
                    baseURL: server.url,
                    adapter: CricsheetAdapter(),
                    security: .local()
                )
            ],
            driver: TransferDriver(name: "test-retry"),
            clock: ServiceClock(speed: 10_000),
            mayPoll: { _ in true },
            makeSink: { _, _ in RecordingSink() }
        )
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        // Without the pause the match would have been polled every 50 ms, and lists come every 100.
        var seen = 0
        for await _ in lists.stream where seen < 8 {
            seen += 1
            if seen == 8 { break }
        }
        #expect(requested.withLock { $0 } == 1)
        #expect(await service.status()[0].lastFailureReason == "http5xx 503")
    }

    @Test("F5: garbage with status 200 is refused, the last state stays, the next good reply is applied")
    func garbage() async throws {
        let bad = Garbage.bodies
        let setup = try await FaultyFeed { number in
            if number == 1 { return ScriptedServer.reply(body: Self.body(2)) }
            let isBad = number - 2 < bad.count
            return ScriptedServer.reply(body: isBad ? bad[number - 2].bytes : Self.body(3))
        }
        try await setup.run {
            await setup.sink.applied()
            await setup.sink.applied()
            let balls = try await setup.balls()
            #expect(balls == 3)
            #expect(try await setup.publications().count == 2)
            #expect(await setup.service.status()[0].unreadable == bad.count)
        }
    }

    @Test("F7: a redirect is counted and not followed, and the last state stays")
    func aRedirectIsNotFollowed() async throws {
        let elsewhere = try ScriptedServer(text: "elsewhere")
        defer { elsewhere.stop() }
        let address = elsewhere.url
        let setup = try await FaultyFeed { number in
            guard (2...3).contains(number) else { return ScriptedServer.reply(body: Self.body(min(number, 4))) }
            return ScriptedServer.reply(status: 302, headers: ["Location": address + "/matches/m1"])
        }
        try await setup.run {
            await setup.sink.applied()
            await setup.sink.applied()
            #expect(try await setup.balls() == 4)
            #expect(try await setup.publications().count == 2)
            let redirects = try setup.count("score_feed_requests_total", "outcome", "redirect")
            #expect(redirects == 2)
            #expect(await setup.service.status()[0].lastFailureReason == "redirect 302")
            #expect(elsewhere.requests.isEmpty)
        }
    }

    @Test("F7: an address that is not allowed receives no request, and is counted")
    func aForbiddenAddressReceivesNoRequest() async throws {
        let server = try ScriptedServer(text: "inside")
        defer { server.stop() }
        // Every rule allows the address except the one about private networks.
        let host: Set<String> = ["127.0.0.1"]
        let policy = HostPolicy(hosts: host, plainHosts: host, ports: [server.port])
        let metrics = TestMetrics()
        let service = withMetricsFactory(metrics) {
            IngestService(
                feeds: [
                    FeedConfiguration(
                        id: FaultyFeed.feed,
                        baseURL: server.url,
                        adapter: CricsheetAdapter(),
                        security: policy
                    )
                ],
                driver: TransferDriver(name: "test-blocked"),
                clock: ServiceClock(speed: 10_000),
                mayPoll: { _ in true },
                makeSink: { _, _ in RecordingSink() }
            )
        }
        let task = Task { await service.run() }
        defer { task.cancel() }
        let place = [("feed", FaultyFeed.feed.text), ("outcome", "blocked")]
        let counter = try metrics.expectCounter("score_feed_requests_total", place)
        try await eventually("the breaker opens") { await service.status()[0].breaker != .closed }
        // The next try is soon, at this speed.
        #expect(counter.totalValue >= Int64(IngestLimits.breaker.failuresInARowMax))
        #expect(await service.status()[0].lastFailureReason == "blocked")
        #expect(server.requests.isEmpty)
    }

    @Test("F10: a field with a changed form is refused by name, and the last state stays")
    func aChangedFormIsRefused() async throws {
        let setup = try await FaultyFeed { number in
            guard number == 2 else { return ScriptedServer.reply(body: Self.body(number == 1 ? 2 : 3)) }
            let text = String(decoding: Self.body(2), as: UTF8.self)
            let drifted = text.replacing("\"batter\":\"A One\"", with: "\"striker\":\"A One\"")
            return ScriptedServer.reply(body: Array(drifted.utf8))
        }
        try await setup.run {
            await setup.sink.applied()
            await setup.sink.applied()
            #expect(try await setup.balls() == 3)
            let status = await setup.service.status()[0]
            #expect(status.unreadable == 1)
            let reason = try #require(status.lastFailureReason)
            #expect(reason.contains("badSchema") && reason.contains("batter"), "\(reason)")
            // Alerts use this counter for a changed form.
            let quarantined = try setup.count("score_feed_quarantined_payloads_total", "cause", "badSchema")
            #expect(quarantined == 1)
            let drifted = try setup.count("score_feed_requests_total", "outcome", "badSchema")
            #expect(drifted == 1)
        }
    }

    @Test("F13: alternating old and new copies never withdraw a ball")
    func alternatingCopiesWithdrawNothing() async throws {
        // The copy after the last change is repeated, so that the end is known.
        let order = [10, 9, 11, 10, 11, 9, 12]
        let setup = try await FaultyFeed { number in
            let version = order[min(number, order.count) - 1]
            return ScriptedServer.reply(body: Self.body(version, live: #"{"state":"live","version":\#(version)}"#))
        }
        try await setup.run {
            for _ in 0..<3 { await setup.sink.applied() }
            let changes = try await setup.bench.changes(of: FaultyFeed.match)
            #expect(!changes.contains { if case .withdrawn = $0 { true } else { false } })
            #expect(try await setup.balls() == 12)
            #expect(try await setup.publications().count == 3)
            #expect(await setup.service.status()[0].notAccepted == 3)
            let old = try setup.count("score_feed_changes_total", "kind", "outOfOrder")
            #expect(old == 3)
            let doubts = try setup.count("score_feed_quarantined_payloads_total", "cause", "olderVersion")
            #expect(doubts == 3)
        }
    }

    @Test("F16: a match that is neither known nor listed any more is ended and removed")
    func anUnknownMatchIsEndedAndRemoved() async throws {
        let isDropped = Mutex(false)
        let setup = try await FaultyFeed(isListed: { !isDropped.withLock { $0 } }) { _ in
            isDropped.withLock { $0 } ? ScriptedServer.reply(status: 404) : ScriptedServer.reply(body: Self.body(3))
        }
        try await setup.run {
            await setup.sink.applied()
            isDropped.withLock { $0 = true }
            try await eventually("the match is removed") {
                try await setup.bench.journal.head(of: FaultyFeed.match)?.isRemoved == true
            }
            let head = try #require(try await setup.bench.journal.head(of: FaultyFeed.match))
            #expect(head.phase == .over)
            #expect(try await setup.balls() == 3)
        }
    }

    @Test(
        "F18: the lag of a provider whose clock is fast is zero, and that of a slow one is measured",
        arguments: [(3_600, 0...0), (-3_600, 3_540...3_660)] as [(Int64, ClosedRange<Double>)]
    )
    func theLagOfASkewedClockIsBounded(seconds: Int64, lag: ClosedRange<Double>) async throws {
        let setup = try await FaultyFeed(adapter: SkewedAdapter(seconds: seconds)) { number in
            ScriptedServer.reply(body: Self.body(number == 1 ? 2 : 3))
        }
        try await setup.run {
            await setup.sink.applied()
            await setup.sink.applied()
            try await eventually("both are noted") { try setup.recorded("score_feed_lag_seconds").count >= 2 }
            let lags = try setup.recorded("score_feed_lag_seconds")
            #expect(lags.allSatisfy(lag.contains), "\(lags)")
            #expect(try await setup.balls() == 3)
        }
    }

    @Test("F19: refusals for too many requests open the breaker, and polling continues when the quota is back")
    func refusalsOpenTheBreaker() async throws {
        let isSpent = Mutex(false)
        let bowled = Mutex(3)
        let setup = try await FaultyFeed(isRefused: { isSpent.withLock { $0 } }) { _ in
            ScriptedServer.reply(body: Self.body(bowled.withLock { $0 }))
        }
        try await setup.run {
            await setup.sink.applied()
            let before = try await setup.publications()
            isSpent.withLock { $0 = true }
            try await eventually("the breaker opens") { await setup.service.status()[0].breaker != .closed }
            #expect(await setup.service.status()[0].lastFailureReason == "http4xx 429")
            let refused = try setup.count("score_feed_requests_total", "outcome", "http4xx")
            #expect(refused >= Int64(IngestLimits.breaker.failuresInARowMax))
            let breaker = try setup.recorded("score_feed_breaker_state")
            #expect(breaker.contains(2))
            #expect(try await setup.publications() == before)
            bowled.withLock { $0 = 9 }
            isSpent.withLock { $0 = false }
            await setup.sink.applied()
            #expect(try await setup.balls() == 9)
            #expect(try await setup.publications().count == before.count + 1)
        }
    }
}
