// Moments of batters, pairs and sides, row by row of the fact sheet (cricket.md C.12).

import Testing

@testable import MatchEngine

@Suite struct BattingMomentTests {
    private func moments(_ script: MatchScript, _ kind: Moment.Kind) -> [Moment] {
        script.state.moments.filter { $0.kind == kind }
    }

    @Test func wicket() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("4 W", by: "J Bumrah")
        let wicket = try #require(moments(script, .wicket).first)
        #expect(wicket.title == "Wicket!" && wicket.body == "Home Batter1 b Bumrah 4(2)" && wicket.flash == "W")
        #expect(wicket.priority == .ten && wicket.isAlert && wicket.relevance == 90 && wicket.side == .second)
    }

    @Test func duckAndGoldenDuckAreShownWithTheWicket() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("W . W 1 W", by: "One")
        #expect(
            moments(script, .wicket).map(\.body) == [
                "Home Batter1 b One 0(1), golden duck", "Home Batter3 b One 0(2), duck",
                "Home Batter2 b One 0(1), golden duck",
            ]
        )
    }

    @Test func pairAndKingPairAreMoments() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("W . W", by: "One")
        script.reframe { $0.isDeclared = true }
        script.begin(.second)
        script.bowl("1")
        script.reframe { $0.isDeclared = true }
        script.begin(.first)
        script.bowl("W W", by: "One")
        #expect(
            moments(script, .wicket).suffix(2).map(\.body) == [
                "Home Batter1 b One 0(1), king pair", "Home Batter3 b One 0(1), pair",
            ]
        )
    }

    @Test func everyFiftyToFourHundredIsAMoment() {
        var script = MatchScript.test()
        script.begin(.first)
        for _ in 0..<101 { script.add(runs: DeliveryRuns(bat: 4)) }
        let announced = script.state.moments.filter { $0.kind == .fifty || $0.kind == .hundred }
        #expect(
            announced.map(\.title) == [
                "Fifty!", "Hundred!", "150!", "Double hundred!", "250!", "Triple hundred!", "350!",
                "Quadruple hundred!",
            ]
        )
        #expect(announced.map(\.key.text).last == "b400:1:Home Batter1")
        #expect(announced.dropFirst().allSatisfy { $0.priority == .ten && $0.relevance == 90 })
    }

    @Test func aJumpOverTwoThresholdsAnnouncesTheHighest() {
        var script = MatchScript.test()
        script.begin(.first)
        script.add(runs: DeliveryRuns(bat: 49))
        script.add(runs: DeliveryRuns(bat: 60))
        #expect(moments(script, .fifty).isEmpty)
        #expect(moments(script, .hundred).map(\.key.text) == ["b100:1:Home Batter1"])
    }

    @Test func aMilestoneReachedAgainHasTheSameKey() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        for _ in 0..<13 { script.add(runs: DeliveryRuns(bat: 4)) }
        var replica = script.replica
        let first = try #require(replica.state.moments.first { $0.kind == .fifty })
        var ball = try #require(script.deliveries.last)
        ball.runs.bat = 1
        replica.apply(.amended(ball))
        #expect(!replica.state.moments.contains { $0.kind == .fifty })
        ball.runs.bat = 6
        replica.apply(.amended(ball))
        let again = try #require(replica.state.moments.first { $0.kind == .fifty })
        #expect(again.key == first.key && again.subject == first.subject)
    }

    @Test func everyTeamFiftyIsAMoment() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.fill(runs: 101, wickets: 0, balls: 36)
        #expect(moments(script, .teamMilestone).map(\.key.text) == ["t50:1", "t100:1"])
        #expect(moments(script, .teamMilestone).first?.body == "MI 52/0 (2.1 ov)")
        #expect(moments(script, .teamMilestone).allSatisfy { $0.priority == .five && !$0.isAlert })
    }

    @Test func extrasCountForTheTeamAndThePartnership() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        for _ in 0..<10 { script.bowl("wd5") }
        #expect(moments(script, .teamMilestone).count == 1)
        let stand = try #require(moments(script, .partnership).first)
        #expect(stand.body == "Batter1 0, Batter2 0 (0 balls, extras 50)")
        #expect(stand.key.text == "p50:1:1" && stand.title == "50 partnership")
    }

    @Test func partnershipsCountFromTheirFirstBall() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("6 6 6 W 6 6 6 6 6 6 6 6 6")
        #expect(moments(script, .partnership).map(\.key.text) == ["p50:1:2"])
        #expect(moments(script, .partnership).first?.body == "Batter3 18, Batter2 36 (9 balls)")
    }

    @Test func sixSixesInAnOverAndFiveInARowAreMoments() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("6 6 wd 6 6 6 6")
        #expect(moments(script, .fiveSixes).map(\.key.text) == ["s5:1:0"])
        let six = try #require(moments(script, .sixSixes).first)
        #expect(six.title == "Six sixes in the over!" && six.body == "Home Batter1 36(6)" && six.priority == .five)
        #expect(
            Moment.mostImportant(of: script.state.moments.filter { $0.delivery == six.delivery })?.kind == .sixSixes
        )
    }

    @Test func aDotOrAllRunSixEndsARowOfSixes() {
        for spoiler in [DeliveryRuns(), DeliveryRuns(bat: 6)] {
            var script = MatchScript.t20()
            script.begin(.first)
            for number in 0..<7 {
                let isSpoiled = number == 3
                script.add(runs: isSpoiled ? spoiler : DeliveryRuns(bat: 6), isAllRun: isSpoiled)
            }
            #expect(moments(script, .fiveSixes).isEmpty)
        }
    }

    @Test func fourAndSixLastUntilTheNextBall() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("4")
        let four = try #require(moments(script, .four).first)
        #expect(four.flash == "4" && four.priority == .five && !four.isAlert && four.title == "Four!")
        #expect(four.body == "Home Batter1 4(1)")
        script.bowl("6")
        #expect(moments(script, .four).isEmpty)
        #expect(moments(script, .six).first?.flash == "6")
        script.bowl("1")
        #expect(moments(script, .six).isEmpty)
        script.add(runs: DeliveryRuns(bat: 4), isAllRun: true)
        #expect(moments(script, .four).isEmpty)
    }

    @Test func superOversAnnounceWicketsAndNoMilestones() {
        var script = MatchScript.t20(balls: 6)
        script.begin(.first)
        script.bowl("1 . . . . .")
        script.begin(.second)
        script.bowl("1 . . . . .")
        script.begin(.second) { $0.superOver = 1 }
        script.bowl("6 6 6 6 6 W", by: "One")
        let kinds = Set(script.state.moments.filter { $0.innings == 3 }.map(\.kind))
        #expect(kinds == [.superOver, .wicket, .inningsEnd])
    }
}
