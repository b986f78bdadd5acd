// The gate: replies that are applied at once, replies that have to be seen twice, replies that are dropped.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal

private typealias Sample = CricsheetSample

@Suite struct GateTests {
    private let over = [Sample.ball(1), Sample.ball(2), Sample.ball(0), Sample.ball(4), Sample.ball(1), Sample.ball(1)]

    /// A small poller: differ, gate, record.
    private struct Poller {
        var record = MatchRecord()
        var gate = Gate()
        var now = Duration.zero

        /// Passes a reply on after an ordinary interval or the given one.
        mutating func see(_ snapshot: MatchSnapshot, after span: Duration = JournalLimits.copyLife) -> Gate.Verdict {
            now += span
            let changes = Differ.changes(from: record, to: snapshot)
            let verdict = gate.judge(changes, of: snapshot, against: record, at: now)
            if verdict == .apply { for change in changes { record.apply(change) } }
            return verdict
        }
    }

    private func poller(after snapshot: MatchSnapshot) -> Poller {
        var poller = Poller()
        #expect(poller.see(snapshot) == .apply)
        return poller
    }

    /// A match with a total and no balls.
    private static func total(_ runs: Int, _ balls: Int) -> MatchSnapshot {
        var book = Scorebook.begun
        book.innings[0].reported = ReportedTotal(runs: runs, wickets: 3, balls: balls)
        return book.snapshot
    }

