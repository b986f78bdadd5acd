// The rows of the batting card, their places and states, and the next striker in irregular overs.

import Testing

@testable import MatchEngine

@Suite struct BattingRowsTests {
    private func begun() -> MatchScript {
        var script = MatchScript.t20()
        script.begin(.first)
        return script
    }

    /// Places count from 1 in the order of coming in, which is not that of the list of players (cricket.md C.11).
    @Test func placesAreInTheOrderOfComingIn() {
        var script = begun()
        script.bowl("W W 1 W")
        script.add(dismissals: [Dismissal(kind: .timedOut, out: .named("Home Late"))])
        script.reframe { $0.absent = [.named("Home Hurt")] }
        let card = script.state.innings[0]
        #expect(card.batters.map(\.position) == [1, 2, 3, 4, 5, 6, 7])
        #expect(card.batters.map(\.player.name).suffix(2) == ["Home Late", "Home Hurt"])
        #expect(card.batters.last?.status == .absent && card.wickets == 4 && card.wicketsLeft == 5)
    }

    @Test func aDismissedBatterStaysOutWhenNamedAgain() {
        var script = begun()
        let (one, two, three) = (script.batter(1), script.batter(2), script.batter(3))
        script.add(dismissals: [Dismissal(kind: .bowled, out: one)], striker: one, nonStriker: two)
        script.add(runs: DeliveryRuns(bat: 4), striker: three, nonStriker: two)
        // A mistake of the feed: the ball is his, the wicket stays.
        script.add(runs: DeliveryRuns(bat: 2), striker: one, nonStriker: two)
        let card = script.state.innings[0]
        let row = card.batters[0]
        #expect(row.status == .out && row.howOut == "b 1" && row.runs == 2 && row.balls == 2)
        #expect(card.wickets == 1 && card.batters.count == 3)
    }

    @Test(arguments: [DismissalKind.retiredHurt, .retiredNotOut])
    func aRetiredBatterReturnsToTheSameRow(kind: DismissalKind) {
        var script = begun()
        let (one, two, three) = (script.batter(1), script.batter(2), script.batter(3))
        script.add(runs: DeliveryRuns(bat: 4), striker: one, nonStriker: two)
        script.add(dismissals: [Dismissal(kind: kind, out: one)], striker: one, nonStriker: two)
        #expect(script.state.innings[0].batters[0].status == .retired)
        script.add(dismissals: [Dismissal(kind: .caught, out: two)], striker: two, nonStriker: three)
        script.add(runs: DeliveryRuns(bat: 1), striker: one, nonStriker: three)
        let card = script.state.innings[0]
        #expect(card.batters[0].status == .batting && card.batters[0].howOut == "not out")
        #expect(card.batters[0].runs == 5 && card.batters[0].balls == 3 && card.batters[0].position == 1)
        #expect(card.batters[0].dismissal == nil && card.wickets == 1)
        #expect(card.atCrease == [0, 2])
    }

    /// Feeds leave names out: the side's runs count, and no row is invented (cricket.md E 15).
    @Test func aPlayerWithoutANameHasNoRow() {
        var script = begun()
        let nobody = Player(id: "", name: "")
        script.add(runs: DeliveryRuns(bat: 4), striker: nobody, nonStriker: script.batter(2))
        script.add(runs: DeliveryRuns(bat: 2), striker: script.batter(1), nonStriker: nobody)
        let card = script.state.innings[0]
        #expect(card.runs == 6 && card.legalBalls == 2)
        #expect(card.batters.map(\.player.name) == ["Home Batter2", "Home Batter1"])
        #expect(card.batters.map(\.runs) == [0, 2])
    }

    @Test func aBowlerWithoutANameHasNoRow() {
        var script = begun()
        script.bowler = " "
        script.add(runs: DeliveryRuns(bat: 1), dismissals: [Dismissal(kind: .bowled, out: script.batter(1))], by: " ")
        let card = script.state.innings[0]
        #expect(card.wickets == 1 && card.runs == 1)
        #expect(card.bowlers.count == 1, "a name of blanks is a name: only an empty one is none")
    }

    // MARK: Strike in irregular overs

