// The addition of one ball to side, batter, bowler and extras (cricket.md C.1, C.3, C.11).

import Testing

@testable import MatchEngine

@Suite struct ScoringTests {
    private func card(_ marks: String) -> InningsState {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl(marks)
        return script.state.innings[0]
    }

    @Test func eachKindOfRunIsAddedToItsColumns() {
        let card = card("1 4 6 wd wd5 nb nb5 b2 lb3 p5")
        #expect(card.runs == 1 + 4 + 6 + 1 + 5 + 1 + 5 + 2 + 3 + 5)
        let extras = Extras(byes: 2, legByes: 3, wides: 6, noBalls: 2, penalty: 5)
        #expect(card.extras == extras)
        #expect(card.legalBalls == 6)
        #expect(card.deliveries == 10)
        #expect(card.batters.map(\.runs).reduce(0, +) == 15)
        #expect(card.batters.map(\.balls).reduce(0, +) == 8)
        #expect(card.batters.map(\.fours).reduce(0, +) == 2)
        #expect(card.bowlers[0].runs == card.runs - 2 - 3 - 5)
        #expect(card.bowlers[0].wideCount == 2 && card.bowlers[0].wideRuns == 6)
        #expect(card.bowlers[0].noBallCount == 2 && card.bowlers[0].noBallRuns == 2)
    }

    @Test func aFourThatWasRunIsNoBoundary() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(runs: DeliveryRuns(bat: 4), isAllRun: true)
        let card = script.state.innings[0]
        #expect(card.batters[0].runs == 4 && card.batters[0].fours == 0)
    }

    @Test func oversCountBalls() {
        #expect(card("1 1 1").overs.text == "0.3")
        #expect(card("1 1 1 1 1 1").overs.text == "1")
        #expect(card("1 1 1 1 1 wd 1 1").overs.text == "1.1")
        #expect(Overs(balls: 75, ballsPerOver: 6).text == "12.3")
        #expect(Overs(balls: 20, ballsPerOver: 8).text == "2.4")
    }

    @Test func ratesAreRoundedHalfUp() {
        #expect(Rate.text(runs: 87, balls: 75, ballsPerOver: 6) == "6.96")
        #expect(Rate.text(runs: 1, balls: 16, ballsPerOver: 6) == "0.38")
        #expect(Rate.text(runs: 5, balls: 0, ballsPerOver: 6) == "0.00")
        #expect(Rate.text(runs: .max, balls: 1, ballsPerOver: 6) == "0.00")
    }

    @Test func aMiscountedOverIsCountedAsCalled() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1 1 1 1 1")
        script.callOver()
        script.bowl("1")
        let short = script.state.innings[0]
        #expect(short.overs.text == "1.1")
        #expect(short.legalBalls == 6)
        #expect(short.ballsLeft == 120 - 7)

        var long = MatchScript.t20()
        long.begin(.first)
        for _ in 0..<7 { long.add(runs: DeliveryRuns(bat: 1), over: 0) }
        #expect(long.state.innings[0].overs.text == "1")
        #expect(long.state.innings[0].ballsLeft == 114)
        #expect(long.state.innings[0].bowlers[0].balls == 7)
    }

    @Test func aMaidenAllowsByes() {
        #expect(card(". . b4 lb1 . .").bowlers[0].maidens == 1)
        #expect(card(". . . . . wd .").bowlers[0].maidens == 0)
        #expect(card(". . . . .").bowlers[0].maidens == 0)
        #expect(card("W . . W . .").bowlers[0].maidens == 1)
    }

    @Test func aSharedOrLengthenedOverIsNoMaiden() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl(". . .", by: "One")
        script.bowl(". . .", by: "Two")
        #expect(script.state.innings[0].bowlers.map(\.maidens) == [0, 0])

        var long = MatchScript.t20()
        long.begin(.first)
        for _ in 0..<6 { long.add(over: 0) }
        #expect(long.state.innings[0].bowlers[0].maidens == 1)
        long.add(runs: DeliveryRuns(bat: 1), over: 0)
        #expect(long.state.innings[0].bowlers[0].maidens == 0)
    }

    @Test func anOverCalledAfterFiveDotsIsAMaiden() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl(". . . . .")
        #expect(script.state.innings[0].bowlers[0].maidens == 0)
        script.callOver()
        script.bowl("1")
        #expect(script.state.innings[0].bowlers[0].maidens == 1)
    }

    @Test func aPartnershipContainsAllRunsOfTheSide() {
        let card = card("1 4 wd lb2 W 6 .")
        #expect(card.partnerships.count == 2)
        #expect(card.partnerships[0].runs == 8 && card.partnerships[0].balls == 4)
        #expect(card.partnerships[0].extras == 3)
        #expect(card.partnerships[1].runs == 6 && !card.partnerships[1].isOver)
        #expect(card.partnerships.map(\.runs).reduce(0, +) == card.runs)
    }

    @Test func penaltiesBeforeAndAfterCountForTheTotal() {
        var script = MatchScript.t20()
        script.begin(.first) {
            $0.penaltyBefore = 5
            $0.penaltyAfter = 5
        }
        script.bowl("1")
        let card = script.state.innings[0]
        #expect(card.runs == 11 && card.extras.penalty == 10)
    }

    @Test func ballsAreMarkedForDrawing() {
        #expect(
            card("1 . 4 wd wd3 nb nb5 b1 lb2 W").balls.map(\.text) == [
                "1", ".", "4", "wd", "wd3", "nb", "nb5", "b1", "lb2", "W",
            ]
        )
        // C.1: the feed's number of no-balls is believed, also in a competition in which one counts two.
        var info = MatchInfo.make(.t20, ballLimit: 120)
        info.competition = "Vitality Blast"
        var blast = MatchScript(info)
        blast.begin(.first)
        blast.bowl("nb nb2")
        blast.add(runs: DeliveryRuns(noBalls: 2), isLegal: false)
        #expect(blast.state.innings[0].balls.map(\.text) == ["nb", "nb2", "nb"])
        // Until 2017 the byes of a no-ball were no-balls, too: the number is the gain of the side.
        var old = MatchScript.t20()
        old.begin(.first)
        old.add(runs: DeliveryRuns(noBalls: 3), isLegal: false)
        #expect(old.state.innings[0].balls.map(\.text) == ["nb3"])
        // The current over is shown whole when it is longer than six balls.
        #expect(card("1 1 1 1 1 1 wd wd wd wd . . .").recent.map(\.text) == ["wd", "wd", "wd", "wd", ".", ".", "."])
        #expect(card("1 2 3 4 1 1 .").recent.map(\.text) == ["2", "3", "4", "1", "1", "."])
    }

    @Test(arguments: [
        ("1", 2), ("2", 1), ("4", 1), ("b1", 2), ("lb3", 2), ("wd", 1), ("wd2", 2), ("nb2", 2), ("p5", 1),
    ])
    func theStrikeFollowsTheCompletedRuns(mark: String, onStrike: Int) throws {
        let card = card(mark)
        let index = try #require(card.onStrike)
        #expect(card.batters[index].player.name == "Home Batter\(onStrike)")
    }

    @Test func theStrikeChangesAtTheEndOfAnOver() throws {
        let card = card(". . . . . 1")
        #expect(card.batters[try #require(card.onStrike)].player.name == "Home Batter1")
    }
}
