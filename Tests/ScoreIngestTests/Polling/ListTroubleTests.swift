// A failure of the list delays no match that can be polled.

import MatchEngine
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.timeLimit(.minutes(1))) struct ListTroubleTests {
    private static let feed = ListedFeed.feed
    private static let day: Int64 = 86_400

    private static var now: Int64 { ManualClock.wallAtZero.seconds }

    @Test("F1: a node that has never read the list polls a match in play")
    func unfinishedMatchesArePolledWithoutTheList() async throws {
        let setup = ListedFeed(nil)
        let known = UnfinishedMatch(match: MatchID(unchecked: "77"), startsAt: ManualClock.wallAtZero, phase: .live)
        try await setup.running(unfinished: [known]) { server, service in
            #expect(await setup.sink.next() == .accepted(balls: 0))
            #expect(server.requests.contains { $0.path == "/m/77" })
            #expect(await service.status()[0].matches == [known.match])
        }
    }

    @Test(arguments: ["stumps", "scheduled"])
    func aMatchListedAsLiveAgainIsPolledAtOnce(resting: String) async throws {
        let setup = ListedFeed("77 \(Self.now + 60) \(resting)")
        setup.match.withLock { $0 = resting }
        try await setup.running { server, service in
            #expect(await setup.sink.next() == .accepted(balls: 0))
            // An unchanged list wakes no match; the new match shows that it was read.
            setup.list.withLock { $0 = "77 \(Self.now + 60) \(resting)\n78 \(Self.now + Self.day) scheduled" }
            await service.aliasesChanged()
            while let event = await setup.sink.next(), event != .accepted(balls: 0) {}
            #expect(server.requests.count { $0.path == "/m/77" } == 1)
            // The list is ahead of the match's own page, which is still at rest at each poll.
            setup.list.withLock { $0 = "77 \(Self.now + 60) live" }
            await service.aliasesChanged()
            await server.received(2) { $0.path == "/m/77" }
            #expect(await setup.sink.next() != nil)
            await service.aliasesChanged()
            await server.received(2) { $0.path == "/m/77" }
        }
    }

    @Test(arguments: ["stumps", "scheduled"])
    func aMatchIsPolledAtItsListedStart(resting: String) async throws {
        let setup = ListedFeed("77 \(Self.now + 1_800) \(resting)")
        setup.match.withLock { $0 = resting }
        try await setup.running { server, service in
            #expect(await setup.sink.next() == .accepted(balls: 0))
            setup.hand.advance(by: .seconds(1_801))
            await service.aliasesChanged()
            await server.received(2) { $0.path == "/m/77" }
        }
    }

    @Test func anUnwritableMatchDelaysNoOther() async throws {
        let setup = ListedFeed("77 \(Self.now + Self.day) scheduled\n78 \(Self.now + 2 * Self.day) scheduled")
        let refusal = JournalError.postgres(PostgresError(.constraint, message: "no"))
        try await setup.running(refused: ["77": refusal]) { server, _ in
            guard case .announced(let fixture) = await setup.sink.next() else {
                Issue.record("not announced")
                return
            }
            #expect(fixture.match.text == "78")
            await server.received(1) { $0.path == "/m/77" }
        }
    }

    @Test func aFeedWithoutTheDutyAnnouncesNothing() async throws {
        let setup = ListedFeed("77 \(Self.now + Self.day) scheduled\n78 \(Self.now + 2 * Self.day) scheduled")
        try await setup.running(refused: ["77": .fenced]) { server, service in
            for count in 1...2 {
                try await eventually("it is tried with each list") {
                    setup.opened.withLock { $0.count } == count
                }
                await service.aliasesChanged()
            }
            #expect(setup.opened.withLock { $0 }.allSatisfy { $0.text == "77" })
            #expect(server.requests.allSatisfy { $0.path == "/list" })
        }
    }

    @Test func noticesAboutUnknownMatchesRarelyReadTheList() async throws {
        let setup = ListedFeed("70 \(Self.now) live")
        setup.match.withLock { $0 = "live" }
        try await setup.running { server, service in
            #expect(await setup.sink.next() == .accepted(balls: 0))
            func notify(_ match: String) async {
                await service.notice(Self.feed, ProviderMatchID(unchecked: match))
            }
            for count in 2...5 {
                await notify("99")
                // A polled match is requested at once throughout.
                await notify("70")
                await server.received(count) { $0.path == "/m/70" }
                #expect(server.requests.count { $0.path == "/list" } == 1)
            }
            await service.aliasesChanged()
            await server.received(2) { $0.path == "/list" }
            setup.hand.advance(by: .seconds(11))
            await notify("99")
            await server.received(3) { $0.path == "/list" }
        }
    }

    @Test func aRenamedMatchIsPolledOnce() async throws {
        let setup = ListedFeed("77 \(Self.now) live")
        setup.match.withLock { $0 = "live" }
        try await setup.running { server, service in
            #expect(await setup.sink.next() == .accepted(balls: 0))
            #expect(await service.status()[0].matches.map(\.text) == ["77"])
            setup.aliases.withLock { $0 = AliasTable([Alias(.match, .sportmonks, "77", means: "final")]) }
            await service.aliasesChanged()
            try await eventually("it has one name") { await service.status()[0].matches.map(\.text) == ["final"] }
            // A match is among the polled ones before its task has opened it.
            try await eventually("it is opened under it") { setup.opened.withLock(\.count) > 1 }
            await server.received(2) { $0.path == "/m/77" }
            #expect(setup.opened.withLock { $0 }.map(\.text) == ["77", "final"])
        }
    }

    @Test func aPushDoesNotEndTheBackOffOfTheList() {
        let hand = ManualClock()
        var list = FixtureList()
        func wait() -> Duration { list.wait(now: hand.clock().monotonic) }
        list.begins(now: hand.clock().monotonic)
        list.ended(.failed(retryAfter: .seconds(30)), interval: .seconds(60), hand.context(jitter: 0))
        list.pushed()
        #expect(wait() == .seconds(30))
        list.order()
        #expect(wait() == .zero)
        list.begins(now: hand.clock().monotonic)
        // A match that was pushed during the request for the list may be missing in it.
        list.pushed()
        hand.advance(by: .seconds(4))
        list.ended(.unchanged, interval: .seconds(60), hand.context())
        #expect(wait() == IngestLimits.listPushInterval - .seconds(4))
        list.begins(now: hand.clock().monotonic)
        list.ended(.unchanged, interval: .seconds(60), hand.context())
        #expect(wait() == .seconds(60))
    }
}
