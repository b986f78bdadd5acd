// Tests and first-class matches: lead, deficit, need, follow-on, declarations, forfeits, draws (cricket.md C.13).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct TwoInningsTests {
    private func text(_ state: MatchState) -> String? { state.result?.text { $0 == .first ? "India" : "Australia" } }

    /// India 100, then Australia as given.
    private func match(_ innings: [(Side, runs: Int, wickets: Int)]) -> MatchScript {
        var script = MatchScript.test()
        script.status(.toss)
        script.status(.live)
        for (side, runs, wickets) in innings {
            script.begin(side)
            script.fill(runs: runs, wickets: wickets, balls: runs + 20)
        }
        return script
    }

    @Test func leadAndDeficitAreOfTheBattingSide() {
        #expect(match([(.first, 100, 10)]).state.lead == nil)
        #expect(match([(.first, 100, 10), (.second, 60, 3)]).state.lead == Lead(side: .second, runs: -40))
        let third = match([(.first, 100, 10), (.second, 60, 10), (.first, 30, 2)])
        #expect(third.state.lead == Lead(side: .first, runs: 70))
        #expect(third.state.chase == nil)
        #expect(third.drawn().expanded.line == "IND lead by 70")
    }

    @Test func theLastInningsShowsTheRunsNeeded() throws {
        let script = match([(.first, 100, 10), (.second, 60, 10), (.first, 80, 10), (.second, 30, 2)])
        let chase = try #require(script.state.chase)
        #expect(chase.target.runs == 121 && chase.needed == 91 && chase.ballsLeft == nil && chase.wicketsLeft == 8)
        let content = script.drawn()
        #expect(content.expanded.line == "AUS need 91 to win")
        #expect(content.compactTrailing.text == "need 91")
        #expect(content.small.line == "need 91")
    }

    @Test func theBreakBeforeShowsTheRunsNeeded() {
        let script = match([(.first, 100, 10), (.second, 60, 10), (.first, 80, 10)])
        #expect(script.state.chase?.side == .second)
        #expect(script.state.chase?.needed == 121)
        #expect(script.drawn().small.line == "AUS need 121")
    }

    @Test func winsAreByWicketsRunsOrAnInnings() {
        let chased = match([(.first, 100, 10), (.second, 60, 10), (.first, 20, 10), (.second, 61, 4)])
        #expect(text(chased.state) == "Australia won by 6 wickets")
        let defended = match([(.first, 100, 10), (.second, 60, 10), (.first, 20, 10), (.second, 59, 10)])
        #expect(text(defended.state) == "India won by 1 run")
        let innings = match([(.first, 100, 10), (.second, 300, 10), (.first, 157, 10)])
        #expect(text(innings.state) == "Australia won by an innings and 43 runs")
        let tied = match([(.first, 100, 10), (.second, 60, 10), (.first, 20, 10), (.second, 60, 10)])
        #expect(text(tied.state) == "Match tied")
    }

    @Test func aFollowOnIsMarkedAndMayEndInAnInningsDefeat() {
        var script = match([(.first, 300, 10), (.second, 60, 10), (.second, 50, 3)])
        #expect(script.state.innings[2].isFollowOn)
        #expect(script.drawn().expanded.teams[1].score == "60 & 50/3 (f/o)")
        #expect(script.drawn().compactLeading.score == "60 & 50/3")
        #expect(script.state.lead?.runs == -190)
        script = match([(.first, 300, 10), (.second, 60, 10), (.second, 50, 10)])
        #expect(text(script.state) == "India won by an innings and 190 runs")
        let turned = match([(.first, 100, 10), (.second, 20, 10), (.second, 200, 10), (.first, 30, 1)])
        #expect(turned.state.chase?.target.runs == 121 && turned.state.chase?.side == .first)
    }

    @Test func declarationsAreWritten() {
        var script = match([(.first, 487, 6)])
        script.reframe { $0.isDeclared = true }
        #expect(script.state.innings[0].score == "487/6d" && script.state.innings[0].end == .declared)
        #expect(script.drawn().expanded.line == "IND 487/6 declared")
        #expect(script.state.moments.last?.title == "Declared")
    }

    @Test func aForfeitedInningsCountsAsNothing() {
        var script = match([(.first, 100, 10)])
        script.begin(.second) { $0.isForfeited = true }
        script.begin(.first) { $0.isForfeited = true }
        script.begin(.second)
        script.bowl("1 4")
        #expect(script.state.chase?.target.runs == 101)
        #expect(script.drawn().expanded.teams[1].score == "forf & 5/0")
        script.fill(runs: 96, wickets: 0, balls: 90)
        #expect(text(script.state) == "Australia won by 10 wickets")
    }

    @Test func aDrawOverridesTotals() {
        var script = match([(.first, 100, 10), (.second, 60, 10), (.first, 80, 10), (.second, 120, 4)])
        #expect(script.state.result == nil)
        script.status(.drawn)
        #expect(text(script.state) == "Match drawn")
        #expect(script.state.result?.winner == nil)
        script.status(.result)
        script.result(ProviderResult(kind: .draw))
        #expect(text(script.state) == "Match drawn")
        #expect(script.drawn().minimal.text == "drawn")
    }

    @Test func aDrawnMatchLeavesItsLastInningsOpen() {
        var script = match([(.first, 100, 10), (.second, 60, 10), (.first, 80, 10), (.second, 110, 9)])
        script.add(dismissals: [Dismissal(kind: .retiredHurt, out: script.batter(script.striker))])
        var drawn = script
        drawn.status(.drawn)
        #expect(text(drawn.state) == "Match drawn" && drawn.state.innings[3].score == "110/9")
        script.status(.result)
        #expect(text(script.state) == "India won by 10 runs" && script.state.innings[3].score == "110")
    }

    @Test func theDayStandsBeforeTheScore() {
        var script = match([(.first, 2, 0)])
        script.status(.stumps)
        #expect(script.drawn().expanded.line == "Day 1, stumps: IND 2/0 after 3.4 overs")
        script.status(.live)
        #expect(script.drawn().expanded.line == "Day 2: IND 2/0 after 3.4 overs")
    }
}
