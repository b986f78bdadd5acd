// The leading feed keeps the lead over a short absence and after the end of its match.

import JournalSamples
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct LeadingFeedTests {
    private static let one = TwoFeeds.one
    private static let two = TwoFeeds.two

    @Test func aLeaderWithAFailedWriterKeepsTheLeadForTheUsualSilence() async throws {
        var setup = try await TwoFeeds()
        let book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        #expect(try await setup.say(book, Self.two) == .standby)
        await setup.first.close()
        setup.clock.advance(by: .seconds(29))
        #expect(try await setup.say(book, Self.two) == .standby)
        // It is back, and the lead is unchanged.
        setup.first = await setup.intakes.open(Scorebook.match, Self.one)
        #expect(try await setup.say(book, Self.one) == .unchanged)
        await setup.first.close()
        setup.clock.advance(by: .seconds(30))
        #expect(try await setup.say(book, Self.two) == .held(.massWithdrawal))
    }

    @Test func theLastLeaderIsRememberedWithoutAnyFeed() async throws {
        var setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        await setup.first.close()
        await setup.second.close()
        setup.second = await setup.intakes.open(Scorebook.match, Self.two)
        var behind = book
        behind.deliveries.removeLast()
        #expect(try await setup.say(book, Self.two) == .standby)
        setup.clock.advance(by: .seconds(31))
        #expect(try await setup.say(behind, Self.two) == .standby, "behind, and not for long enough")
        book.ball(1)
        #expect(try await setup.say(book, Self.two) == .held(.massWithdrawal))
    }

    @Test func aLaggingFeedDoesNotChangeAFinishedMatch() async throws {
        let setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        let stuck = book
        book.end(winner: .first)
        _ = try await setup.say(book, Self.one)
        await setup.first.close()
        let before = try await setup.bench.changes()
        for announced in [book, stuck, stuck, book] {
            setup.clock.advance(by: .seconds(600))
            #expect(try await setup.say(announced, Self.two) == .standby)
            _ = try await setup.second.unchanged(
                seenAt: setup.clock.clock().wall,
                source: JournalSource(.roanuz, Self.two)
            )
        }
        #expect(try await setup.bench.changes() == before)
    }

    @Test func aFeedWithOtherSidesNeverLeads() async throws {
        let setup = try await TwoFeeds()
        let book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        await setup.first.close()
        var other = book
        other.info.teams = [TeamInfo(id: "A", name: "Avons"), TeamInfo(id: "B", name: "Bravos")]
        for _ in 0..<3 {
            setup.clock.advance(by: .seconds(120))
            #expect(try await setup.say(other, Self.two) == .standby)
        }
    }

    @Test("F15: a feed that sends only different old copies counts as silent")
    func aFeedWithHeldRepliesOnlyIsReplaced() async throws {
        let setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        for _ in 0..<8 { book.ball(1) }
        _ = try await setup.say(book, Self.one)
        // Two caches lack different balls: nothing is ever seen a second time.
        let copies = [0, 4].map { lost in
            var copy = book
            copy.deliveries.removeSubrange(lost..<lost + 4)
            return copy
        }
        book.ball(2, striker: "Surya")
        var last: [Acceptance] = []
        for round in 0..<12 {
            setup.clock.advance(by: .seconds(5))
            last = [try await setup.say(copies[round % 2], Self.one), try await setup.say(book, Self.two)]
        }
        #expect(last == [.standby, .unchanged])
        #expect(try await setup.bench.journal.lastFeed(of: Scorebook.match) == "two")
        #expect(try await setup.bench.writer().stored().record.deliveries.count == book.deliveries.count)
    }

    @Test func aCorrectionSeenTwiceKeepsTheLead() async throws {
        let setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        for _ in 0..<8 { book.ball(1) }
        _ = try await setup.say(book, Self.one)
        for _ in 0..<12 {
            book.deliveries.removeLast(1)
            setup.clock.advance(by: .seconds(5))
            #expect(try await setup.say(book, Self.one) == .held(.scoreFell))
            #expect(try await setup.say(book, Self.two) == .standby)
            setup.clock.advance(by: JournalLimits.copyLife)
            guard case .applied = try await setup.say(book, Self.one) else {
                Issue.record("a second sighting was not applied")
                return
            }
            #expect(try await setup.say(book, Self.two) == .standby)
            book.ball(1)
            _ = try await setup.say(book, Self.one)
        }
    }

    @Test("F15: a match has the names of the first feed that sent it, whichever was polled first")
    func theNamesAreThoseOfTheFirstFeed() async throws {
        var setup = try await TwoFeeds()
        let book = TwoFeeds.begun()
        // Its list has an incomplete entry, and its pages do not answer.
        let fixture = Fixture(id: ProviderMatchID(unchecked: "77"), match: Scorebook.match)
        try await setup.first.announce(fixture, source: JournalSource(.sportmonks, Self.one))
        setup.clock.advance(by: IngestLimits.firstChoiceGrace)
        guard case .applied = try await setup.say(book, Self.two) else {
            Issue.record("no feed leads the match")
            return
        }
        #expect(try await setup.bench.journal.head(of: Scorebook.match)?.feed == Self.two)
        // On another node, where the second is not there yet.
        await setup.first.close()
        await setup.second.close()
        setup.first = await setup.intakes.open(Scorebook.match, Self.one)
        setup.clock.advance(by: IngestLimits.leaderSilence + IngestLimits.leaderRecovery)
        for _ in 0..<3 {
            _ = try await setup.say(book, Self.one)
            setup.clock.advance(by: IngestLimits.leaderSilence)
        }
        #expect(try await setup.bench.journal.lastFeed(of: Scorebook.match) == "one")
        #expect(try await setup.bench.writer().stored().record.info?.teams.map(\.id) == ["team-CSK", "team-MI"])
    }

    @Test func anUnchangedAnswerIsComparedWithTheCurrentMatch() async throws {
        let setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        #expect(try await setup.say(book, Self.two) == .standby)
        for _ in 0..<3 { book.ball(1) }
        _ = try await setup.say(book, Self.one)
        setup.clock.advance(by: .seconds(31))
        // Totals that were level at their time are three balls behind by now.
        _ = try await setup.second.unchanged(seenAt: setup.clock.clock().wall, source: JournalSource(.roanuz, Self.two))
        #expect(await setup.intakes.intake(of: Scorebook.match, Self.one).leader == Self.one)
        #expect(try await setup.bench.writer().stored().record.deliveries.count == book.deliveries.count)
    }

    /// The second feed answers without news.
    private func repeatSecond(_ setup: TwoFeeds) async throws {
        _ = try await setup.second.unchanged(seenAt: setup.clock.clock().wall, source: JournalSource(.roanuz, Self.two))
    }

    @Test func aTakeoverThroughUnchangedAnswersIsWritten() async throws {
        let setup = try await TwoFeeds()
        var book = TwoFeeds.begun()
        _ = try await setup.say(book, Self.one)
        let first = book.deliveries.count
        book.ball(1)
        book.end(winner: .first)
        #expect(try await setup.say(book, Self.two) == .standby)
        setup.clock.advance(by: IngestLimits.leaderRestSilence + .seconds(1))
        try await repeatSecond(setup)
        #expect(await setup.intakes.intake(of: Scorebook.match, Self.one).leader == Self.two)
        let held = try await setup.bench.writer().stored().record
        #expect(held.deliveries.count == first && held.result == nil, "balls with other keys are seen twice")
        setup.clock.advance(by: JournalLimits.copyLife)
        try await repeatSecond(setup)
        let record = try await setup.bench.writer().stored().record
        #expect(record.deliveries.count == book.deliveries.count)
        #expect(record.status.status == .result && record.result != nil)
    }

    @Test func aReplyBeforeTheGraceOfTheFirstChoiceIsWrittenAfterIt() async throws {
        let setup = try await TwoFeeds()
        let book = TwoFeeds.begun()
        #expect(try await setup.say(book, Self.two) == .standby)
        setup.clock.advance(by: IngestLimits.firstChoiceGrace)
        try await repeatSecond(setup)
        #expect(try await setup.bench.writer().stored().record.deliveries.count == book.deliveries.count)
    }
}
