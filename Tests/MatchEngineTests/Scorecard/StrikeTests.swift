// The next striker, as far as runs and overs show it (cricket.md C.7).

import Testing

@testable import MatchEngine

@Suite struct StrikeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let runs: DeliveryRuns
        var isLegal = true
        var isAllRun = false
        let changes: Bool

        init(_ name: String, _ runs: DeliveryRuns, isLegal: Bool = true, isAllRun: Bool = false, changes: Bool) {
            (testDescription, self.runs) = (name, runs)
            (self.isLegal, self.isAllRun, self.changes) = (isLegal, isAllRun, changes)
        }
    }

    static let rows = [
        Row("dot", DeliveryRuns(), changes: false),
        Row("single", DeliveryRuns(bat: 1), changes: true),
        Row("two", DeliveryRuns(bat: 2), changes: false),
        Row("three", DeliveryRuns(bat: 3), changes: true),
        Row("four to the rope", DeliveryRuns(bat: 4), changes: false),
        Row("five with overthrows", DeliveryRuns(bat: 5), changes: true),
        Row("six to the rope", DeliveryRuns(bat: 6), changes: false),
        Row("four all run", DeliveryRuns(bat: 4), isAllRun: true, changes: false),
        Row("one bye", DeliveryRuns(byes: 1), changes: true),
        Row("two leg byes", DeliveryRuns(legByes: 2), changes: false),
        Row("three leg byes", DeliveryRuns(legByes: 3), changes: true),
        Row("wide", DeliveryRuns(wides: 1), isLegal: false, changes: false),
        Row("wide and one run", DeliveryRuns(wides: 2), isLegal: false, changes: true),
        Row("wide to the rope", DeliveryRuns(wides: 5), isLegal: false, changes: false),
        Row("no-ball", DeliveryRuns(noBalls: 1), isLegal: false, changes: false),
        Row("no-ball and a single", DeliveryRuns(bat: 1, noBalls: 1), isLegal: false, changes: true),
        Row("no-ball of two and a single", DeliveryRuns(bat: 1, noBalls: 2), isLegal: false, changes: true),
        Row("no-ball and a bye", DeliveryRuns(noBalls: 1, byes: 1), isLegal: false, changes: true),
        Row("penalty runs", DeliveryRuns(penalty: 5), changes: false),
    ]

    private func facing(_ row: Row, before: Int) -> Int? {
        var script = MatchScript.t20()
        script.begin(.first)
        script.dots(before)
        script.add(runs: row.runs, isLegal: row.isLegal, isAllRun: row.isAllRun)
        return script.state.innings[0].onStrike
    }

    @Test(arguments: rows) func theStrikeFollowsTheRunsWithinAnOver(row: Row) {
        #expect(facing(row, before: 0) == (row.changes ? 1 : 0))
    }

    /// The ends change as well, but only with a ball that counts.
    @Test(arguments: rows) func theStrikeChangesOnTheLastBallOfAnOver(row: Row) {
        let changes = row.isLegal ? !row.changes : row.changes
        #expect(facing(row, before: 5) == (changes ? 1 : 0))
    }

    @Test func afterACatchTheSurvivorIsNotMarked() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(dismissals: [Dismissal(kind: .caught, out: script.batter(1))])
        #expect(script.state.innings[0].onStrike == nil)
        #expect(script.state.innings[0].atCrease == [1])
    }

    @Test(arguments: [DismissalKind.runOut, .obstructingTheField, .other])
    func anUnknownEndMarksNoStriker(kind: DismissalKind) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(runs: DeliveryRuns(bat: 1), dismissals: [Dismissal(kind: kind, out: script.batter(2))])
        #expect(script.state.innings[0].onStrike == nil)
    }

    @Test func theNextBallDecidesTheStrike() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(dismissals: [Dismissal(kind: .runOut, out: script.batter(2))])
        script.add(striker: script.batter(1), nonStriker: script.batter(3))
        let card = script.state.innings[0]
        #expect(card.onStrike == 0 && card.batters.map(\.player.name).contains("Home Batter3"))
    }

    @Test func theHundredChangesEndsEveryTenBalls() {
        var script = MatchScript.t20(balls: 100, format: .hundred)
        script.begin(.first)
        let (one, two) = (script.batter(1), script.batter(2))
        for ball in 0..<10 {
            script.add(striker: one, nonStriker: two, over: ball / 5)
            #expect(script.state.innings[0].onStrike == (ball == 9 ? 1 : 0), "ball \(ball + 1)")
        }
    }
}
