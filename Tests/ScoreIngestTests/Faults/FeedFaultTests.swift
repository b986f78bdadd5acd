// What goes wrong with a feed, from its bytes on a connection to the rows of the journal.

import MatchEngine
import ScoreTypes
import Synchronization
import Testing
import Waiting

@testable import ScoreIngest

private typealias Sample = CricsheetSample

@Suite(.timeLimit(.minutes(2))) struct FeedFaultTests {
    private static let feed = Scorebook.feed
    private static let match = MatchID(unchecked: "m1")
    private static let list = Array(#"{"matches":[{"id":"m1","state":"live"}]}"#.utf8)

    /// A list without the match: what it has is years away.
    private static let others = Array(#"{"matches":[{"id":"m2","startsAt":4000000000}]}"#.utf8)

    /// The match with so many balls of one run each.
    private static func body(_ balls: Int, live: String = #"{"state":"live"}"#) -> [UInt8] {
        let overs = stride(from: 0, to: balls, by: 6).map { first in
            Array(repeating: Sample.ball(1), count: min(6, balls - first))
        }
        return Sample.document(innings: [Sample.innings(overs: overs)], live: live)
    }

    /// A feed, its poller, and a writer on a database of its own, whose clock the test moves.
    private struct Stage {
        let bench: JournalBench
        let hand = HandClock()
        let server: ScriptedServer
        /// Answers like `server` where it was before.
        let reopen: @Sendable () throws -> ScriptedServer
        let sink: WatchedSink
        let service: IngestService

        /// What the match's address answers, by the number of the request from 1; nil cuts the connection.
        init(
            isDown: @escaping @Sendable () -> Bool = { false },
            isListed: @escaping @Sendable () -> Bool = { true },
            _ answer: @escaping @Sendable (Int) -> [UInt8]
        ) async throws {
            bench = try await JournalBench()
            let count = Mutex(0)
            let script: ScriptedServer.Script = { request, write in
                if isDown() { return false }
                if request.path == "/matches" {
                    return write(ScriptedServer.reply(body: isListed() ? FeedFaultTests.list : FeedFaultTests.others))
                }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                return write(answer(number))
            }
            let server = try ScriptedServer(script)
            self.server = server
            reopen = { try ScriptedServer(port: server.port, script) }
            let sink = WatchedSink(bench.writer(FeedFaultTests.match, clock: hand))
            self.sink = sink
            service = IngestService(
                feeds: [
                    FeedConfiguration(
                        id: FeedFaultTests.feed,
                        baseURL: server.url,
                        adapter: CricsheetAdapter(),
                        security: .local()
                    )
                ],
                driver: TransferDriver(name: "test-faults"),
                clock: ServiceClock(speed: 10_000),
                mayPoll: { _ in true },
                makeSink: { _, _ in sink }
            )
        }

        func run(_ body: () async throws -> Void) async throws {
            let task = Task { await service.run() }
            defer {
                task.cancel()
                server.stop()
            }
            try await body()
        }

        func publications() async throws -> [PublicationRow] {
            try await bench.publications(of: FeedFaultTests.match)
        }

        func silentSince() async throws -> Instant? {
            try await bench.journal.head(of: FeedFaultTests.match)?.silentSince
        }

        func balls() async throws -> Int {
            try await bench.changes(of: FeedFaultTests.match)
                .count { if case .inserted = $0 { true } else { false } }
        }
    }

    @Test("F1: an outage is told as stale, publishes nothing, and ends with one catch-up")
    func outage() async throws {
        let isDown = Mutex(false)
        let bowled = Mutex(3)
        let stage = try await Stage(isDown: { isDown.withLock { $0 } }) { _ in
            ScriptedServer.reply(body: Self.body(bowled.withLock { $0 }))
        }
        try await stage.run {
            await stage.sink.applied()
            let before = try await stage.publications()
            isDown.withLock { $0 = true }
            try await eventually("the breaker opens") { await stage.service.status()[0].breaker != .closed }
            // The writer goes on by itself: a minute later everybody is told that the state is old.
            stage.hand.advance(by: FeedSilence.liveLimit)
            while try await stage.silentSince() == nil { await stage.sink.next(.ticked) }
            #expect(try await stage.publications() == before)
            bowled.withLock { $0 = 9 }
            isDown.withLock { $0 = false }
            await stage.sink.applied()
            #expect(try await stage.silentSince() == nil)
            #expect(try await stage.publications().count == before.count + 1)
            #expect(try await stage.balls() == 9)
        }
    }

    @Test("F1: a feed that refuses connections is told as stale, and speaks again when it is back")
    func refused() async throws {
        let bowled = Mutex(3)
        let stage = try await Stage { _ in ScriptedServer.reply(body: Self.body(bowled.withLock { $0 })) }
        try await stage.run {
            await stage.sink.applied()
            let before = try await stage.publications()
            stage.server.stop()
            try await eventually("the breaker opens") { await stage.service.status()[0].breaker != .closed }
            #expect(await stage.service.status()[0].lastFailureReason == "connect")
            stage.hand.advance(by: FeedSilence.liveLimit)
            while try await stage.silentSince() == nil { await stage.sink.next(.ticked) }
            #expect(try await stage.publications() == before)
            bowled.withLock { $0 = 9 }
            let again = try stage.reopen()
            defer { again.stop() }
            await stage.sink.applied()
            #expect(try await stage.silentSince() == nil)
            #expect(try await stage.publications().count == before.count + 1)
            #expect(try await stage.balls() == 9)
        }
    }

    @Test("F2: whoever says Retry-After is left alone for so long, while the list goes on")
    func retryAfter() async throws {
        let lists = AsyncStream.makeStream(of: Void.self)
        let asked = Mutex(0)
        let server = try ScriptedServer { request, write in
            if request.path == "/matches" {
                lists.continuation.yield()
                return write(ScriptedServer.reply(body: Self.list))
            }
            asked.withLock { $0 += 1 }
            return write(ScriptedServer.reply(status: 503, headers: ["Retry-After": "300"]))
        }
        let service = IngestService(
            feeds: [
                FeedConfiguration(id: Self.feed, baseURL: server.url, adapter: CricsheetAdapter(), security: .local())
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
        // Without obedience the match would have been asked every 50 ms, and lists come every 100.
        var seen = 0
        for await _ in lists.stream where seen < 8 {
            seen += 1
            if seen == 8 { break }
        }
        #expect(asked.withLock { $0 } == 1)
        #expect(await service.status()[0].lastFailureReason == "http5xx 503")
    }

    @Test("F5: garbage with status 200 is refused, the last state stands, the next good reply counts")
    func garbage() async throws {
        let bad = Garbage.bodies
        let stage = try await Stage { number in
            if number == 1 { return ScriptedServer.reply(body: Self.body(2)) }
            let isBad = number - 2 < bad.count
            return ScriptedServer.reply(body: isBad ? bad[number - 2].bytes : Self.body(3))
        }
        try await stage.run {
            await stage.sink.applied()
            await stage.sink.applied()
            let balls = try await stage.balls()
            #expect(balls == 3)
            #expect(try await stage.publications().count == 2)
            #expect(await stage.service.status()[0].unreadable == bad.count)
        }
    }

    @Test("F10: a field that changed its form is refused by name, and the last state stands")
    func drift() async throws {
        let stage = try await Stage { number in
            guard number == 2 else { return ScriptedServer.reply(body: Self.body(number == 1 ? 2 : 3)) }
            let text = String(decoding: Self.body(2), as: UTF8.self)
            let drifted = text.replacing("\"batter\":\"A One\"", with: "\"striker\":\"A One\"")
            return ScriptedServer.reply(body: Array(drifted.utf8))
        }
        try await stage.run {
            await stage.sink.applied()
            await stage.sink.applied()
            #expect(try await stage.balls() == 3)
            let status = await stage.service.status()[0]
            #expect(status.unreadable == 1)
            let reason = try #require(status.lastFailureReason)
            #expect(reason.contains("badSchema") && reason.contains("batter"), "\(reason)")
        }
    }

    @Test("F13: old and new copies by turns never take a ball back")
    func flipFlop() async throws {
        // Whatever comes first after the last change keeps coming, so that the end is known.
        let order = [10, 9, 11, 10, 11, 9, 12]
        let stage = try await Stage { number in
            let version = order[min(number, order.count) - 1]
            return ScriptedServer.reply(body: Self.body(version, live: #"{"state":"live","version":\#(version)}"#))
        }
        try await stage.run {
            for _ in 0..<3 { await stage.sink.applied() }
            let changes = try await stage.bench.changes(of: Self.match)
            #expect(!changes.contains { if case .withdrawn = $0 { true } else { false } })
            #expect(try await stage.balls() == 12)
            #expect(try await stage.publications().count == 3)
            #expect(await stage.service.status()[0].doubted == 3)
        }
    }

    @Test("F16: a match that is neither known nor listed any more is ended and removed")
    func dropped() async throws {
        let isDropped = Mutex(false)
        let stage = try await Stage(isListed: { !isDropped.withLock { $0 } }) { _ in
            isDropped.withLock { $0 } ? ScriptedServer.reply(status: 404) : ScriptedServer.reply(body: Self.body(3))
        }
        try await stage.run {
            await stage.sink.applied()
            isDropped.withLock { $0 = true }
            try await eventually("the match is removed") {
                try await stage.bench.journal.head(of: Self.match)?.isRemoved == true
            }
            let head = try #require(try await stage.bench.journal.head(of: Self.match))
            #expect(head.phase == .over)
            #expect(try await stage.balls() == 3)
        }
    }

    @Test("F19: too many requests open the breaker and stop the feed for as long as it asks")
    func tooManyRequests() {
        let failure = FetchFailure(label: .http4xx, status: 429, retryAfter: .seconds(120))
        #expect(failure.countsAgainstFeed)
        var poll = MatchPoll(
            Fixture(id: ProviderMatchID(unchecked: "m1"), match: Self.match, status: .live)
        )
        let clock = HandClock().clock(speed: 10_000)
        let wait = poll.failed(failure, clock: clock, jitter: 0.5)
        #expect(wait >= .seconds(120) && wait <= .seconds(132))
        #expect(!poll.isDone)
    }
}
