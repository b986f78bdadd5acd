// Every row of how a batter leaves (cricket.md C.2): credit to the bowler, whether a wicket falls, on which balls.

import Testing

@testable import MatchEngine

@Suite struct DismissalRowsTests {
    /// Kind, credit, whether a wicket falls.
    static let rows: [(DismissalKind, isCredited: Bool, isWicket: Bool)] = [
        (.bowled, true, true), (.lbw, true, true), (.caught, true, true), (.caughtAndBowled, true, true),
        (.stumped, true, true), (.hitWicket, true, true), (.runOut, false, true),
        (.obstructingTheField, false, true), (.hitTheBallTwice, false, true), (.timedOut, false, true),
        (.handledTheBall, false, true), (.retiredOut, false, true), (.retiredHurt, false, false),
        (.retiredNotOut, false, false), (.other, false, true),
    ]

    @Test func everyKindHasARow() { #expect(Set(Self.rows.map(\.0)) == Set(DismissalKind.allCases)) }

    @Test(arguments: rows)
    func aBatterLeavesByItsRow(kind: DismissalKind, isCredited: Bool, isWicket: Bool) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(dismissals: [Dismissal(kind: kind, out: script.batter(1))])
        let card = script.state.innings[0]
        #expect(card.wickets == (isWicket ? 1 : 0) && card.falls.count == card.wickets)
        #expect(card.bowlers[0].wickets == (isCredited ? 1 : 0))
        #expect(card.batters[0].status == (isWicket ? .out : .retired))
        #expect((card.batters[0].dismissedBy != nil) == isCredited)
        #expect(script.state.moments.contains { $0.kind == .wicket } == isWicket)
    }

    /// A feed's wicket is kept, also where the Laws exclude it: the feed may have facts that the record lacks.
    @Test(arguments: DismissalKind.allCases, [DeliveryRuns(wides: 1), DeliveryRuns(noBalls: 1)])
    func anImpossibleWicketIsKept(kind: DismissalKind, runs: DeliveryRuns) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(runs: runs, isLegal: false, dismissals: [Dismissal(kind: kind, out: script.batter(1))])
        let card = script.state.innings[0]
        #expect(card.wickets == (kind.countsAsWicket ? 1 : 0) && card.runs == 1 && card.legalBalls == 0)
    }

    @Test func absentBattersFallWithoutABall() {
        var script = MatchScript.t20()
        script.begin(.first) { $0.absent = [.named("Home Batter11")] }
        script.bowl("1")
        let card = script.state.innings[0]
        #expect(card.wickets == 0 && card.wicketsLeft == 9)
        #expect(card.batters.last?.howOut == "absent hurt")
    }

    @Test func aTimedOutBatterFacedNoBall() {
        var script = MatchScript.t20()
        script.begin(.first)
        let late = Dismissal(kind: .timedOut, out: script.batter(3))
        script.add(dismissals: [Dismissal(kind: .bowled, out: script.batter(1)), late])
        let card = script.state.innings[0]
        #expect(card.wickets == 2 && card.bowlers[0].wickets == 1)
        #expect(card.batters.last?.balls == 0 && card.batters.last?.howOut == "timed out")
    }
}
