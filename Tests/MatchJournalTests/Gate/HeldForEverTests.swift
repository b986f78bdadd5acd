// What is odd in another way each time is never seen twice, and for ever would be a match that stands still.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct HeldForEverTests {
    /// Whole, and two copies of which each has lost other balls.
    private static func pictures() -> (whole: Scorebook, copies: [Scorebook]) {
        var book = Scorebook.begun
        for _ in 0..<12 { book.ball(1) }
        let copies = [0, 4].map { lost in
            var copy = book
            copy.deliveries.removeSubrange(lost..<lost + 4)
            return copy
        }
        return (book, copies)
    }

    private static func judge(_ gate: inout Gate, _ book: Scorebook, _ record: MatchRecord, _ round: Int)
        -> Gate.Verdict
    {
        let changes = Differ.changes(from: record, to: book.snapshot)
        return gate.judge(changes, of: book.snapshot, against: record, at: JournalLimits.copyLife * round)
    }

    @Test("F14: who never says the same twice is believed in the end")
    func whoNeverSaysTheSameTwiceIsBelievedInTheEnd() {
        let (whole, copies) = Self.pictures()
        var (gate, record) = (Gate(), MatchRecord())
        for change in Differ.changes(from: record, to: whole.snapshot) { record.apply(change) }
        for round in 1...JournalLimits.heldReplies {
            #expect(Self.judge(&gate, copies[round % 2], record, round) == .hold(.massWithdrawal))
        }
        #expect(Self.judge(&gate, copies[1], record, JournalLimits.heldReplies + 1) == .apply)
        // What comes after it is doubted as long again.
        #expect(Self.judge(&gate, copies[0], record, JournalLimits.heldReplies + 2) == .hold(.massWithdrawal))
    }

    @Test func aGoodReplyBetweenBeginsTheCountAnew() {
        let (whole, copies) = Self.pictures()
        var (gate, record) = (Gate(), MatchRecord())
        for change in Differ.changes(from: record, to: whole.snapshot) { record.apply(change) }
        for round in 1...3 * JournalLimits.heldReplies {
            let isGood = round.isMultiple(of: JournalLimits.heldReplies)
            let verdict = Self.judge(&gate, isGood ? whole : copies[round % 2], record, round)
            #expect(verdict == (isGood ? .apply : .hold(.massWithdrawal)))
        }
    }
}