    @Test func newBallsAndCorrectionsAreApplied() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over]))
        #expect(poller.see(try Sample.snapshot(overs: [over, [Sample.ball(6)]])) == .apply)
        #expect(poller.see(try Sample.snapshot(overs: [over, [Sample.ball(0, extras: ["wides": 5])]])) == .apply)
    }

    @Test func anEmptyListWithdrawsNoBalls() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over]))
        let empty = try Sample.snapshot(overs: [])
        for _ in 0..<5 { #expect(poller.see(empty) == .drop(.emptyList)) }
        #expect(poller.record.deliveries.count == 6)
    }

    @Test(arguments: [1, 3, 8]) func anEmptyListOfOneInningsWithdrawsNoBalls(balls: Int) {
        var book = Scorebook.begun
        for _ in 0..<6 { book.ball(1) }
        book.begin(innings: 2, batting: .second)
        for _ in 0..<balls { book.ball(4) }
        var poller = poller(after: book.snapshot)
        var empty = book
        empty.deliveries.removeAll { $0.innings == 2 }
        for _ in 0..<5 { #expect(poller.see(empty.snapshot) == .drop(.emptyList)) }
        #expect(poller.record.deliveries.count == 6 + balls)
        // The withdrawal of a whole innings is a mass withdrawal.
        empty.innings.removeLast()
        #expect(poller.see(empty.snapshot) == .hold(.massWithdrawal))
        #expect(poller.see(empty.snapshot) == .apply)
    }

    @Test(
        "F12: the first balls of an innings can all be taken back, an innings' worth of them never",
        arguments: [
            1, 3, 4,
        ]
    )
    func theFirstBallsOfAnInningsCanBeWithdrawn(balls: Int) {
        var book = Scorebook.begun
        for _ in 0..<6 { book.ball(1) }
        book.begin(innings: 2, batting: .second)
        for _ in 0..<balls { book.ball(4) }
        var poller = poller(after: book.snapshot)
        var empty = book
        empty.deliveries.removeAll { $0.innings == 2 }
        empty.status = StatusReport(status: .noResult)
        for _ in 0..<JournalLimits.emptiedReplies { #expect(poller.see(empty.snapshot) == .drop(.emptyList)) }
        for _ in 0..<3 { _ = poller.see(empty.snapshot) }
        let isBelieved = balls <= JournalLimits.withdrawals
        #expect(poller.record.deliveries.count == (isBelieved ? 6 : 6 + balls))
        #expect((poller.record.status.status == .noResult) == isBelieved)
    }

    @Test func anEmptyListOfTotalsWithdrawsNoTotal() {
        var book = Scorebook.begun
        book.innings[0].reported = ReportedTotal(runs: 87, wickets: 6, balls: 75)
        var poller = poller(after: book.snapshot)
        book.innings = []
        for _ in 0..<3 { #expect(poller.see(book.snapshot) == .drop(.emptyList)) }
    }

    @Test("F14: the same reply from a cache is no second sighting")
    func aCachedReplyConfirmsNothing() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over, over]))
        let short = try Sample.snapshot(overs: [over, Array(over.prefix(2))])
        #expect(poller.see(short) == .hold(.massWithdrawal))
        #expect(poller.see(short, after: .seconds(1)) == .hold(.massWithdrawal))
        #expect(poller.see(short, after: .seconds(2)) == .hold(.massWithdrawal))
        #expect(poller.record.deliveries.count == 12)
        #expect(poller.see(short, after: .seconds(2)) == .apply)
    }

    @Test("F14: an old copy before a silence and after it is no second sighting")
    func aSightingBeforeASilenceConfirmsNothing() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over, over]))
        let short = try Sample.snapshot(overs: [over, Array(over.prefix(2))])
        #expect(poller.see(short) == .hold(.massWithdrawal))
        #expect(poller.see(short, after: JournalLimits.silenceInPlay + .seconds(1)) == .hold(.massWithdrawal))
        #expect(poller.see(short) == .apply)
    }

    /// A chase of a first innings with so many runs, after so many balls.
    private static func chase(of runs: Int, after balls: Int) -> MatchSnapshot {
        var book = Scorebook.begun
        book.innings[0].reported = ReportedTotal(runs: runs, wickets: 6, balls: 120)
        book.begin(innings: 2, batting: .second)
        book.innings[1].reported = ReportedTotal(runs: balls, wickets: 0, balls: balls)
        return book.snapshot
    }

    /// A plan by the day allows a request a minute, or one in ten minutes.
    @Test(arguments: [64, 600]) func aCorrectionBySlowPollsIsAppliedAtItsSecondSighting(seconds: Int) {
        let interval = Duration.seconds(seconds)
        var poller = Poller()
        for balls in [6, 12] { #expect(poller.see(Self.chase(of: 170, after: balls), after: interval) == .apply) }
        #expect(poller.see(Self.chase(of: 168, after: 18), after: interval) == .hold(.scoreFell))
        var other = poller
        #expect(poller.see(Self.chase(of: 168, after: 24), after: interval) == .apply)
        // A held reply is repeated after two seconds, and then the plan delays the next poll again.
        #expect(other.see(Self.chase(of: 168, after: 18), after: .seconds(2)) == .hold(.scoreFell))
        #expect(other.see(Self.chase(of: 168, after: 24), after: interval) == .apply)
    }

    @Test func aFurtherFallOfATotalIsHeldAgain() {
        var poller = poller(after: Self.total(100, 60))
        #expect(poller.see(Self.total(90, 60)) == .hold(.scoreFell))
        #expect(poller.see(Self.total(80, 60)) == .hold(.scoreFell))
        // It was corrected to 80, and a run was scored since.
        #expect(poller.see(Self.total(81, 60)) == .apply)
    }

    /// The second of two old copies may be newer than the first, and looks like a match that continued.
    @Test("F14: another old total soon afterwards is no second sighting")
    func anotherOldTotalConfirmsNothing() {
        var poller = poller(after: Self.total(100, 60))
        #expect(poller.see(Self.total(90, 56)) == .hold(.scoreFell))
        #expect(poller.see(Self.total(95, 58), after: .seconds(1)) == .hold(.scoreFell))
        #expect(poller.see(Self.total(101, 61), after: .seconds(1)) == .apply)
        #expect(poller.see(Self.total(97, 61)) == .hold(.scoreFell))
        #expect(poller.see(Self.total(98, 61), after: .seconds(4)) == .hold(.scoreFell))
        #expect(poller.see(Self.total(98, 61), after: .seconds(1)) == .apply)
    }

    @Test("F14: a lower total with more balls is a correction, one with fewer balls an old copy for a minute")
    func theBallsOfATotalDistinguishCorrectionsFromCopies() {
        var poller = poller(after: Self.total(100, 60))
        #expect(poller.see(Self.total(98, 61)) == .apply)
        #expect(poller.see(Self.total(97, 60)) == .hold(.scoreFell))
        #expect(poller.see(Self.total(97, 60), after: .seconds(30)) == .hold(.scoreFell))
        #expect(poller.see(Self.total(97, 60), after: .seconds(29)) == .hold(.scoreFell))
        #expect(poller.see(Self.total(97, 60), after: .seconds(1)) == .apply)
    }

    /// One part of a reply may be new and another from a cache.
    @Test func anotherVersionOfTheSameBallsConfirmsNothing() throws {
        func version(_ number: Int, _ overs: [[String]]) throws -> MatchSnapshot {
            try Sample.snapshot(overs: overs, live: #"{"state":"live","version":\#(number)}"#)
        }
        var poller = poller(after: try version(7, [over, over]))
        let short = [over, Array(over.prefix(2))]
        #expect(poller.see(try version(8, short)) == .hold(.massWithdrawal))
        #expect(poller.see(try version(8, short), after: .seconds(1)) == .hold(.massWithdrawal))
        #expect(poller.see(try version(9, short), after: .seconds(1)) == .hold(.massWithdrawal))
        #expect(poller.see(try version(10, short + [[Sample.ball(4)]]), after: .seconds(1)) == .apply)
    }

    @Test("F14: a mass withdrawal waits for a second sighting")
    func aMassWithdrawalIsHeldUntilSeenTwice() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over, over]))
        let short = try Sample.snapshot(overs: [over, Array(over.prefix(2))])
        #expect(poller.see(short) == .hold(.massWithdrawal))
        #expect(poller.record.deliveries.count == 12)
        #expect(poller.see(short) == .apply)
        #expect(poller.record.deliveries.count == 8)
    }

    @Test func aGoodReplyResetsTheFirstSighting() throws {
        let whole = try Sample.snapshot(overs: [over, over])
        var poller = poller(after: whole)
        let short = try Sample.snapshot(overs: [over])
        #expect(poller.see(short) == .hold(.massWithdrawal))
        #expect(poller.see(whole) == .apply)
        #expect(poller.see(short) == .hold(.massWithdrawal))
    }

    @Test("F13: an old copy is held and newer replies are applied")
    func anOldCopyIsHeldAndNewRepliesAreApplied() throws {
        let nine = try Sample.snapshot(overs: [over, Array(over.prefix(2))])
        let ten = try Sample.snapshot(overs: [over, Array(over.prefix(3))])
        let eleven = try Sample.snapshot(overs: [over, Array(over.prefix(4))])
        var poller = poller(after: ten)
        #expect(poller.see(nine) == .hold(.scoreFell))
        #expect(poller.see(eleven) == .apply)
        #expect(poller.see(ten) == .hold(.scoreFell))
        #expect(poller.record.deliveries.count == 10)
    }

    @Test func aBallRemovedFromTheMiddleIsACorrection() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over, over]))
        var fewer = over
        fewer.remove(at: 1)
        #expect(poller.see(try Sample.snapshot(overs: [over, fewer])) == .apply)
        #expect(poller.record.deliveries.count == 11)
    }

    @Test func newBallsDoNotDelayACorrection() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over, over]))
        let base = try Sample.snapshot(overs: [over, over, Array(over.prefix(1))])
        var first = base
        first.deliveries.removeSubrange(2..<7)
        var second = try Sample.snapshot(overs: [over, over, Array(over.prefix(2))])
        second.deliveries.removeSubrange(2..<7)
        #expect(poller.see(first) == .hold(.massWithdrawal))
        #expect(poller.see(second) == .apply)
        #expect(poller.record.deliveries == second.deliveries)
    }

    @Test func anOlderVersionIsDropped() throws {
        func version(_ number: Int, _ count: Int) throws -> MatchSnapshot {
            try Sample.snapshot(overs: [Array(over.prefix(count))], live: #"{"state":"live","version":\#(number)}"#)
        }
        var poller = poller(after: try version(9, 4))
        #expect(poller.see(try version(8, 3)) == .drop(.olderVersion))
        #expect(poller.see(try version(10, 5)) == .apply)
        #expect(poller.see(try version(10, 5)) == .apply)
        // A count that restarted is not an old copy for ever.
        for _ in 0..<JournalLimits.olderReplies { #expect(poller.see(try version(1, 6)) == .drop(.olderVersion)) }
        #expect(poller.see(try version(1, 6)) == .apply)
        #expect(poller.record.deliveries.count == 6)
    }

    /// A page of balls may be an old copy beside a new match document.
    @Test("F14: balls that an incomplete reply lacks are not withdrawn")
    func missingBallsOfAnIncompleteReplyAreNotWithdrawn() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over, over]))
        // Without the mark the gate would apply it: a corrected ball, and two that are missing in the middle.
        var old = try Sample.snapshot(overs: [over, [Sample.ball(6)] + over.dropFirst(3)])
        old.isIncomplete = true
        for _ in 0..<JournalLimits.incompleteReplies { #expect(poller.see(old) == .hold(.incomplete)) }
        #expect(poller.record.deliveries.count == 12)
        // The provider's counts permanently differ from its balls.
        #expect(poller.see(old) == .apply)
        #expect(poller.record.deliveries == old.deliveries)
    }

    @Test func aCorrectedBallOfAnIncompleteReplyIsHeld() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over]))
        var right = try Sample.snapshot(overs: [over.dropLast() + [Sample.ball(6)]])
        for round in 0..<2 * JournalLimits.incompleteReplies {
            right.isIncomplete = true
            #expect(poller.see(right) == .hold(.incomplete))
            right.isIncomplete = false
            #expect(poller.see(right) == .apply)
            right = try Sample.snapshot(overs: [over.dropLast() + [Sample.ball(round)]])
        }
    }

    @Test func newBallsOfAnIncompleteReplyAreApplied() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over]))
        for count in 1...6 {
            var more = try Sample.snapshot(overs: [over, Array(over.prefix(count))])
            more.isIncomplete = true
            #expect(poller.see(more) == .apply)
        }
        #expect(poller.record.deliveries.count == 12)
    }

    /// The wicket may have been withdrawn since the page was stored.
    @Test func aWicketOfAnIncompleteReplyIsHeld() {
        var book = Scorebook.begun
        book.ball(1)
        var poller = poller(after: book.snapshot)
        book.ball(out: ["Rohit Sharma"])
        var old = book.snapshot
        old.isIncomplete = true
        #expect(poller.see(old) == .hold(.incomplete))
        #expect(poller.see(book.snapshot) == .apply)
        #expect(poller.record.deliveries.count == 2)
        var first = Poller()
        #expect(first.see(old) == .apply, "a writer without a record applies it")
    }

    @Test func aReturnFromTheEndIsHeldUntilSeenTwice() throws {
        var over = try Sample.snapshot(overs: [over])
        let live = over
        over.status = StatusReport(status: .result)
        over.result = ProviderResult(kind: .tie)
        var poller = poller(after: over)
        #expect(poller.see(live) == .hold(.resultTakenBack))
        #expect(poller.see(live) == .apply)
        #expect(poller.record.result == nil)
    }

    @Test("F16: other sides under the same id are seen twice")
    func otherSidesUnderOneIdAreHeldUntilSeenTwice() throws {
        let ours = try Sample.snapshot(overs: [over])
        var other = ours
        other.info.teams[1] = TeamInfo(id: "Greens", name: "Greens")
        var poller = poller(after: ours)
        #expect(poller.see(other) == .hold(.sidesChanged))
        #expect(poller.see(other) == .apply)
    }
}
