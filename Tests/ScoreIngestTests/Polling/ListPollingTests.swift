// Lists announce matches ahead of their time under our ids, and a poll reads their squads.

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

@Suite(.timeLimit(.minutes(1))) struct ListPollingTests {
    private static let feed = FeedID(unchecked: "list")

    private func running(
        _ list: @escaping @Sendable () -> String,
        aliases: AliasTable = AliasTable(),
        clock: ServiceClock = ServiceClock(),
        unfinished: [UnfinishedMatch] = [],
        writers: (@Sendable (MatchID) -> any ReplySink)? = nil,
        isGone: @escaping @Sendable (ScriptedServer.Request) -> Bool = { $0.path == "/m/gone" },
        isDown: @escaping @Sendable (ScriptedServer.Request) -> Bool = { _ in false },
        _ body: (ScriptedServer, IngestService, RecordingSink, AsyncStream<MatchID>) async throws -> Void
    ) async throws {
        let server = try ScriptedServer { request, write in
            if request.path == "/list2" {
                return write(ScriptedServer.reply(body: Array("79 \(Self.now + 86_400) scheduled\n".utf8)))
            }
            if request.path == "/list" { return write(ScriptedServer.reply(body: Array(list().utf8))) }
            let status = isGone(request) ? 404 : isDown(request) ? 503 : 200
            return write(ScriptedServer.reply(status: status, body: Array("x".utf8)))
        }
        let sink = RecordingSink()
        let (opened, announce) = AsyncStream.makeStream(of: MatchID.self)
        let service = IngestService(
            feeds: [
                FeedConfiguration(id: Self.feed, baseURL: server.url, adapter: ListAdapter(), security: .local())
            ],
            driver: TransferDriver(name: "test-list"),
            clock: clock,
            mayPoll: { _ in true },
            makeSink: { match, _ in
                announce.yield(match)
                return writers?(match) ?? sink
            },
            unfinished: { _ in unfinished },
            aliases: { aliases }
        )
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        try await body(server, service, sink, opened)
    }

    private static var now: Int64 { ServiceClock().wall.seconds }

    @Test func matchesAheadAreAnnouncedAndPolledOnce() async throws {
        let book = AliasTable([Alias(.match, .sportmonks, "77", means: "final")])
        let start = Self.now + 3 * 86_400
        try await running({ "77 \(start) scheduled\n78 \(start + 100 * 86_400) scheduled" }, aliases: book) {
            server,
            service,
            sink,
            opened in
            #expect(await opened.first { _ in true } == MatchID(unchecked: "final"))
            guard case .announced(let fixture) = await sink.next() else {
                Issue.record("not announced")
                return
            }
            #expect(fixture.id.text == "77" && fixture.startsAt == start)
            // Its own page is read once; a match a season away is not polled.
            #expect(await sink.next() == .accepted(balls: 0))
            #expect(server.requests.filter { $0.path != "/list" }.map(\.path) == ["/m/77"])
            #expect(await service.status()[0].matches.isEmpty)
            try await eventually("the match is known ahead") { await service.status()[0].upcoming == 1 }
        }
    }

    /// An outage must not use up the polls of the matches ahead, nor may one match delay the others.
    @Test func aFailedPollOfAMatchAheadIsRepeatedAfterTheOthers() async throws {
        let clock = ManualClock()
        let looks = Mutex(0)
        let start = ManualClock.wallAtZero.seconds + 86_400
        let isDown: @Sendable (ScriptedServer.Request) -> Bool = { request in
            guard request.path == "/m/77" else { return false }
            return looks.withLock { looks in
                looks += 1
                return looks == 1
            }
        }
        let list: @Sendable () -> String = { "77 \(start) scheduled\n78 \(start + 60) scheduled" }
        try await running(list, clock: clock.clock(), isDown: isDown) { server, service, _, _ in
            await server.received { $0.path == "/m/77" }
            await service.pollNow(Self.feed)
            await server.received { $0.path == "/m/78" }
            #expect(server.requests.count { $0.path == "/m/77" } == 1)
            clock.advance(by: IngestLimits.lookRetryInterval)
            await service.pollNow(Self.feed)
            await server.received(2) { $0.path == "/m/77" }
        }
    }

    @Test func furtherPagesOfAListAreRead() async throws {
        let start = Self.now + 86_400
        try await running({ "78 \(start) scheduled\nmore\n" }) { server, service, _, opened in
            var found: Set<MatchID> = []
            for await match in opened where found.insert(match).inserted && found.count == 2 { break }
            #expect(found.map(\.text).sorted() == ["78", "79"])
            #expect(server.requests.prefix(2).map(\.path) == ["/list", "/list2"])
        }
    }

    @Test func aChangedStartIsAnnouncedOnceAndUsed() async throws {
        let start = Mutex(Self.now + 86_400)
        try await running({ "77 \(start.withLock { $0 }) scheduled" }) { _, service, sink, _ in
            guard case .announced(let first) = await sink.next() else {
                Issue.record("not announced")
                return
            }
            _ = await sink.next()
            start.withLock { $0 += 3_600 }
            await service.pollNow(Self.feed)
            guard case .announced(let second) = await sink.next() else {
                Issue.record("the new start was not announced")
                return
            }
            #expect((second.startsAt ?? 0) - (first.startsAt ?? 0) == 3_600)
            // Half an hour ahead it is polled like any.
            start.withLock { $0 = Self.now + 1_800 }
            await service.pollNow(Self.feed)
            #expect(await sink.next() == .accepted(balls: 0))
            try await eventually("the match is polled") {
                await service.status()[0].matches == [MatchID(unchecked: "77")]
            }
        }
    }

    @Test("F16: a match that the provider neither knows nor lists any more is given up")
    func anUnknownMatchIsGivenUp() async throws {
        let requested = Mutex(0)
        let start = Self.now
        let list: @Sendable () -> String = {
            requested.withLock { $0 } < IngestLimits.goneMax
                ? "gone \(start) scheduled" : "other \(start + 86_400) scheduled"
        }
        let isGone: @Sendable (ScriptedServer.Request) -> Bool = { request in
            guard request.path == "/m/gone" else { return false }
            requested.withLock { $0 += 1 }
            return true
        }
        try await running(list, clock: ServiceClock(speed: 10_000), isGone: isGone) { server, _, sink, _ in
            while let event = await sink.next(), event != .removed {}
            #expect(server.requests.count { $0.path == "/m/gone" } >= IngestLimits.goneMax)
        }
    }

    @Test("F16: a match that left the list while no node ran is requested at its own address, and given up")
    func aMatchMissingFromTheListIsGivenUp() async throws {
        let (now, day) = (Instant(milliseconds: Self.now * 1_000), Duration.seconds(86_400))
        func to(_ match: String, at start: Instant) -> UnfinishedMatch {
            UnfinishedMatch(match: MatchID(unchecked: match), startsAt: start, phase: .scheduled)
        }
        let book = AliasTable([Alias(.match, .sportmonks, "gone", means: "final")])
        let known = [to("final", at: now), to("found", at: now), to("far", at: now + day * 3), to("77", at: now)]
        let list: @Sendable () -> String = { "77 \(now.seconds) scheduled" }
        try await running(list, aliases: book, clock: ServiceClock(speed: 10_000), unfinished: known) {
            server,
            service,
            sink,
            _ in
            while let event = await sink.next(), event != .removed {}
            #expect(server.requests.count { $0.path == "/m/gone" } >= IngestLimits.goneMax)
            try await eventually("a match known at its address is polled") {
                await service.status()[0].matches.map(\.text) == ["77", "found"]
            }
            #expect(!server.requests.contains { $0.path == "/m/far" }, "it is expected until its day")
        }
    }

    @Test("F16: a match in play that left the list while no node ran is ended after its grace")
    func aMatchInPlayMissingFromTheListIsEnded() async throws {
        let bench = try await JournalBench()
        let (gone, next) = (MatchID(unchecked: "gone"), MatchID(unchecked: "next"))
        _ = try await bench.writer(gone).accept(Scorebook.begun.snapshot, seenAt: Instant(milliseconds: 0))
        var coming = Scorebook()
        coming.info.startsAt = Self.now
        _ = try await bench.writer(next).accept(coming.snapshot, seenAt: Instant(milliseconds: 0))
        let known = try await bench.journal.unfinished(of: Scorebook.feed)
        #expect(known.map(\.match) == [gone, next] && known.map(\.phase) == [.live, .scheduled])
        #expect(try await bench.journal.unfinished(of: Self.feed).isEmpty, "another feed's")
        let clock = ServiceClock(speed: 10_000)
        let writers: @Sendable (MatchID) -> any ReplySink = { match in
            WatchedSink(
                MatchWriter(
                    match: match,
                    feed: Scorebook.feed,
                    journal: bench.journal,
                    fence: { JournalBench.fence },
                    clock: clock
                )
            )
        }
        try await running({ "" }, clock: clock, unfinished: known, writers: writers) { server, _, _, _ in
            try await eventually("it is ended") { try await bench.journal.head(of: gone)?.isRemoved == true }
            #expect(try await bench.journal.head(of: gone)?.phase == .over)
            #expect(server.requests.count { $0.path == "/m/gone" } >= IngestLimits.goneMax)
            #expect(try await bench.journal.head(of: next)?.isRemoved == false)
        }
        #expect(try await bench.journal.matches(phases: [.scheduled, .live]).map(\.head.match) == [next])
    }

    @Test func aTruncatedListIsCounted() async throws {
        let (metrics, start) = (TestMetrics(), Self.now + 86_400)
        let text = Mutex("77 \(start) scheduled\ncut\n")
        try await withMetricsFactory(metrics) {
            try await running({ text.withLock { $0 } }) { _, service, _, _ in
                let cuts = try metrics.expectCounter("score_feed_lists_cut_total", [("feed", Self.feed.text)])
                try await eventually("it is counted") { cuts.totalValue == 1 }
                text.withLock { $0 += "78 \(start) scheduled\n" }
                await service.pollNow(Self.feed)
                try await eventually("and once more") { cuts.totalValue == 2 }
                text.withLock { $0 = "77 \(start) scheduled\n78 \(start) scheduled\n79 \(start) scheduled\n" }
                await service.pollNow(Self.feed)
                try await eventually("the whole list is known") { await service.status()[0].upcoming == 3 }
                #expect(cuts.totalValue == 2)
            }
        }
    }

    /// A plan without enough requests for all pages would otherwise be spent on the first ones.
    @Test func aListReadingStoppedByThePlanIsResumed() async throws {
        let hand = ManualClock()
        let start = ManualClock.wallAtZero.seconds + 86_400
        let list = "78 \(start) scheduled\nmore\nplan 19/100\n"
        try await running({ list }, clock: hand.clock()) { server, service, _, _ in
            await server.received(2)
            await service.pollNow(Self.feed)
            try await eventually("the second page has to wait") { await service.status()[0].overBudget > 0 }
            #expect(server.requests.map(\.path) == ["/list", "/list2", "/list"])
            hand.advance(by: .seconds(4_000))
            await service.pollNow(Self.feed)
            await server.received(4)
            #expect(server.requests.map(\.path) == ["/list", "/list2", "/list", "/list2"])
        }
    }

    /// In the hour before play a provider may be editing a match; its removal is not published.
    @Test func aListedMatchIsStillPolled() async throws {
        let failures = Mutex(IngestLimits.goneMax + 2)
        let isGone: @Sendable (ScriptedServer.Request) -> Bool = { _ in
            failures.withLock { left in
                left -= 1
                return left >= 0
            }
        }
        let start = Self.now
        let list: @Sendable () -> String = { "77 \(start) scheduled" }
        try await running(list, clock: ServiceClock(speed: 10_000), isGone: isGone) { _, service, sink, _ in
            var event = await sink.next()
            while case .announced? = event { event = await sink.next() }
            #expect(event == .accepted(balls: 0))
            #expect(failures.withLock { $0 } < 0)
            #expect(await service.status()[0].matches == [MatchID(unchecked: "77")])
        }
    }
}

