// Days before the first ball the lists of two feeds contain one match; the standby feed withdraws nothing.

import CoreMetrics
import JournalSamples
import MatchEngine
import MatchSamples
import MetricsTestKit
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct ListPrecedenceTests {
    private static let one = TwoFeeds.one
    private static let two = TwoFeeds.two
    private static let start: Int64 = 1_800_000_000

    /// Two feeds that only read lists: each entry has its own sink.
    private struct Lists {
        let bench: JournalBench
        let clock = ManualClock()
        var intakes: MatchIntakes

        init(_ precedence: [FeedID: Int] = [one: 1, two: 2]) async throws {
            bench = try await JournalBench()
            intakes = bench.intakes(precedence, clock: clock.clock())
        }

        /// The sides of `two` have other ids and the reverse order.
        func list(
            _ feed: FeedID,
            startsAt: Int64 = start,
            status: MatchStatus = .scheduled,
            teams: [TeamInfo]? = nil
        ) async throws {
            var named = Scorebook().info.teams
            if feed == two { named = TwoFeeds.foreign(Scorebook().snapshot).info.teams }
            let fixture = Fixture(
                id: ProviderMatchID(unchecked: "77"),
                match: Scorebook.match,
                startsAt: startsAt,
                status: status,
                teams: teams ?? named,
                format: .t20
            )
            let sink = await intakes.open(Scorebook.match, feed)
            try await sink.announce(fixture, source: Self.source(feed))
            await sink.close()
        }

        func look(_ feed: FeedID, _ snapshot: MatchSnapshot) async throws -> Acceptance {
            let sink = await intakes.open(Scorebook.match, feed)
            let announced = feed == two ? TwoFeeds.foreign(snapshot) : snapshot
            let reply = SeenReply(announced, seenAt: clock.clock().wall, source: Self.source(feed))
            let acceptance = try await sink.accept(reply).acceptance
            await sink.close()
            return acceptance
        }

        func known() async throws -> MatchRecord { try await bench.writer().stored().record }

        private static func source(_ feed: FeedID) -> JournalSource {
            JournalSource(feed == one ? .sportmonks : .roanuz, feed)
        }
    }

    @Test("F15: a second list with the sides in reverse order changes neither their places nor their squads")
    func aSecondListDoesNotSwapTheSides() async throws {
        let lists = try await Lists()
        try await lists.list(Self.one)
        var book = Scorebook()
        book.info.startsAt = Self.start
        book.info.teams[0] = TeamInfo(id: "MI", name: "Mumbai Indians", players: [Scorebook.player("Rohit Sharma")])
        _ = try await lists.look(Self.one, book.snapshot)
        let before = try await lists.known().info
        try await lists.list(Self.two)
        #expect(try await lists.known().info == before)
        // Nor when its entry is applied, since it precedes the other.
        let other = try await Lists([Self.one: 2, Self.two: 1])
        try await other.list(Self.one)
        try await other.list(Self.two, startsAt: Self.start + 60)
        #expect(try await other.known().info?.teams.map(\.id) == ["MI", "CSK"])
        #expect(try await other.known().info?.startsAt == Self.start + 60)
    }

    @Test(
        "F15: the list of the first feed is applied to a match ahead, whichever listed it first",
        arguments: [[one, two], [two, one]]
    )
    func theListOfTheFirstFeedIsApplied(order: [FeedID]) async throws {
        let lists = try await Lists()
        for feed in order { try await lists.list(feed) }
        try await lists.list(Self.two, startsAt: Self.start + 7_200)
        #expect(try await lists.known().info?.startsAt == Self.start)
        try await lists.list(Self.one, startsAt: Self.start + 3_600)
        #expect(try await lists.known().info?.startsAt == Self.start + 3_600)
        try await lists.list(Self.two, status: .cancelled)
        #expect(try await lists.known().status.status == .scheduled)
        #expect(try await lists.bench.publications().compactMap(\.alertKey).isEmpty)
        try await lists.list(Self.one, status: .cancelled)
        #expect(try await lists.known().status.status == .cancelled)
    }

    @Test func theLeaderOfAMatchAheadIsKnownAfterARestart() async throws {
        var lists = try await Lists()
        try await lists.list(Self.one)
        lists.intakes = lists.bench.intakes([Self.one: 1, Self.two: 2], clock: lists.clock.clock())
        try await lists.list(Self.two, startsAt: Self.start + 7_200)
        #expect(try await lists.known().info?.startsAt == Self.start)
        // A feed that was removed from the settings is not awaited.
        lists.intakes = lists.bench.intakes([Self.two: 2], clock: lists.clock.clock())
        try await lists.list(Self.two, startsAt: Self.start + 7_200)
        #expect(try await lists.known().info?.startsAt == Self.start + 7_200)
    }

    @Test func theFirstOfTwoEqualFeedsIsApplied() async throws {
        let lists = try await Lists([Self.one: 1, Self.two: 1])
        try await lists.list(Self.one)
        try await lists.list(Self.two, status: .postponed)
        #expect(try await lists.known().status.status == .scheduled)
        try await lists.list(Self.one, status: .postponed)
        #expect(try await lists.known().status.status == .postponed)
    }

    @Test func aPollOfAStandbyFeedChangesNothing() async throws {
        let lists = try await Lists()
        try await lists.list(Self.one)
        var book = Scorebook()
        book.info.startsAt = Self.start + 7_200
        #expect(try await lists.look(Self.two, book.snapshot) == .standby)
        #expect(try await lists.known().info?.startsAt == Self.start)
        guard case .applied = try await lists.look(Self.one, book.snapshot) else {
            Issue.record("the first feed was not applied")
            return
        }
        #expect(try await lists.known().info?.startsAt == Self.start + 7_200)
    }

    @Test func theOnlyPolledFeedLeadsAMatchAheadAfterTheSilence() async throws {
        let lists = try await Lists()
        try await lists.list(Self.one)
        var book = Scorebook()
        book.info.startsAt = Self.start + 7_200
        let announced = TwoFeeds.foreign(book.snapshot)
        let sink = await lists.intakes.open(Scorebook.match, Self.two)
        let reply = SeenReply(announced, seenAt: lists.clock.clock().wall, source: JournalSource(.roanuz, Self.two))
        #expect(try await sink.accept(reply).acceptance == .standby)
        lists.clock.advance(by: IngestLimits.leaderRestSilence)
        guard case .applied = try await sink.accept(reply).acceptance else {
            Issue.record("no feed leads the match")
            return
        }
        #expect(try await lists.known().info?.startsAt == Self.start + 7_200)
        #expect(try await lists.known().info?.teams.map(\.id) == ["MI", "CSK"])
        // As long as it is polled, the list of another does not override it.
        try await lists.list(Self.one, status: .postponed)
        #expect(try await lists.known().status.status == .scheduled)
    }

    @Test("F16: one id of two providers for two matches belongs to the feed that sent it first")
    func anotherMatchUnderTheSameIDIsIgnored() async throws {
        let metrics = TestMetrics()
        let others = [TeamInfo(id: "A", name: "Avons"), TeamInfo(id: "B", name: "Bravos")]
        let lists = try await withMetricsFactory(metrics) { try await Lists([Self.one: 2, Self.two: 1]) }
        try await lists.list(Self.one)
        let before = try await lists.bench.changes()
        try await lists.list(Self.two, teams: others)
        let sides = try metrics.expectCounter(
            "score_feed_disagreements_total",
            [("feed", "two"), ("kind", "sides")]
        )
        #expect(sides.totalValue == 1)
        var book = Scorebook()
        book.info.teams = others
        #expect(try await lists.look(Self.two, book.snapshot) == .standby)
        #expect(try await lists.look(Self.two, book.snapshot) == .standby)
        #expect(try await lists.bench.changes() == before)
        // The leading feed may name the finalists.
        try await lists.list(Self.one, teams: others)
        #expect(try await lists.known().info?.teams.map(\.id) == ["A", "B"])
    }
}
