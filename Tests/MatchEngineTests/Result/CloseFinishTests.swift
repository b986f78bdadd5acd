// The conditions of a close match, to the ball, the run and the wicket (PUBLICATION section 2: relevance 80).

import Testing

@testable import MatchEngine

@Suite struct CloseFinishTests {
    /// A chase of so many runs with so many balls and wickets left.
    private func chase(needed: Int, balls: Int, wickets: Int, bowled: Int = 12) -> MatchScript {
        var script = MatchScript.t20(balls: bowled + balls)
        script.status(.live)
        script.begin(.first)
        script.fill(runs: needed - 1, wickets: 1, balls: bowled + balls)
        script.reframe { $0.isClosed = true }
        script.begin(.second)
        script.fill(runs: 0, wickets: RuleSet.lastWicket - wickets, balls: bowled)
        return script
    }

    @Test(arguments: [
        (100, 60, 10, false), (100, 30, 10, false), (100, 29, 10, true), (40, 1, 10, true),
        (15, 60, 10, false), (14, 60, 10, true), (1, 60, 10, true),
        (100, 60, 3, false), (100, 60, 2, true), (100, 60, 1, true), (15, 30, 3, false), (14, 29, 2, true),
    ])
    func closenessDependsOnRunsBallsAndWickets(needed: Int, balls: Int, wickets: Int, isClose: Bool) throws {
        let state = chase(needed: needed, balls: balls, wickets: wickets).state
        let chase = try #require(state.chase)
        #expect(chase.needed == needed && chase.ballsLeft == balls && chase.wicketsLeft == wickets)
        #expect(state.isCloseFinish == isClose)
        #expect(state.relevance == (isClose ? 80 : 50))
    }

    /// Before its first ball a chase is a break, however small the target; afterwards it is over.
    @Test func onlyAStartedChaseCanBeClose() {
        var before = MatchScript.t20(balls: 12)
        before.status(.live)
        before.begin(.first)
        before.bowl("1 . . . . . . . . . . .")
        #expect(before.state.chase?.needed == 2 && before.state.chase?.hasBegun == false)
        #expect(!before.state.isCloseFinish && before.state.relevance == 50)
        var over = chase(needed: 2, balls: 12, wickets: 5)
        over.bowl("4")
        #expect(over.state.result != nil && !over.state.isCloseFinish)
        over.status(.result)
        #expect(over.state.relevance == 100)
    }

    /// A last innings of a Test has no limit of balls; runs and wickets decide.
    @Test(arguments: [(14, 5, true), (15, 5, false), (80, 2, true), (80, 3, false)])
    func aTestIsCloseByRunsOrWickets(needed: Int, wickets: Int, isClose: Bool) throws {
        var script = MatchScript.test()
        script.status(.live)
        for (side, runs) in [(Side.first, 100), (.second, 100), (.first, needed - 1)] {
            script.begin(side)
            script.fill(runs: runs, wickets: 10, balls: runs + 30)
        }
        script.begin(.second)
        script.fill(runs: 0, wickets: RuleSet.lastWicket - wickets, balls: 20)
        let chase = try #require(script.state.chase)
        #expect(chase.needed == needed && chase.ballsLeft == nil && chase.wicketsLeft == wickets)
        #expect(script.state.isCloseFinish == isClose)
    }
}
