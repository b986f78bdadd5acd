// Every way in which an innings ends (cricket.md C.8), and the resulting card.

import Testing

@testable import MatchEngine

@Suite struct InningsEndTests {
    private func t20(_ marks: String, balls: Int = 12, _ frame: (inout InningsInfo) -> Void = { _ in }) -> InningsState
    {
        var script = MatchScript.t20(balls: balls)
        script.status(.live)
        script.begin(.first, frame)
        script.bowl(marks)
        return script.state.innings[0]
    }

    @Test func tenWicketsEndAnInnings() {
        let card = t20("4 W W W W W W W W W W", balls: 120)
        #expect(card.end == .allOut && card.wicketsLeft == 0 && card.score == "4")
    }

    @Test func nineWicketsDoNotEndAnInnings() {
        let card = t20("4 W W W W W W W W W", balls: 120)
        #expect(card.end == nil && card.score == "4/9")
    }

    @Test func absentBattersCountAsWickets() {
        let card = t20("W W W W W W W W", balls: 120) { $0.absent = [.named("One"), .named("Two")] }
        #expect(card.end == .allOut && card.wickets == 8)
    }

    @Test func theLimitOfBallsEndsAnInnings() {
        let card = t20("1 1 1 1 1 1 1 1 1 1 1 wd 1")
        #expect(card.end == .limitReached && card.ballsLeft == 0 && card.score == "13/0")
        #expect(t20("1 1 1 1 1 1 1 1 1 1 1 wd").end == nil)
    }

    @Test func theTargetEndsAnInnings() {
        let target = Target(runs: 10, balls: 12)
        #expect(t20("6 4") { $0.target = target }.end == .targetReached)
        #expect(t20("6 3") { $0.target = target }.end == nil)
        // A boundary counts in full: six needed one.
        let card = t20("6 3 6") { $0.target = target }
        #expect(card.end == .targetReached && card.runs == 15)
    }

    @Test func aDeclarationEndsAnInnings() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("4 4")
        script.reframe { $0.isDeclared = true }
        #expect(script.state.innings[0].end == .declared && script.state.innings[0].score == "8/0d")
    }

    @Test func anInningsMayBeForfeited() {
        var script = MatchScript.test()
        script.begin(.first)
        script.fill(runs: 200, wickets: 10, balls: 300)
        script.begin(.second) { $0.isForfeited = true }
        script.begin(.first) { $0.isForfeited = true }
        script.begin(.second)
        script.bowl("1")
        let state = script.state
        #expect(state.innings[1].end == .forfeited && state.innings[1].score == "forf")
        #expect(state.innings[3].target?.runs == 201)
        #expect(state.chase?.needed == 200)
    }

    @Test func theStatusOfTheFeedEndsAnInnings() {
        #expect(t20("1 1") { $0.isClosed = true }.end == .closed)
    }

    @Test func theNextInningsEndsAnInnings() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1 1")
        script.begin(.second)
        script.bowl("1")
        #expect(script.state.innings[0].end == .closed && script.state.innings[1].end == nil)
    }

    @Test(arguments: [MatchStatus.noResult, .abandoned, .drawn])
    func theEndOfTheMatchLeavesAnInningsUnfinished(status: MatchStatus) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1 1")
        script.status(status)
        #expect(script.state.innings[0].end == .matchOver)
        #expect(!script.state.moments.contains { $0.kind == .inningsEnd })
    }

    @Test func aSuperOverEndsWithTwoWicketsOrSixBalls() {
        func over(_ marks: String) -> InningsState {
            var script = MatchScript.t20(balls: 12)
            script.status(.superOver)
            script.begin(.first) { $0.superOver = 1 }
            script.bowl(marks)
            return script.state.innings[0]
        }
        #expect(over("1 W W").end == .allOut)
        #expect(over("1 1 1 W 1 1").end == .limitReached)
        #expect(over("1 1 1 W 1 wd").end == nil)
    }

    @Test func aLoweredLimitEndsAnInnings() {
        var script = MatchScript.t20(balls: 12)
        script.begin(.first) { $0.target = nil }
        script.bowl("1 1 1 1 1 1")
        #expect(script.state.innings[0].end == nil)
        script.info.ballLimit = 6
        var replica = script.replica
        replica.apply(.info(script.info))
        #expect(replica.state.innings[0].end == .limitReached)
    }

    @Test func aSideOfEightIsAllOutForSeven() {
        var info = MatchInfo.make(.t20, ballLimit: 120)
        let eight = (1...8).map { Player.named("Home Batter\($0)") }
        info.teams[0] = TeamInfo(id: "1", name: "Mumbai Indians", players: eight)
        var script = MatchScript(info)
        script.begin(.first)
        script.bowl("1 W W W W W W W")
        #expect(script.state.innings[0].end == nil)
        script.reframe { $0.isClosed = true }
        #expect(script.state.innings[0].end == .allOut)
    }
}