@Suite struct CadenceOfFeedTests {
    @Test func marqueeMatchesAndPushedFeedsHaveTheirOwnCadence() {
        let feed = FeedConfiguration(
            id: FeedID(unchecked: "x"),
            baseURL: "https://x/",
            adapter: ListAdapter(),
            security: .local(),
            marquee: ["m1", "World Cup"],
            isPushed: true
        )
        func cadence(_ match: String, _ competition: String? = nil, _ silence: Duration? = nil) -> Duration {
            let fixture = Fixture(id: ProviderMatchID(unchecked: match), competition: competition)
            return feed.cadence(of: fixture, pushedWithin: silence).live
        }
        #expect(cadence("m1") == .milliseconds(2_500))
        #expect(cadence("m2", "World Cup") == .milliseconds(2_500))
        #expect(cadence("m2") == .seconds(5))
        #expect(cadence("m2", nil, .seconds(119)) == .seconds(30))
        #expect(cadence("m1", nil, .seconds(120)) == .milliseconds(2_500))
        #expect(feed.baseURL == "https://x" && "\(feed)" == "Feed(x)")
    }

    @Test func deferrableRequestsLeaveHalfOfTheBudget() {
        var budget = HourlyBudget(requests: 1_000, now: .zero)
        var spare = 0
        while budget.takeSpare(now: .zero) { spare += 1 }
        #expect(spare == 40)
        var urgent = 0
        while budget.take(now: .zero) == nil { urgent += 1 }
        #expect(urgent == 40)
        // Forty were received, two of them for matches out of play.
        #expect(abs(budget.left(now: .seconds(180)) - 0.475) < 0.001)
    }
}
