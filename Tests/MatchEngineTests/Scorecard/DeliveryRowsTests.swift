// Every row of how a delivery is scored (cricket.md C.1): team, batter, ball faced, bowler, legal, extras.

import Testing

@testable import MatchEngine

@Suite struct DeliveryRowsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let runs: DeliveryRuns
        var isLegal = true
        var isAllRun = false
        let team: Int
        var batter = 0
        var isFaced = true
        var charged = 0
        var extras: [Int] = [0, 0, 0, 0, 0]
        var fours = 0
        var sixes = 0

        init(
            _ name: String,
            _ runs: DeliveryRuns,
            isLegal: Bool = true,
            isAllRun: Bool = false,
            team: Int,
            batter: Int = 0,
            isFaced: Bool = true,
            charged: Int = 0,
            extras: [Int] = [0, 0, 0, 0, 0],
            fours: Int = 0,
            sixes: Int = 0
        ) {
            testDescription = name
            (self.runs, self.isLegal, self.isAllRun, self.team, self.batter) = (runs, isLegal, isAllRun, team, batter)
            (self.isFaced, self.charged, self.extras, self.fours, self.sixes) = (isFaced, charged, extras, fours, sixes)
        }
    }

    /// Extras as byes, leg byes, wides, no-balls, penalty.
    static let rows = [
        Row("runs off bat", DeliveryRuns(bat: 3), team: 3, batter: 3, charged: 3),
        Row("boundary four", DeliveryRuns(bat: 4), team: 4, batter: 4, charged: 4, fours: 1),
        Row("boundary six", DeliveryRuns(bat: 6), team: 6, batter: 6, charged: 6, sixes: 1),
        Row("four all run", DeliveryRuns(bat: 4), isAllRun: true, team: 4, batter: 4, charged: 4),
        Row(
            "wide",
            DeliveryRuns(wides: 1),
            isLegal: false,
            team: 1,
            isFaced: false,
            charged: 1,
            extras: [0, 0, 1, 0, 0]
        ),
        Row(
            "wide, then ran two",
            DeliveryRuns(wides: 3),
            isLegal: false,
            team: 3,
            isFaced: false,
            charged: 3,
            extras: [0, 0, 3, 0, 0]
        ),
        Row(
            "wide to the rope",
            DeliveryRuns(wides: 5),
            isLegal: false,
            team: 5,
            isFaced: false,
            charged: 5,
            extras: [0, 0, 5, 0, 0]
        ),
        Row("no-ball", DeliveryRuns(noBalls: 1), isLegal: false, team: 1, charged: 1, extras: [0, 0, 0, 1, 0]),
        Row("no-ball of two", DeliveryRuns(noBalls: 2), isLegal: false, team: 2, charged: 2, extras: [0, 0, 0, 2, 0]),
        Row(
            "no-ball hit for four",
            DeliveryRuns(bat: 4, noBalls: 1),
            isLegal: false,
            team: 5,
            batter: 4,
            charged: 5,
            extras: [0, 0, 0, 1, 0],
            fours: 1
        ),
        Row(
            "no-ball and byes",
            DeliveryRuns(noBalls: 1, byes: 2),
            isLegal: false,
            team: 3,
            charged: 1,
            extras: [2, 0, 0, 1, 0]
        ),
        Row(
            "no-ball and leg byes",
            DeliveryRuns(noBalls: 1, legByes: 1),
            isLegal: false,
            team: 2,
            charged: 1,
            extras: [0, 1, 0, 1, 0]
        ),
        Row("byes", DeliveryRuns(byes: 4), team: 4, extras: [4, 0, 0, 0, 0]),
        Row("leg byes", DeliveryRuns(legByes: 2), team: 2, extras: [0, 2, 0, 0, 0]),
        Row("penalty to the batting side", DeliveryRuns(penalty: 5), team: 5, extras: [0, 0, 0, 0, 5]),
        Row("short run", DeliveryRuns(bat: 1), team: 1, batter: 1, charged: 1),
        Row("overthrow to the rope", DeliveryRuns(bat: 5), team: 5, batter: 5, charged: 5),
        Row(
            "helmet behind the keeper after a single",
            DeliveryRuns(bat: 1, penalty: 5),
            team: 6,
            batter: 1,
            charged: 1,
            extras: [0, 0, 0, 0, 5]
        ),
        Row("overthrow off the pads", DeliveryRuns(legByes: 5), team: 5, extras: [0, 5, 0, 0, 0]),
        Row(
            "no-ball and byes before 2017: all of them no-balls",
            DeliveryRuns(noBalls: 3),
            isLegal: false,
            team: 3,
            charged: 3,
            extras: [0, 0, 0, 3, 0]
        ),
        // Law 21.13: the call of no-ball overrides that of wide, so the batter has faced it.
        Row(
            "no-ball that was wide, sent as both",
            DeliveryRuns(wides: 1, noBalls: 1),
            isLegal: false,
            team: 2,
            charged: 2,
            extras: [0, 0, 1, 1, 0]
        ),
        Row(
            "wide and a penalty",
            DeliveryRuns(wides: 1, penalty: 5),
            isLegal: false,
            team: 6,
            isFaced: false,
            charged: 1,
            extras: [0, 0, 1, 0, 5]
        ),
        Row("deliberate short run", DeliveryRuns(), team: 0),
        Row("dead ball that counts", DeliveryRuns(), team: 0),
        Row("dead ball that does not count", DeliveryRuns(), isLegal: false, team: 0),
    ]

    @Test(arguments: rows) func aDeliveryIsScoredByItsRow(row: Row) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(runs: row.runs, isLegal: row.isLegal, isAllRun: row.isAllRun)
        let card = script.state.innings[0]
        #expect(card.runs == row.team)
        #expect(card.batters[0].runs == row.batter && card.batters[0].balls == (row.isFaced ? 1 : 0))
        #expect(card.batters[0].fours == row.fours && card.batters[0].sixes == row.sixes)
        #expect(card.bowlers[0].runs == row.charged)
        #expect(card.legalBalls == (row.isLegal ? 1 : 0) && card.bowlers[0].balls == card.legalBalls)
        let extras = card.extras
        #expect([extras.byes, extras.legByes, extras.wides, extras.noBalls, extras.penalty] == row.extras)
        #expect(card.runs == card.batters.reduce(0) { $0 + $1.runs } + extras.total)
    }

    @Test func aPenaltyToTheFieldingSideCountsForItsInnings() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1 1 1")
        script.reframe { $0.penaltyAfter = 5 }
        script.begin(.second) { $0.penaltyBefore = 5 }
        script.bowl("1")
        #expect(script.state.innings.map(\.runs) == [8, 6])
        #expect(script.state.innings[1].target?.runs == 9)
    }

    /// C.11: the fall of a wicket has the score of that moment, whatever is awarded after the innings.
    @Test func aPenaltyAfterAnInningsMovesNoFallOfWicket() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("6 6 6 1 1 W 6 6 6 6 4")
        let before = script.state.innings[0]
        #expect(before.falls.map(\.runs) == [20] && before.runs == 48)
        script.reframe { $0.penaltyAfter = 5 }
        var single = MatchReplica()
        for change in script.changes { single.apply(change) }
        for state in [script.state, single.state] {
            let card = state.innings[0]
            #expect(card.falls == before.falls && card.partnerships == before.partnerships)
            #expect(card.runs == 53 && card.extras.penalty == 5)
            // The side has passed fifty with no ball.
            #expect(!state.moments.contains { $0.kind == .teamMilestone })
        }
        // A ball that comes late is added to the score without the award.
        script.bowl("W")
        #expect(script.state.innings[0].falls.map(\.runs) == [20, 48] && script.state.innings[0].runs == 53)
    }

    /// Law 18.5: nothing for the running, and five to the fielding side, on its own innings still to come.
    @Test func aDeliberateShortRunGivesFiveToTheFieldingSide() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1 1 .")
        script.callOver()
        script.reframe { $0.isClosed = true }
        script.begin(.second) { $0.penaltyBefore = 5 }
        let cards = script.state.innings
        #expect(cards[0].runs == 2 && cards[0].bowlers[0].runs == 2 && cards[0].extras.total == 0)
        #expect(cards[1].runs == 5 && cards[1].extras.penalty == 5 && cards[1].batters.isEmpty)
        #expect(script.state.moments.contains { $0.key.text == "pen:2:pre" && $0.side == .second })
    }

    @Test func aNoBallThatWasWideIsMarkedAsANoBall() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(runs: DeliveryRuns(wides: 1, noBalls: 1), isLegal: false)
        script.add(runs: DeliveryRuns(wides: 2), isLegal: false)
        let card = script.state.innings[0]
        #expect(card.balls.map(\.text) == ["nb2", "wd2"])
        #expect(card.isFreeHitDue && card.partnerships[0].balls == 1)
        #expect(card.bowlers[0].noBallCount == 1 && card.bowlers[0].wideCount == 1)
        #expect(card.bowlers[0].wideRuns == 3, "the feed's numbers are used")
    }

    @Test func aCatchScoresNoRunsAndARunOutTheCompletedOnes() {
        var script = MatchScript.t20()
        script.begin(.first)
        let (one, two) = (script.batter(1), script.batter(2))
        script.add(dismissals: [Dismissal(kind: .caught, out: one)], striker: one, nonStriker: two)
        script.add(
            runs: DeliveryRuns(bat: 1),
            dismissals: [Dismissal(kind: .runOut, out: two)],
            striker: script.batter(3),
            nonStriker: two
        )
        let card = script.state.innings[0]
        #expect(card.runs == 1 && card.wickets == 2)
        #expect(card.falls.map(\.runs) == [0, 1])
    }
}
