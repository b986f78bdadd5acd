// A feed whose replies are odd in another way each time is never seen twice; a limit ends the hold.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct HeldReplyLimitTests {
    /// The whole, and two copies that lack different balls.
    private static func snapshots() -> (whole: Scorebook, copies: [Scorebook]) {
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

    @Test("F14: after the limit of held replies the next one is applied")
    func aReplyIsAppliedAfterTheLimitOfHeldReplies() {
        let (whole, copies) = Self.snapshots()
        var (gate, record) = (Gate(), MatchRecord())
        for change in Differ.changes(from: record, to: whole.snapshot) { record.apply(change) }
        for round in 1...JournalLimits.heldReplies {
            #expect(Self.judge(&gate, copies[round % 2], record, round) == .hold(.massWithdrawal))
        }
        #expect(Self.judge(&gate, copies[1], record, JournalLimits.heldReplies + 1) == .apply)
        // The next reply is held again until the limit.
        #expect(Self.judge(&gate, copies[0], record, JournalLimits.heldReplies + 2) == .hold(.massWithdrawal))
    }

    @Test func aGoodReplyResetsTheCountOfHeldReplies() {
        let (whole, copies) = Self.snapshots()
        var (gate, record) = (Gate(), MatchRecord())
        for change in Differ.changes(from: record, to: whole.snapshot) { record.apply(change) }
        for round in 1...3 * JournalLimits.heldReplies {
            let isGood = round.isMultiple(of: JournalLimits.heldReplies)
            let verdict = Self.judge(&gate, isGood ? whole : copies[round % 2], record, round)
            #expect(verdict == (isGood ? .apply : .hold(.massWithdrawal)))
        }
    }
}
