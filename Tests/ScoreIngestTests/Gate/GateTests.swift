// Which replies are believed at once, which have to be seen twice, which are forgotten.

import MatchEngine
import Testing

@testable import ScoreIngest

private typealias Sample = CricsheetSample

@Suite struct GateTests {
    private let over = [Sample.ball(1), Sample.ball(2), Sample.ball(0), Sample.ball(4), Sample.ball(1), Sample.ball(1)]

    /// A poller in small: differ, gate, record.
    private struct Poller {
        var record = MatchRecord()
        var gate = Gate()

        mutating func see(_ snapshot: MatchSnapshot) -> Verdict {
            let changes = Differ.changes(from: record, to: snapshot)
            let verdict = gate.judge(changes, of: snapshot, against: record)
            if verdict == .apply { for change in changes { record.apply(change) } }
            return verdict
        }
    }

    private func poller(after snapshot: MatchSnapshot) -> Poller {
        var poller = Poller()
        #expect(poller.see(snapshot) == .apply)
        return poller
    }

    @Test func newBallsAndCorrectionsPass() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over]))
        #expect(poller.see(try Sample.snapshot(overs: [over, [Sample.ball(6)]])) == .apply)
        #expect(poller.see(try Sample.snapshot(overs: [over, [Sample.ball(0, extras: ["wides": 5])]])) == .apply)
    }

    @Test func anEmptyListNeverWithdraws() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over]))
        let empty = try Sample.snapshot(overs: [])
        for _ in 0..<5 { #expect(poller.see(empty) == .drop(.emptyList)) }
        #expect(poller.record.deliveries.count == 6)
    }

    @Test("F14: a mass withdrawal waits for a second sighting")
    func aMassWithdrawalWaitsForASecondSighting() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over, over]))
        let short = try Sample.snapshot(overs: [over, Array(over.prefix(2))])
        #expect(poller.see(short) == .hold(.massWithdrawal))
        #expect(poller.record.deliveries.count == 12)
        #expect(poller.see(short) == .apply)
        #expect(poller.record.deliveries.count == 8)
    }

    @Test func aGoodReplyBetweenForgetsTheFirstSighting() throws {
        let whole = try Sample.snapshot(overs: [over, over])
        var poller = poller(after: whole)
        let short = try Sample.snapshot(overs: [over])
        #expect(poller.see(short) == .hold(.massWithdrawal))
        #expect(poller.see(whole) == .apply)
        #expect(poller.see(short) == .hold(.massWithdrawal))
    }

    @Test("F13: an old copy is held and the match goes on")
    func anOldCopyIsHeldAndTheMatchGoesOn() throws {
        let nine = try Sample.snapshot(overs: [over, Array(over.prefix(2))])
        let ten = try Sample.snapshot(overs: [over, Array(over.prefix(3))])
        let eleven = try Sample.snapshot(overs: [over, Array(over.prefix(4))])
        var poller = poller(after: ten)
        #expect(poller.see(nine) == .hold(.scoreFell))
        #expect(poller.see(eleven) == .apply)
        #expect(poller.see(ten) == .hold(.scoreFell))
        #expect(poller.record.deliveries.count == 10)
    }

    @Test func aBallTakenOutOfTheMiddleIsACorrection() throws {
        var poller = poller(after: try Sample.snapshot(overs: [over, over]))
        var fewer = over
        fewer.remove(at: 1)
        #expect(poller.see(try Sample.snapshot(overs: [over, fewer])) == .apply)
        #expect(poller.record.deliveries.count == 11)
    }

    @Test func newBallsDoNotKeepATrueCorrectionWaiting() throws {
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
        // A count that began anew is not mistaken for an old copy for ever.
        for _ in 0..<Gate.olderRepliesMax { #expect(poller.see(try version(1, 6)) == .drop(.olderVersion)) }
        #expect(poller.see(try version(1, 6)) == .apply)
        #expect(poller.record.deliveries.count == 6)
    }

    @Test func aMatchThatComesBackFromItsEndIsSeenTwice() throws {
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
    func otherSidesUnderTheSameIdAreSeenTwice() throws {
        let ours = try Sample.snapshot(overs: [over])
        var other = ours
        other.info.teams[1] = TeamInfo(id: "Greens", name: "Greens")
        var poller = poller(after: ours)
        #expect(poller.see(other) == .hold(.sidesChanged))
        #expect(poller.see(other) == .apply)
    }
}
