// A reply that may be an old copy is applied when seen twice; meanwhile time confirms nothing that it contradicts.

import JournalSamples
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreLab

@Suite struct HeldReplyTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    /// A match whose newest ball took a wicket that is not announced yet, and the reply without that ball.
    private static func pending(_ hand: ManualClock) -> (MatchRehearsal, whole: Scorebook, short: Scorebook) {
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .cricsheet, clock: hand.clock())
        var book = Scorebook.begun
        for _ in 0..<3 { book.ball(1) }
        _ = rehearsal.accept(book.snapshot)
        let short = book
        book.ball(striker: "Rohit Sharma", out: ["Rohit Sharma"])
        _ = rehearsal.accept(book.snapshot)
        return (rehearsal, book, short)
    }

    @Test func timeConfirmsNothingThatAHeldReplyContradicts() {
        let hand = ManualClock()
        var (rehearsal, _, short) = Self.pending(hand)
        #expect(rehearsal.look == .seconds(10))
        hand.advance(by: .seconds(5))
        #expect(rehearsal.accept(short.snapshot) == .held(.scoreFell))
        #expect(rehearsal.look == nil, "a held reply is polled sooner still")
        hand.advance(by: .seconds(25))
        // The only timed change left is the feed's silence.
        #expect(rehearsal.tick() == JournalLimits.silenceInPlay - .seconds(30))
        #expect(rehearsal.news.isEmpty)
        // A 304 confirms no more than the reply before it.
        rehearsal.unchanged()
        #expect(rehearsal.news.isEmpty)
        guard case .applied = rehearsal.accept(short.snapshot) else {
            Issue.record("the second sighting was not applied")
            return
        }
        hand.advance(by: .seconds(30))
        rehearsal.tick()
        #expect(rehearsal.news.isEmpty)
    }

    @Test func aMomentSeenAgainIsAnnounced() {
        let hand = ManualClock()
        var (rehearsal, whole, short) = Self.pending(hand)
        #expect(rehearsal.accept(short.snapshot) == .held(.scoreFell))
        hand.advance(by: .seconds(26))
        rehearsal.tick()
        #expect(rehearsal.news.isEmpty)
        _ = rehearsal.accept(whole.snapshot)
        #expect(rehearsal.news.isEmpty, "its wait begins anew")
        hand.advance(by: .seconds(10))
        _ = rehearsal.accept(whole.snapshot)
        #expect(rehearsal.news.map(\.key.text) == ["w:1:1"])
    }

    @Test func timeConfirmsABallThatTheHeldReplyContains() {
        let hand = ManualClock()
        var (rehearsal, whole, _) = Self.pending(hand)
        var other = whole
        other.info.teams[1] = TeamInfo(id: "Greens", name: "Greens")
        #expect(rehearsal.accept(other.snapshot) == .held(.sidesChanged))
        #expect(rehearsal.wait == .seconds(25))
        hand.advance(by: .seconds(25))
        rehearsal.tick()
        #expect(rehearsal.news.map(\.key.text) == ["w:1:1"])
    }

    @Test func aWicketThatTheHeldReplyChangesWaits() {
        let hand = ManualClock()
        var (rehearsal, whole, _) = Self.pending(hand)
        var other = whole
        other.info.teams[1] = TeamInfo(id: "Greens", name: "Greens")
        other.amend(3) { $0.dismissals = [] }
        #expect(rehearsal.accept(other.snapshot) == .held(.sidesChanged))
        hand.advance(by: .seconds(25))
        rehearsal.tick()
        #expect(rehearsal.news.isEmpty)
    }

    /// A chase whose last known ball won it: the feed has no result status yet.
    private static func chased(_ hand: ManualClock) -> (MatchRehearsal, whole: Scorebook, short: Scorebook) {
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .cricsheet, clock: hand.clock())
        var book = Scorebook.begun
        book.ball(1)
        _ = rehearsal.accept(book.snapshot)
        book.begin(innings: 2, batting: .second)
        book.innings[0].isClosed = true
        book.ball(striker: "MS Dhoni")
        let short = book
        // A result that only the balls prove: it waits thirty seconds for the feed's own status.
        book.ball(4, striker: "MS Dhoni")
        _ = rehearsal.accept(book.snapshot)
        return (rehearsal, book, short)
    }

    @Test func theWaitStartsAgainAfterAHeldReply() {
        let hand = ManualClock()
        var (rehearsal, book, short) = Self.chased(hand)
        hand.advance(by: .seconds(25))
        #expect(rehearsal.accept(short.snapshot) == .held(.scoreFell))
        hand.advance(by: .seconds(1))
        _ = rehearsal.accept(book.snapshot)
        hand.advance(by: .seconds(29))
        rehearsal.unchanged()
        #expect(rehearsal.news.count { $0.kind == .result } == 0)
        hand.advance(by: .seconds(1))
        rehearsal.unchanged()
        #expect(rehearsal.news.count { $0.kind == .result } == 1)
    }

    @Test func aProvenResultIsAnnouncedWithAReply() {
        let hand = ManualClock()
        var (rehearsal, whole, _) = Self.chased(hand)
        #expect(rehearsal.look == nil, "a poll before the half minute is over would confirm nothing")
        hand.advance(by: .seconds(31))
        // No reply since: the only timed change left is the feed's silence.
        #expect(rehearsal.tick() == JournalLimits.silenceInPlay - .seconds(31))
        #expect(rehearsal.news.count { $0.kind == .result } == 0)
        whole.amend(whole.deliveries.count - 1) { $0.runs = DeliveryRuns(bat: 1) }
        var other = rehearsal
        _ = rehearsal.accept(whole.snapshot)
        hand.advance(by: .seconds(31))
        rehearsal.unchanged()
        #expect(rehearsal.news.count { $0.kind == .result } == 0)
        other.unchanged()
        #expect(other.news.count { $0.kind == .result } == 1)
    }

    @Test func aWicketWithAHeldWithdrawalIsNotAnnounced() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        book.ball(1)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        let short = book
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        #expect(try await writer.tick() == .seconds(25))
        #expect(try await writer.accept(short.snapshot, seenAt: Self.seen) == .held(.scoreFell))
        clock.advance(by: .seconds(25))
        #expect(try await writer.tick() == JournalLimits.silenceInPlay - .seconds(25))
        guard case .applied = try await writer.accept(short.snapshot, seenAt: Self.seen) else {
            Issue.record("the second sighting was not applied")
            return
        }
        clock.advance(by: .seconds(10))
        _ = try await writer.tick()
        #expect(try await bench.publications().compactMap(\.alertKey).isEmpty)
        #expect(try await bench.count("announced_moment") == 0)
    }
}
