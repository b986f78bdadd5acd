// Super overs decide a tie and change nothing else (cricket.md C.10); The Hundred counts balls.

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct SuperOverTests {
    /// Level at the end of two overs a side.
    private func tied(format: Format = .t20) -> MatchScript {
        var script = MatchScript.t20(balls: 10, format: format)
        script.info.ballLimit = 10
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 20, wickets: 1, balls: 10)
        script.begin(.second)
        script.fill(runs: 20, wickets: 2, balls: 10)
        return script
    }

    @Test func aSuperOverDoesNotChangeTheMatch() throws {
        var script = tied()
        #expect(script.state.isLevel)
        #expect(script.drawn().expanded.line == "Scores level" && script.drawn().compactTrailing.text == "level")
        script.status(.superOverBreak)
        #expect(script.drawn().expanded.line == "Super over next: Scores level")
        #expect(script.state.phase == .onBreak)
        #expect(script.state.moments.last?.key.text == "so:1")
        script.begin(.second) { $0.superOver = 1 }
        script.status(.superOver)
        script.bowl("6 4 1")
        let state = script.state
        #expect(state.total(of: .second) == 20 && state.displayState == .superOver)
        let content = script.drawn()
        #expect(content.compactLeading.score == "11/0" && content.minimal.text == "11/0")
        #expect(content.expanded.line == "Super over: CSK 11/0")
        #expect(content.expanded.teams.map(\.score) == ["20/1", "20/2"])
        #expect(content.lockScreen.sub == "Super over: CSK 11/0")
        script.bowl("W W")
        #expect(script.state.innings[2].end == .allOut)
        #expect(script.drawn().expanded.line == "Super over: MI need 12 from 6 balls")
        script.begin(.first) { $0.superOver = 1 }
        script.bowl("6 1 1")
        #expect(script.drawn().expanded.line == "Super over: MI need 4 from 3 balls")
        #expect(script.drawn().small.line == "SO need 4 (3)")
        #expect(script.drawn().lockScreen.sub == "Super over: CSK 11, MI 8/0")
        script.bowl("4")
        #expect(script.state.result?.winner == .first)
        #expect(script.state.result?.shortText { $0 == .first ? "MI" : "CSK" } == "Match tied (MI won the Super Over)")
        #expect(script.drawn().compactLeading.score == "20/1")
        #expect(script.state.moments.filter { $0.kind == .superOver }.count == 1)
    }

    @Test func aTieMayNeedThreeSuperOvers() {
        var script = tied()
        let innings: [(Side, String)] = [
            (.second, "6 4 . . . ."), (.first, "6 4 . . . ."), (.first, "1 . . . . ."), (.second, "1 . . . . ."),
            (.second, "6 . . . . ."), (.first, "4 . . . . ."),
        ]
        script.status(.superOver)
        for (index, (side, balls)) in innings.enumerated() {
            #expect(script.state.result == nil)
            script.begin(side) { $0.superOver = index / 2 + 1 }
            script.bowl(balls)
        }
        #expect(script.state.result?.winner == .second)
        #expect(script.state.moments.filter { $0.kind == .superOver }.map(\.key.text) == ["so:1", "so:2", "so:3"])
        #expect(script.state.total(of: .first) == 20 && script.state.total(of: .second) == 20)
    }

    @Test func aSuperOverAnnouncesWicketsAndNoMilestones() {
        var script = tied()
        script.begin(.second) { $0.superOver = 1 }
        script.bowl("6 6 6 6 6 6 nb7 nb7 nb7", by: "One")
        script.begin(.first) { $0.superOver = 1 }
        script.bowl("W W", by: "Two")
        let announced = script.state.moments.filter { $0.innings >= 3 }.map(\.key.text)
        #expect(announced == ["so:1", "inn:3", "w:4:1", "w:4:2"])
    }

    @Test func aTieBreakOfTheFeedNeedsNoBalls() {
        var script = tied()
        script.status(.result)
        script.result(ProviderResult(kind: .tie, tieBreakWinner: .second, tieBreak: "superOver"))
        #expect(script.state.result?.winner == .second)
        #expect(script.drawn().minimal.text == "CSK won")
    }

    @Test func theHundredCountsBalls() {
        var script = MatchScript.t20(balls: 100, format: .hundred)
        script.begin(.first)
        for _ in 0..<63 { script.bowl("1") }
        #expect(script.state.innings[0].ballsLeft == 37)
        var content = script.drawn()
        #expect(content.compactTrailing.overs == "63" && content.compactTrailing.text == "63 balls")
        #expect(content.expanded.teams[0].overs == "63")
        #expect(content.expanded.line == "MI 63/0 after 63 balls")
        script.reframe { $0.isClosed = true }
        script.begin(.second)
        script.bowl("1 1 1 1 1")
        content = script.drawn()
        #expect(content.compactTrailing.text == "59 off 95")
        #expect(content.expanded.line == "CSK need 59 from 95 balls")
    }

    @Test func endsChangeEveryTenBallsInTheHundred() throws {
        var script = MatchScript.t20(balls: 100, format: .hundred)
        script.begin(.first)
        script.dots(5)
        #expect(script.state.innings[0].onStrike == 0)
        var deliveries = script
        deliveries.add(striker: script.batter(1), nonStriker: script.batter(2), over: 1)
        for _ in 0..<4 { deliveries.add(striker: script.batter(1), nonStriker: script.batter(2), over: 1) }
        #expect(deliveries.state.innings[0].onStrike == 1)
    }

    @Test func aSuperOverOfTheHundredHasFiveBalls() {
        var script = tied(format: .hundred)
        script.begin(.second) { $0.superOver = 1 }
        script.bowl("1 1 1 1 1")
        #expect(script.state.innings[2].end == .limitReached)
    }
}
