// Providers forget matches: what never begins or never ends is not asked for for ever, and keeps no place from others.

import MatchEngine
import ScoreTypes
import Synchronization
import Testing
import Waiting

@testable import ScoreIngest

@Suite(.timeLimit(.minutes(1))) struct EndlessMatchTests {
    private static let feed = FeedID(unchecked: "endless")
    private static let hour: Int64 = 3_600
    private static var now: Int64 { HandClock.wallAtZero.seconds }

    /// A feed whose list and matches say what a test wants, with a clock that stands still until it is moved.
    private final class Stage: Sendable {
        let list: Mutex<String>
        let match: Mutex<String>
        let hand = HandClock()
        let sink = RecordingSink()

        init(_ list: String, match: String) {
            self.list = Mutex(list)
            self.match = Mutex(match)
        }

        func running(_ body: (ScriptedServer, IngestService) async throws -> Void) async throws {
            let server = try ScriptedServer { [self] request, write in
                let text = request.path == "/list" ? list.withLock { $0 } : match.withLock { $0 }
                return write(ScriptedServer.reply(body: Array(text.utf8)))
            }
            let service = IngestService(
                feeds: [
                    FeedConfiguration(id: feed, baseURL: server.url, adapter: ListAdapter(), security: .local())
                ],
                driver: TransferDriver(name: "test-endless"),
                clock: hand.clock(),
                mayPoll: { _ in true },
                makeSink: { [sink] _, _ in sink }
            )
            let task = Task { await service.run() }
            defer {
                task.cancel()
                server.stop()
            }
            try await body(server, service)
        }

        /// Has another list read, and waits until it was; a match far ahead tells.
        func says(_ text: String, to service: IngestService, _ server: ScriptedServer) async {
            let mark = "mark\(server.requests.count { $0.path == "/list" })"
            list.withLock { $0 = "\(text)\n\(mark) \(EndlessMatchTests.now + 100 * EndlessMatchTests.hour) scheduled" }
            await service.aliasesChanged()
            while let event = await sink.next() {
                if case .announced(let fixture) = event, fixture.match.text == mark { return }
            }
        }
    }

    @Test func aMatchThatNeverBeginsIsLetGoHalfADayAfterItsStart() async throws {
        let start = Self.now - 11 * Self.hour
        let stage = Stage("77 \(start) scheduled", match: "scheduled")
        try await stage.running { server, service in
            #expect(await stage.sink.next() == .accepted(balls: 0))
            #expect(await service.status()[0].matches.map(\.text) == ["77"])
            stage.hand.advance(by: .seconds(2 * Self.hour))
            await service.pollNow(Self.feed)
            try await eventually("it is let go") { await service.status()[0].matches.isEmpty }
            let asked = server.requests.count { $0.path == "/m/77" }
            await stage.says("77 \(start) scheduled", to: service, server)
            #expect(await service.status()[0].matches.isEmpty)
            #expect(server.requests.count { $0.path == "/m/77" } == asked)
            // Another start, and another word, bring it back.
            await stage.says("77 \(Self.now + 2 * Self.hour) scheduled", to: service, server)
            await server.asked(asked + 1) { $0.path == "/m/77" }
        }
    }

    @Test func aMatchThatNeverBeganIsPolledAgainWhenTheListCallsItLive() async throws {
        let start = Self.now - 13 * Self.hour
        let stage = Stage("77 \(start) scheduled", match: "scheduled")
        try await stage.running { server, service in
            #expect(await stage.sink.next() == .accepted(balls: 0))
            try await eventually("it is let go") { await service.status()[0].matches.isEmpty }
            stage.match.withLock { $0 = "live" }
            await stage.says("77 \(start) live", to: service, server)
            await server.asked(2) { $0.path == "/m/77" }
            try await eventually("it is polled") { await service.status()[0].matches.map(\.text) == ["77"] }
        }
    }

    @Test(arguments: ["live", "rain"]) func aMatchThatNeverEndsIsAskedSeldom(status: String) async throws {
        let stage = Stage("77 \(Self.now) \(status)", match: status)
        try await stage.running { server, service in
            #expect(await stage.sink.next() == .accepted(balls: 0))
            try await eventually("the first look is over") { await stage.sink.waits.count == 1 }
            stage.hand.advance(by: .seconds(5 * Self.hour))
            await service.pollNow(Self.feed)
            #expect(await stage.sink.next() == .unchanged)
            try await eventually("it is asked as seldom as overnight") {
                await stage.sink.waits.last.map { $0 > .seconds(260) } == true
            }
            // The list is read all the while: what it says otherwise is a reason to ask.
            let asked = server.requests.count { $0.path == "/m/77" }
            stage.match.withLock { $0 = "drinks" }
            stage.list.withLock { $0 = "77 \(Self.now) drinks" }
            await service.aliasesChanged()
            await server.asked(asked + 1) { $0.path == "/m/77" }
        }
    }
}
