// Targets, plain and revised, and the rates that follow from them (cricket.md C.3 to C.5).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct TargetTests {
    private func chase(
        _ marks: String,
        first: String = "6 6 . . . . . . . . . .",
        balls: Int = 12,
        _ frame: (inout InningsInfo) -> Void = { _ in }
    ) -> MatchScript {
        var script = MatchScript.t20(balls: balls)
        script.status(.live)
        script.begin(.first)
        script.bowl(first)
        script.dots(max(0, balls - script.deliveries.count))
        script.reframe { $0.isClosed = true }
        script.begin(.second, frame)
        script.bowl(marks)
        return script
    }

    @Test func aTargetIsOneRunMore() throws {
        let chase = try #require(chase("1 1").state.chase)
        #expect(chase.target == Target(runs: 13, balls: 12) && chase.needed == 11 && chase.ballsLeft == 10)
        #expect(chase.requiredRate == "6.60" && chase.wicketsLeft == 10 && chase.hasBegun)
    }

    @Test func penaltiesChangeTheTarget() throws {
        let script = chase("1") { $0.penaltyBefore = 5 }
        let chase = try #require(script.state.chase)
        #expect(chase.target.runs == 13 && chase.needed == 7)
        var late = script
        late.reframe { $0.penaltyAfter = 5 }
        #expect(late.state.innings[1].runs == 11)
    }

    @Test func aRevisedTargetIsThatOfTheFeed() throws {
        let script = chase("1 1") { $0.target = Target(runs: 9, balls: 8, method: "DLS") }
        let chase = try #require(script.state.chase)
        #expect(chase.needed == 7 && chase.ballsLeft == 6)
        #expect(script.drawn().lockScreen.sub == "Target 9 (DLS) · Partnership 2 (2)")
        #expect(
            script.state.moments.contains { $0.kind == .targetRevised && $0.body.contains("need 9 from 1.2 overs") }
        )
    }

    @Test func aTargetMayChangeManyTimes() throws {
        var script = chase("1 1")
        for (runs, balls) in [(12, 11), (9, 8), (10, 9)] {
            script.reframe { $0.target = Target(runs: runs, balls: balls, method: "DLS") }
            let chase = try #require(script.state.chase)
            #expect(chase.needed == runs - 2 && chase.ballsLeft == balls - 2)
        }
        let announced = script.state.moments.filter { $0.kind == .targetRevised }
        #expect(announced.count == 1 && announced[0].body.contains("need 10"))
    }

    @Test func aTargetMayExceedTheFirstScore() throws {
        let script = chase("1") { $0.target = Target(runs: 20, balls: 12, method: "DLS") }
        #expect(try #require(script.state.chase).needed == 19)
    }

    @Test func theOversOfATargetMayBeIncomplete() throws {
        // 8.4 overs are 52 balls.
        let script = chase("1", balls: 120) { $0.target = Target(runs: 60, balls: 52, method: "DLS") }
        let chase = try #require(script.state.chase)
        #expect(chase.ballsLeft == 51 && chase.requiredRate == "6.94")
        #expect(script.drawn().expanded.line == "CSK need 59 from 51 balls")
    }

    @Test func aChaseWithoutBallsLeftIsNotShown() throws {
        let script = chase("1 1 1 1 1 1 1 1 1 1 1 1") { $0.target = Target(runs: 40, balls: 12) }
        #expect(script.state.chase == nil && script.state.innings[1].end == .limitReached)
    }

    @Test func theLastBallIsOneBall() {
        let content = chase("1 1 1 1 1 1 1 1 1 1 1").drawn()
        #expect(content.expanded.line == "CSK need 2 from 1 ball")
        #expect(content.compactTrailing.text == "2 off 1" && content.small.line == "need 2 (1)")
    }

    @Test func miscountedOversLeaveTheBallsOfTheUmpire() {
        var script = MatchScript.t20(balls: 24)
        script.begin(.first)
        script.bowl("1 1 1 1 1")
        script.callOver()
        script.bowl("1")
        let card = script.state.innings[0]
        #expect(card.overs.text == "1.1" && card.ballsLeft == 17 && card.legalBalls == 6)
        #expect(card.bowlers.map(\.balls).reduce(0, +) == 6)
    }

    @Test func aFinishIsCloseByBallsRunsOrWickets() {
        #expect(chase("1", balls: 12).state.isCloseFinish)
        let long = String(repeating: "6 ", count: 20)
        let far = chase("1", first: long, balls: 120)
        #expect(!far.state.isCloseFinish && far.state.relevance == 50)
        let wickets = chase("W W W W W W W W", first: long, balls: 120)
        #expect(wickets.state.isCloseFinish && wickets.state.relevance == 80)
        let runs = chase("6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6", first: long, balls: 120)
        #expect(runs.state.chase?.needed == 13 && runs.state.isCloseFinish)
    }

    @Test(arguments: [
        (87, 75, 6, "6.96"), (0, 0, 6, "0.00"), (1, 0, 6, "0.00"), (1, 6, 6, "1.00"), (2, 3, 6, "4.00"),
        (100, 63, 5, "7.94"), (36, 6, 6, "36.00"), (1, 8, 8, "1.00"), (5, 1, 6, "30.00"), (200, 599, 6, "2.00"),
        (1, 1200, 6, "0.01"), (1, 2000, 6, "0.00"),
    ])
    func ratesAreRoundedHalfUp(runs: Int, balls: Int, perOver: Int, text: String) {
        #expect(Rate.text(runs: runs, balls: balls, ballsPerOver: perOver) == text)
    }

    @Test func theHundredCountsAChaseInBalls() throws {
        var script = MatchScript.t20(balls: 100, format: .hundred)
        script.begin(.first)
        script.fill(runs: 140, wickets: 6, balls: 100)
        script.begin(.second)
        script.fill(runs: 50, wickets: 2, balls: 38)
        let content = script.drawn()
        #expect(content.expanded.line == "CSK need 91 from 62 balls")
        #expect(content.compactTrailing.overs == "38")
    }
}
