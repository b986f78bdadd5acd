// Whether the next ball belongs to a powerplay (cricket.md C.6): by the feed's spans, else by the format's table.

import Testing

@testable import MatchEngine

@Suite struct PowerplayRowsTests {
    private func span(_ from: (Int, Int), _ to: (Int, Int)) -> Powerplay {
        Powerplay(
            kind: "mandatory",
            first: BallLabel(over: from.0, ball: from.1),
            last: BallLabel(over: to.0, ball: to.1)
        )
    }

    /// An innings of so many balls with these spans of the feed.
    private func card(_ balls: Int, _ spans: [Powerplay] = [], limit: Int = 120) -> InningsState {
        var script = MatchScript.t20(balls: limit)
        script.begin(.first) { $0.powerplays = spans }
        script.dots(balls)
        return script.state.innings[0]
    }

    /// Six overs of twenty by the table; the ball after the last one is outside.
    @Test(arguments: [(0, true), (1, true), (35, true), (36, false), (37, false), (119, false), (120, false)])
    func powerplaysFollowTheTable(balls: Int, isPowerplay: Bool) { #expect(card(balls).isPowerplay == isPowerplay) }

    /// Overs 1 to 4, and a surge in overs 11 and 12: the feed's own spans, to the ball.
    @Test(arguments: [
        (0, true), (23, true), (24, false), (59, false), (60, true), (65, true), (66, true), (71, true), (72, false),
    ])
    func powerplaysFollowTheSpansOfTheFeed(balls: Int, isPowerplay: Bool) {
        let spans = [span((0, 1), (3, 6)), span((10, 1), (11, 6))]
        #expect(card(balls, spans).isPowerplay == isPowerplay)
    }

    /// A span may begin and end in the middle of an over, as 25 recorded ones do.
    @Test(arguments: [(1, false), (2, true), (8, true), (9, true), (10, false)])
    func aPowerplayMayDivideAnOver(balls: Int, isPowerplay: Bool) {
        #expect(card(balls, [span((0, 3), (1, 4))]).isPowerplay == isPowerplay)
    }

    @Test func aWideUsesNoBallOfAPowerplay() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.dots(35)
        script.bowl("wd wd nb")
        #expect(script.state.innings[0].isPowerplay)
        script.bowl(".")
        #expect(!script.state.innings[0].isPowerplay)
    }

    @Test func finishedInningsAndSuperOversHaveNoPowerplay() {
        var script = MatchScript.t20(balls: 12)
        script.begin(.first) { $0.powerplays = [span((0, 1), (1, 6))] }
        script.bowl("1")
        #expect(script.state.innings[0].isPowerplay)
        script.reframe { $0.isClosed = true }
        #expect(!script.state.innings[0].isPowerplay)
        script.begin(.second) {
            $0.superOver = 1
            $0.powerplays = [span((0, 1), (0, 6))]
        }
        script.bowl("1")
        #expect(!script.state.innings[1].isPowerplay)
    }

    /// A shortened innings has a shorter phase: 30 per cent of nine overs since July 2025, by the table before.
    @Test(arguments: [
        ("2025-08-01", 15, true), ("2025-08-01", 16, false), ("2024-08-01", 17, true), ("2024-08-01", 18, false),
    ])
    func aShortenedInningsHasAShortenedPowerplay(day: String, balls: Int, isPowerplay: Bool) {
        var info = MatchInfo.make(.t20i, ballLimit: 54)
        info.days = [day]
        var script = MatchScript(info)
        script.begin(.first)
        script.dots(balls)
        #expect(script.state.innings[0].isPowerplay == isPowerplay)
    }

    // MARK: Marks of a ball

    /// How a ball is marked (PUBLICATION section 1): the number is the gain of the side.
    @Test(arguments: [
        (DeliveryRuns(), ".", false), (DeliveryRuns(bat: 1), "1", false), (DeliveryRuns(bat: 4), "4", true),
        (DeliveryRuns(bat: 6), "6", true), (DeliveryRuns(bat: 5), "5", false), (DeliveryRuns(wides: 1), "wd", false),
        (DeliveryRuns(wides: 3), "wd3", false), (DeliveryRuns(noBalls: 1), "nb", false),
        (DeliveryRuns(bat: 4, noBalls: 1), "nb5", true), (DeliveryRuns(noBalls: 1, byes: 2), "nb3", false),
        (DeliveryRuns(byes: 1), "b1", false), (DeliveryRuns(legByes: 4), "lb4", false),
        (DeliveryRuns(penalty: 5), "p5", false), (DeliveryRuns(bat: 1, penalty: 5), "p6", false),
        (DeliveryRuns(wides: 1, penalty: 5), "wd6", false),
    ])
    func aBallHasItsMark(runs: DeliveryRuns, mark: String, isBoundary: Bool) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(runs: runs, isLegal: runs.wides + runs.noBalls == 0)
        let ball = script.state.innings[0].balls[0]
        #expect(ball.text == mark && ball.isBoundary == isBoundary && ball.total == script.state.innings[0].runs)
    }
}
