// Limits and ends of some formats: balls, days, targets from totals (cricket.md C.8, C.13, C.14).

import Testing

@testable import MatchEngine

@Suite struct LimitRowsTests {
    /// A Test is limited by time (cricket.md C.14): balls of a target in a feed are not among its rules.
    @Test func aTestHasNoLimitOfBalls() throws {
        var script = MatchScript.test()
        for (side, runs) in [(Side.first, 30), (.second, 40), (.first, 25)] {
            script.begin(side)
            script.fill(runs: runs, wickets: 10, balls: 40)
        }
        script.begin(.second) { $0.target = Target(runs: 16, balls: 6) }
        script.bowl("1 . . . . . .")
        let card = script.state.innings[3]
        #expect(card.limit == nil && card.ballsLeft == nil && card.end == nil)
        let chase = try #require(script.state.chase)
        #expect(chase.needed == 15 && chase.ballsLeft == nil && chase.requiredRate == nil)
    }

    /// Totals of a Test: each closed innings counts, and the fourth has its target.
    @Test func aTestWithTotalsHasItsTarget() throws {
        var replica = MatchReplica()
        replica.apply([.info(.make(.test)), .status(StatusReport(status: .live))])
        for (ordinal, side, runs, wickets) in [(1, Side.first, 300, 8), (2, .second, 250, 10), (3, .first, 150, 6)] {
            let total = ReportedTotal(runs: runs, wickets: wickets, balls: 500)
            replica.apply(.innings(InningsInfo(ordinal: ordinal, batting: side, isClosed: true, reported: total)))
        }
        let total = ReportedTotal(runs: 20, wickets: 1, balls: 60)
        replica.apply(.innings(InningsInfo(ordinal: 4, batting: .second, reported: total)))
        let chase = try #require(replica.state.chase)
        #expect(chase.target.runs == 201 && chase.needed == 181 && chase.wicketsLeft == 9 && chase.hasBegun)
    }

    /// A match whose totals began before the first reply has no day that could be counted from its breaks.
    @Test(arguments: [(0, 1), (1, nil)] as [(Int, Int?)]) func totalsProveThatPlayHadBegun(runs: Int, day: Int?) {
        var replica = MatchReplica()
        let total = ReportedTotal(runs: runs, wickets: 0, balls: 0)
        replica.apply([.info(.make(.test)), .innings(InningsInfo(ordinal: 1, batting: .first, reported: total))])
        replica.apply([.status(StatusReport(status: .toss)), .status(StatusReport(status: .live))])
        let begun = ReportedTotal(runs: 40, wickets: 1, balls: 60)
        replica.apply(.innings(InningsInfo(ordinal: 1, batting: .first, reported: begun)))
        replica.apply(.status(StatusReport(status: .stumps)))
        #expect(replica.state.day == day)
    }

    /// A side that uses up its balls is not all out, even without further batters; a short side with balls is.
    @Test(arguments: [
        ("1 W W W W W W W W W . W", InningsEnd.allOut, "1"), ("1 1 1 W W W W W W W W W", .limitReached, "3/9"),
        ("1 1 W W W W W W W W W", .allOut, "2"), ("1 1 1 W W W W W W W W", .closed, "3/8"),
    ])
    func aClosedInningsEndsByItsBallsOrItsWickets(marks: String, end: InningsEnd, score: String) {
        var script = MatchScript.t20(balls: 12)
        script.begin(.first)
        script.bowl(marks)
        script.reframe { $0.isClosed = true }
        #expect(script.state.innings[0].end == end && script.state.innings[0].score == score)
    }
}
