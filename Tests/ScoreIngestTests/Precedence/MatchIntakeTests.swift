// Two providers send one match with different ids; the journal has one match.

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

@Suite struct MatchIntakeTests {
    private static let one = TwoFeeds.one
    private static let two = TwoFeeds.two

    @Test("F15: the second feed stands by and leads after a silence")
    func theStandbyFeedLeadsAfterASilence() async throws {
        let setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        guard case .applied = try await setup.say(book, Self.one) else {
            Issue.record("the first feed was not applied")
            return
        }
        #expect(try await setup.say(book, Self.two) == .standby)
        book.ball(out: ["Rohit Sharma"])
        _ = try await setup.say(book, Self.one)
        setup.clock.advance(by: .seconds(10))
        _ = try await setup.say(book, Self.one)
        #expect(try await setup.bench.publications().compactMap(\.alertKey) == ["w:1:1"])
        setup.clock.advance(by: .seconds(31))
        book.ball(2, striker: "Surya")
        // All balls with other keys look like a mass withdrawal, so they are seen twice.
        #expect(try await setup.say(book, Self.two) == .held(.massWithdrawal))
        setup.clock.advance(by: JournalLimits.copyLife)
        guard case .applied = try await setup.say(book, Self.two) else {
            Issue.record("no feed leads the match")
            return
        }
        let record = try await setup.bench.writer().stored().record
        #expect(record.deliveries.count == 6)
        // Sides and people are those stored first, and the wicket is not announced again.
        #expect(record.info?.teams.map(\.id) == ["MI", "CSK"])
        #expect(record.innings.map(\.batting) == [.first])
        #expect(record.deliveries.map(\.striker.id).last == "Surya")
        #expect(try await setup.bench.publications().compactMap(\.alertKey) == ["w:1:1"])
        let who = try await setup.bench.journal.statements(of: Scorebook.match)
        #expect(who.last?.source == JournalSource(.roanuz, Self.two))
    }

    @Test("F15: a feed that answers with an empty list counts as silent")
    func aFeedWithEmptyListsIsReplaced() async throws {
        let setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        var emptied = book
        emptied.deliveries = []
        book.ball(2, striker: "Surya")
        var last: [Acceptance] = []
        for _ in 0..<8 {
            setup.clock.advance(by: .seconds(5))
            last = [try await setup.say(emptied, Self.one), try await setup.say(book, Self.two)]
        }
        #expect(last == [.standby, .unchanged])
        #expect(try await setup.bench.journal.lastFeed(of: Scorebook.match) == "two")
        #expect(try await setup.bench.writer().stored().record.deliveries.count == book.deliveries.count)
    }

    @Test func theFirstFeedTakesTheLeadBack() async throws {
        let setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        setup.clock.advance(by: .seconds(31))
        _ = try await setup.say(book, Self.two)
        _ = try await setup.say(book, Self.two)
        var last: Acceptance?
        for _ in 0..<10 {
            setup.clock.advance(by: .seconds(5))
            book.ball(1)
            _ = try await setup.say(book, Self.two)
            last = try await setup.say(book, Self.one)
        }
        #expect(last != .standby)
        #expect(try await setup.say(book, Self.two) == .standby)
        #expect(try await setup.bench.journal.lastFeed(of: Scorebook.match) == "one")
        #expect(try await setup.bench.writer().stored().record.deliveries.count == book.deliveries.count)
    }

    @Test func aFeedThatNamesOtherSidesNeverLeads() async throws {
        let setup = try await TwoFeeds()
        let book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        var other = book
        other.info.teams = [TeamInfo(id: "A", name: "Avons"), TeamInfo(id: "B", name: "Bravos")]
        for _ in 0..<5 {
            setup.clock.advance(by: .seconds(60))
            #expect(try await setup.say(other, Self.two) == .standby)
        }
        #expect(try await setup.bench.writer().stored().record.info?.teams.map(\.id) == ["MI", "CSK"])
    }