    /// In a super over the ends change as in any over: after its last ball, not after each (cricket.md C.7, C.10).
    @Test func aSuperOverHasTheStrikeOfAnOver() {
        var script = MatchScript.t20(balls: 6)
        for side in [Side.first, .second] {
            script.begin(side)
            script.fill(runs: 6, wickets: 0, balls: 6)
        }
        script.begin(.second) { $0.superOver = 1 }
        let (one, two) = (script.batter(1), script.batter(2))
        var facing = [one, two]
        for (ball, runs) in [0, 1, 4, 2, 3].enumerated() {
            script.add(runs: DeliveryRuns(bat: runs), striker: facing[0], nonStriker: facing[1])
            let card = script.state.innings[2]
            if !runs.isMultiple(of: 2) { facing.reverse() }
            #expect(card.onStrike.map { card.batters[$0].player } == facing[0], "ball \(ball + 1)")
        }
    }

    /// The umpire counts six where there were seven: after each of the two the feed states the striker.
    @Test func aSeventhBallIsTheLastOfItsOver() {
        var script = begun()
        let (one, two) = (script.batter(1), script.batter(2))
        for _ in 0..<6 { script.add(striker: one, nonStriker: two, over: 0) }
        script.add(striker: one, nonStriker: two, over: 0)
        let card = script.state.innings[0]
        #expect(card.onStrike == 1 && card.legalBalls == 7 && card.overs.text == "1")
        #expect(card.ballsCalled == 6 && card.bowlers[0].balls == 7)
    }

    @Test(arguments: [(1, 1), (2, 0), (3, 1), (4, 0), (5, 1)])
    func theSixthBallOfEightKeepsTheStrike(runs: Int, facing: Int) {
        var script = MatchScript(.make(.test, ballsPerOver: 8))
        script.begin(.first)
        let (one, two) = (script.batter(1), script.batter(2))
        for _ in 0..<5 { script.add(striker: one, nonStriker: two, over: 0) }
        script.add(runs: DeliveryRuns(bat: runs), isAllRun: true, striker: one, nonStriker: two, over: 0)
        #expect(script.state.innings[0].onStrike == facing)
    }

    /// After a run out the survivor's end is unknown, whichever batter is out and whatever was run.
    @Test(arguments: [DismissalKind.runOut, .obstructingTheField, .other], [0, 1, 2])
    func aRunOutLeavesTheStrikeUnknown(kind: DismissalKind, runs: Int) {
        for out in 1...2 {
            var script = begun()
            let dismissal = Dismissal(kind: kind, out: script.batter(out))
            script.add(runs: DeliveryRuns(bat: runs), dismissals: [dismissal])
            let card = script.state.innings[0]
            #expect(card.onStrike == nil && card.atCrease == [2 - out], "batter \(out)")
        }
    }

    /// After other dismissals the end is known: the survivor is where the runs left him.
    @Test(arguments: [DismissalKind.retiredHurt, .retiredOut, .retiredNotOut, .hitTheBallTwice, .handledTheBall])
    func otherDismissalsLeaveTheSurvivorAtTheEndOfTheRuns(kind: DismissalKind) {
        for (runs, facing) in [(0, 0), (1, nil), (2, 0)] as [(Int, Int?)] {
            var script = begun()
            let dismissal = Dismissal(kind: kind, out: script.batter(2))
            script.add(runs: DeliveryRuns(bat: runs), dismissals: [dismissal])
            #expect(script.state.innings[0].onStrike == facing, "\(runs) runs")
        }
    }

    // MARK: Falls

    /// A wicket is printed at the number of its ball; a wide or no-ball has that of the ball that replaces it.
    @Test(arguments: [
        (". W", "0.2"), ("W", "0.1"), (". . . . . W", "0.6"), (". . . . . . W", "1.1"), ("wd W", "0.1"),
        (". . stumped-off-wide", "0.3"), ("run-out-off-no-ball", "0.1"), (". . . . . stumped-off-wide", "0.6"),
        (". wd wd stumped-off-wide", "0.2"),
    ])
    func aWicketFallsAtItsBall(marks: String, label: String) {
        var script = begun()
        for mark in marks.split(separator: " ") {
            let out = script.batter(script.striker)
            switch mark {
            case "stumped-off-wide":
                let stumped = Dismissal(kind: .stumped, out: out)
                script.add(runs: DeliveryRuns(wides: 1), isLegal: false, dismissals: [stumped])
            case "run-out-off-no-ball":
                let runOut = Dismissal(kind: .runOut, out: out)
                script.add(runs: DeliveryRuns(noBalls: 1), isLegal: false, dismissals: [runOut])
            default: script.bowl(String(mark))
            }
        }
        let fall = script.state.innings[0].falls.last
        #expect(fall.map { "\($0.label)" } == label && fall?.number == 1)
    }
}
