// Providers forget matches: one that never begins or never ends is polled rarely and occupies no place.

import MatchEngine
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.timeLimit(.minutes(1))) struct EndlessMatchTests {
    private static let feed = ListedFeed.feed
    private static let hour: Int64 = 3_600
    private static var now: Int64 { ManualClock.wallAtZero.seconds }

    @Test func anUnstartedMatchIsReleasedHalfADayAfterItsStart() async throws {
        let start = Self.now - 11 * Self.hour
        let setup = ListedFeed("77 \(start) scheduled", match: "scheduled")
        try await setup.running { server, service in
            #expect(await setup.sink.next() == .accepted(balls: 0))
            #expect(await service.status()[0].matches.map(\.text) == ["77"])
            setup.hand.advance(by: .seconds(2 * Self.hour))
            await service.pollNow(Self.feed)
            try await eventually("it is released") { await service.status()[0].matches.isEmpty }
            let requested = server.requests.count { $0.path == "/m/77" }
            await setup.says("77 \(start) scheduled", to: service, server)
            #expect(await service.status()[0].matches.isEmpty)
            #expect(server.requests.count { $0.path == "/m/77" } == requested)
            // Another start and another status return it.
            await setup.says("77 \(Self.now + 2 * Self.hour) scheduled", to: service, server)
            await server.received(requested + 1) { $0.path == "/m/77" }
        }
    }

    @Test func anUnstartedMatchIsPolledAgainWhenListedAsLive() async throws {
        let start = Self.now - 13 * Self.hour
        let setup = ListedFeed("77 \(start) scheduled", match: "scheduled")
        try await setup.running { server, service in
            #expect(await setup.sink.next() == .accepted(balls: 0))
            try await eventually("it is released") { await service.status()[0].matches.isEmpty }
            setup.match.withLock { $0 = "live" }
            await setup.says("77 \(start) live", to: service, server)
            await server.received(2) { $0.path == "/m/77" }
            try await eventually("it is polled") { await service.status()[0].matches.map(\.text) == ["77"] }
        }
    }

    @Test(arguments: ["live", "rain"]) func anEndlessMatchIsPolledRarely(status: String) async throws {
        let setup = ListedFeed("77 \(Self.now) \(status)", match: status)
        try await setup.running { server, service in
            #expect(await setup.sink.next() == .accepted(balls: 0))
            try await eventually("the first look is over") { await setup.sink.waits.count == 1 }
            setup.hand.advance(by: .seconds(5 * Self.hour))
            await service.pollNow(Self.feed)
            #expect(await setup.sink.next() == .unchanged)
            try await eventually("it is polled as rarely as overnight") {
                await setup.sink.waits.last.map { $0 > .seconds(260) } == true
            }
            // The list is read throughout: its changes trigger a poll.
            let requested = server.requests.count { $0.path == "/m/77" }
            setup.match.withLock { $0 = "drinks" }
            setup.list.withLock { $0 = "77 \(Self.now) drinks" }
            await service.aliasesChanged()
            await server.received(requested + 1) { $0.path == "/m/77" }
        }
    }
}

extension ListedFeed {
    /// Triggers a read of the list and awaits it; a match far ahead marks it.
    fileprivate func says(_ text: String, to service: IngestService, _ server: ScriptedServer) async {
        let mark = "mark\(server.requests.count { $0.path == "/list" })"
        list.withLock { $0 = "\(text)\n\(mark) \(ManualClock.wallAtZero.seconds + 360_000) scheduled" }
        await service.aliasesChanged()
        while let event = await sink.next() {
            if case .announced(let fixture) = event, fixture.match.text == mark { return }
        }
    }
}
