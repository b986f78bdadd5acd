// How a score is written: three ways around the world, declared, all out, two innings (cricket.md C.16).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct ScoreStyleTests {
    private func state(_ script: MatchScript, _ style: ScoreStyle) -> MatchState {
        var replica = MatchReplica(options: EngineOptions(scoreStyle: style))
        replica.apply(script.changes)
        return replica.state
    }

    private func content(_ script: MatchScript, _ style: ScoreStyle) -> LiveActivityAttributes.ContentState {
        ContentStateRenderer.render(state(script, style), info: script.info, revision: 1)
    }

    private func innings(runs: Int, wickets: Int) -> MatchScript {
        var script = MatchScript.test()
        script.status(.live)
        script.begin(.first)
        script.fill(runs: runs, wickets: wickets, balls: runs + 20)
        return script
    }

    @Test(arguments: [(ScoreStyle.runsWickets, "87/6"), (.wicketsRuns, "6/87"), (.dash, "87-6")])
    func aScoreInProgress(style: ScoreStyle, text: String) {
        let content = content(innings(runs: 87, wickets: 6), style)
        #expect(content.compactLeading.score == text)
        #expect(content.minimal.text == text)
        #expect(content.small.top == "IND \(text)")
        #expect(content.expanded.line.contains(text))
    }

    @Test(arguments: [(ScoreStyle.runsWickets, "487/6d"), (.wicketsRuns, "6/487d"), (.dash, "487-6d")])
    func aDeclaration(style: ScoreStyle, text: String) {
        var script = innings(runs: 487, wickets: 6)
        script.reframe { $0.isDeclared = true }
        #expect(state(script, style).innings[0].score == text)
    }

    @Test(arguments: ScoreStyle.allCases)
    func anAllOutScoreIsTheTotalAlone(style: ScoreStyle) {
        var script = innings(runs: 294, wickets: 10)
        #expect(state(script, style).innings[0].score == "294")
        script.begin(.second)
        script.fill(runs: 245, wickets: 10, balls: 300)
        script.begin(.second)
        script.fill(runs: 87, wickets: 6, balls: 120)
        let second = style.text(runs: 87, wickets: 6)
        #expect(content(script, style).compactLeading.score == "245 & \(second)")
        #expect(content(script, style).expanded.teams[1].score == "245 & \(second) (f/o)")
    }

    @Test func aScoreWithoutWicketsIsWrittenInFull() {
        #expect(state(innings(runs: 87, wickets: 0), .runsWickets).innings[0].score == "87/0")
    }

    @Test func aSuperOverOfTwoWicketsIsItsTotal() {
        var script = MatchScript.t20(balls: 12)
        script.status(.superOver)
        script.begin(.first) { $0.superOver = 1 }
        script.bowl("1 W W")
        #expect(state(script, .runsWickets).innings[0].score == "1")
    }
}