    @Test func closingAnOldSinkDoesNotAffectANewerOne() async throws {
        let setup = try await TwoFeeds()
        let newer = await setup.intakes.open(Scorebook.match, Self.one)
        await setup.first.close()
        #expect(await setup.intakes.intake(of: Scorebook.match, Self.one).isAlone == false)
        // Nor the other way round, as when a list contains a match that is polled already.
        let last = await setup.intakes.open(Scorebook.match, Self.one)
        await last.close()
        await last.close()
        #expect(await setup.intakes.intake(of: Scorebook.match, Self.one).isAlone == false)
        await newer.close()
        #expect(await setup.intakes.intake(of: Scorebook.match, Self.one).isAlone == true)
    }

    @Test("F15: a disagreement is counted once each time that it begins")
    func disagreementsAreCounted() async throws {
        let metrics = TestMetrics()
        let setup = try await withMetricsFactory(metrics) { try await TwoFeeds() }
        let label = "score_feed_disagreements_total"
        let runs = try metrics.expectCounter(label, [("feed", "two"), ("kind", "runs")])
        let book = TwoFeeds.begun()
        var other = book
        other.amend(1) { $0.runs = DeliveryRuns(bat: 6) }
        _ = try await setup.say(book, Self.one)
        _ = try await setup.say(book, Self.two)
        #expect(metrics.counterTotal(label: label) == 0)
        for _ in 0..<2 {
            #expect(try await setup.say(other, Self.two) == .standby)
            #expect(try await setup.say(other, Self.two) == .standby)
            #expect(try await setup.say(book, Self.two) == .standby)
        }
        #expect(runs.totalValue == 2)
        #expect(metrics.counterTotal(label: label) == 2)
    }

    @Test("F15: disagreements are compared at equal balls")
    func disagreementsAreComparedAtEqualBalls() {
        var book = TwoFeeds.begun()
        let mine = MatchTotals(book.deliveries)
        book.amend(1) { $0.runs = DeliveryRuns(bat: 6) }
        #expect(mine.disagreements(with: MatchTotals(book.deliveries)) == [.runs])
        book.amend(0) { $0.dismissals = [Scorebook.dismissal("Rohit Sharma")] }
        #expect(mine.disagreements(with: MatchTotals(book.deliveries)) == [.runs, .wickets])
        book.ball(1)
        #expect(mine.disagreements(with: MatchTotals(book.deliveries)).isEmpty)
        #expect(mine.isBehind(MatchTotals(book.deliveries)) && !MatchTotals(book.deliveries).isBehind(mine))
    }

    @Test func anAliasIdentifiesAPlayer() {
        let book = AliasTable([
            Alias(.match, .roanuz, "iplt20_2026_g1", means: "mi-csk"),
            Alias(.team, .roanuz, "team-MI", means: "MI"),
            Alias(.player, .roanuz, "p-Rohit Sharma", means: "Rohit Sharma"),
        ])
        #expect(book.match(ProviderMatchID(unchecked: "iplt20_2026_g1"), of: .roanuz) == Scorebook.match)
        #expect(book.match(ProviderMatchID(unchecked: "other"), of: .roanuz) == MatchID(unchecked: "other"))
        #expect(book.match(ProviderMatchID(unchecked: "iplt20_2026_g1"), of: .sportmonks).text == "iplt20_2026_g1")
        let announced = TwoFeeds.foreign(TwoFeeds.begun().snapshot).named(by: book, of: .roanuz)
        #expect(announced.info.teams.map(\.id) == ["team-CSK", "MI"])
        #expect(announced.deliveries[0].striker.id == "Rohit Sharma")
        #expect(announced.deliveries[0].bowler.id == "p-Deepak Chahar")
    }

    @Test func aliasesSurviveTheirNode() async throws {
        let bench = try await JournalBench()
        let records = AliasRecords(pool: bench.pool)
        let aliases = [
            Alias(.match, .roanuz, "a", means: "m1"), Alias(.player, .sportmonks, "7", means: "p9"),
            Alias(.player, .sportmonks, "7", means: "p8"),
        ]
        try await records.put(aliases)
        #expect(try await records.table() == AliasTable(aliases))
        #expect(try await records.remove(.player, .sportmonks, "7"))
        #expect(try await records.remove(.player, .sportmonks, "7") == false)
        #expect(try await records.table().aliases == [aliases[0]])
    }
}
