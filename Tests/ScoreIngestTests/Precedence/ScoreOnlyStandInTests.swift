// A provider of totals replaces one with balls: with fewer details, and never with an old state.

import JournalSamples
import LiveSurface
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct ScoreOnlyStandInTests {
    private static let balls = FeedID(unchecked: "balls")
    private static let totals = FeedID(unchecked: "totals")

    private struct Setup {
        let bench: JournalBench
        let clock = ManualClock()
        let first: any ReplySink
        let second: any ReplySink

        init() async throws {
            let bench = try await JournalBench()
            self.bench = bench
            let intakes = bench.intakes([balls: 1, totals: 2], clock: clock.clock())
            first = await intakes.open(Scorebook.match, balls)
            second = await intakes.open(Scorebook.match, totals)
        }

        @discardableResult
        func say(_ book: Scorebook) async throws -> Acceptance {
            let source = JournalSource(.sportmonks, balls)
            return try await first.accept(SeenReply(book.snapshot, seenAt: clock.clock().wall, source: source))
                .acceptance
        }

        /// The match in CricketData's form: names for ids, no players, the sides in reverse order.
        @discardableResult
        func total(_ book: Scorebook, _ reported: [ReportedTotal]) async throws -> Acceptance {
            let teams = ["Chennai Super Kings", "Mumbai Indians"].map { TeamInfo(id: $0, name: $0) }
            let snapshot = MatchSnapshot(
                info: MatchInfo(format: .t20, ballLimit: 120, teams: teams, startsAt: 1_700_000_000),
                innings: reported.enumerated().map { index, total in
                    InningsInfo(
                        ordinal: index + 1,
                        batting: index == 0 ? .second : .first,
                        isClosed: index < reported.count - 1,
                        reported: total
                    )
                },
                status: book.status,
                result: book.result
            )
            let source = JournalSource(.cricketData, totals)
            return try await second.accept(SeenReply(snapshot, seenAt: clock.clock().wall, source: source)).acceptance
        }

        /// Both feeds are polled for so long, and the one with balls is silent.
        func silence(of span: Duration, _ book: Scorebook, _ reported: [ReportedTotal]) async throws {
            for _ in 0..<(span.components.seconds / 5) {
                clock.advance(by: .seconds(5))
                _ = try await total(book, reported)
            }
        }

        func state() async throws -> MatchReplica {
            var replica = MatchReplica()
            replica.apply(try await bench.changes())
            return replica
        }

        func content() async throws -> (leading: String?, overs: String?, text: String) {
            let replica = try await state()
            let info = try #require(replica.record.info)
            let content = ContentStateRenderer.render(replica.state, info: info, revision: 1)
            #expect(content.expanded.batters.isEmpty == (replica.state.currentInnings?.atCrease.isEmpty ?? true))
            return (
                content.compactLeading.score, content.compactTrailing.overs,
                String(decoding: ContentStateRenderer.bytes(of: content), as: UTF8.self)
            )
        }

        func alerts() async throws -> [String] { try await bench.publications().compactMap(\.alertKey) }
    }

    private static func begun() -> Scorebook {
        var book = Scorebook.begun
        let players = ["Rohit Sharma", "Ishan Kishan", "Surya"].map(Scorebook.player)
        book.info.teams[0] = TeamInfo(id: "MI", name: "Mumbai Indians", abbreviation: "MI", players: players)
        for runs in [0, 1, 4, 0, 2] { book.ball(runs) }
        return book
    }

    @Test("F15: totals replace balls, and balls return without a burst of alerts")
    func totalsReplaceBallsUntilTheyReturn() async throws {
        let setup = try await Setup()
        var book = Self.begun()
        try await setup.say(book)
        book.ball(out: ["Rohit Sharma"])
        try await setup.say(book)
        setup.clock.advance(by: .seconds(10))
        try await setup.say(book)
        let announced = try await setup.alerts()
        #expect(announced == ["w:1:1"])
        #expect(try await setup.content().leading == "7/1")
        // The feed with balls is silent; the other has an over more, and a wicket.
        try await setup.silence(of: .seconds(40), book, [ReportedTotal(runs: 19, wickets: 2, balls: 11)])
        let plain = try await setup.content()
        #expect(plain.leading == "19/2" && plain.overs == "1.5")
        // Batters and last balls are unknown now, so nothing old is shown as new.
        let card = try #require(try await setup.state().state.currentInnings)
        #expect(card.atCrease.isEmpty && card.bowler == nil && card.recent.isEmpty && card.partnership == nil)
        #expect(!plain.text.contains("Surya") && !plain.text.contains("Last wicket"))
        // Known balls, players and names stay known.
        let record = try await setup.state().record
        #expect(record.deliveries == book.deliveries && record.info == book.info)
        #expect(try await setup.bench.journal.lastFeed(of: Scorebook.match) == "totals")
        #expect(try await setup.total(book, [ReportedTotal(runs: 20, wickets: 2, balls: 13)]) != .dropped(.emptyList))
        #expect(try await setup.content().leading == "20/2")
        // All balls return at once: no alert for the past is sent.
        book.ball(6, striker: "Surya")
        book.ball(out: ["Surya"])
        for _ in 0..<4 { book.ball(1, striker: "Hardik") }
        book.ball(3, striker: "Hardik")
        for _ in 0..<10 {
            setup.clock.advance(by: .seconds(5))
            try await setup.say(book)
            try await setup.total(book, [ReportedTotal(runs: 20, wickets: 2, balls: 13)])
        }
        let back = try await setup.state()
        #expect(back.record.deliveries == book.deliveries)
        #expect(back.record.innings == book.innings, "the reported totals are dropped")
        #expect(try await setup.content().leading == "20/2")
        #expect(back.state.currentInnings?.atCrease.isEmpty == false)
        #expect(try await setup.bench.journal.lastFeed(of: Scorebook.match) == "balls")
        #expect(try await setup.alerts() == announced)
        // The next event is announced again.
        book.ball(out: ["Hardik"])
        for _ in 0..<2 {
            setup.clock.advance(by: .seconds(10))
            try await setup.say(book)
        }
        #expect(try await setup.alerts() == announced + ["w:1:3"])
    }

    /// The feed of the balls has totals as well, and is no feed of totals when its list of balls is empty.
    @Test func anEmptyListBesideTotalsIsDropped() async throws {
        let setup = try await Setup()
        let book = Self.begun()
        try await setup.say(book)
        var emptied = book
        emptied.deliveries = []
        emptied.innings[0].reported = ReportedTotal(runs: 9, wickets: 0, balls: 6)
        #expect(try await setup.say(emptied) == .dropped(.emptyList))
        let record = try await setup.state().record
        #expect(record.deliveries == book.deliveries && record.innings == book.innings)
    }

    @Test func detailsMissingFromTotalsAreNotShown() async throws {
        let setup = try await Setup()
        var book = Self.begun()
        book.ball(out: ["Rohit Sharma"])
        try await setup.say(book)
        // Fewer balls than are known: the standby feed is behind, and leads only after a longer silence.
        let old = ReportedTotal(runs: 5, wickets: 1, balls: 3)
        try await setup.silence(of: .seconds(60), book, [old])
        #expect(try await setup.bench.journal.lastFeed(of: Scorebook.match) == "balls")
        try await setup.silence(of: .seconds(100), book, [old])
        #expect(try await setup.bench.journal.lastFeed(of: Scorebook.match) == "totals")
        #expect(try await setup.content().leading == "7/1")
        // As many balls and the same total: the card is as complete as the balls are.
        _ = try await setup.total(book, [ReportedTotal(runs: 7, wickets: 1, balls: 6)])
        #expect(try await setup.state().state.currentInnings?.atCrease.isEmpty == false)
        // An old copy after a newer total waits until it is seen twice.
        _ = try await setup.total(book, [ReportedTotal(runs: 30, wickets: 3, balls: 20)])
        #expect(try await setup.total(book, [ReportedTotal(runs: 28, wickets: 3, balls: 19)]) == .held(.scoreFell))
        // Balls without anything else are no snapshot.
        #expect(try await setup.total(book, []) == .dropped(.emptyList))
        #expect(try await setup.content().leading == "30/3")
        // The remaining feed sends the end of the match.
        book.status = StatusReport(status: .result)
        book.result = ProviderResult(kind: .runs(10), winner: .second)
        let totals = [
            ReportedTotal(runs: 150, wickets: 6, balls: 120), ReportedTotal(runs: 140, wickets: 9, balls: 120),
        ]
        _ = try await setup.total(book, totals)
        let state = try await setup.state().state
        #expect(state.phase == .over && state.result?.winner == .first)
        #expect(state.innings.map(\.score) == ["150/6", "140/9"])
    }
}
