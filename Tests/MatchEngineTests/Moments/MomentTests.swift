// Moments, their keys and levels (cricket.md C.12, PUBLICATION section 2).

import Testing

@testable import MatchEngine

@Suite struct MomentTests {
    private func keys(_ state: MatchState, _ kind: Moment.Kind) -> [String] {
        state.moments.filter { $0.kind == kind }.map(\.key.text)
    }

    @Test func aBatterCanPassFiftyInOneBall() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        for _ in 0..<12 { script.add(runs: DeliveryRuns(bat: 4), striker: script.batter(1)) }
        script.add(runs: DeliveryRuns(bat: 1), striker: script.batter(1))
        script.add(runs: DeliveryRuns(bat: 6), striker: script.batter(1))
        let fifty = try #require(script.state.moments.first { $0.kind == .fifty })
        #expect(fifty.key.text == "b50:1:Home Batter1")
        #expect(fifty.title == "Fifty!")
        #expect(fifty.body == "Home Batter1 55 (14 balls, 12x4 1x6)")
        #expect(fifty.priority == .ten && fifty.isAlert && fifty.flash == "50")
        #expect(keys(script.state, .fifty).count == 1)
    }

    @Test func onlyAHundredIsLoudInLongFormats() {
        var script = MatchScript.test()
        script.begin(.first)
        for _ in 0..<26 { script.add(runs: DeliveryRuns(bat: 4)) }
        let announced = script.state.moments.filter { $0.kind == .fifty || $0.kind == .hundred }
        #expect(announced.map(\.key.text) == ["b50:1:Home Batter1", "b100:1:Home Batter1"])
        #expect(announced.map(\.priority) == [.five, .ten])
        #expect(announced.map(\.isAlert) == [false, true])
        #expect(announced.map(\.relevance) == [60, 90])
        #expect(keys(script.state, .teamMilestone) == ["t50:1", "t100:1"])
        #expect(keys(script.state, .partnership) == ["p50:1:1", "p100:1:1"])
    }

    @Test func fiveWicketsAreAHaul() throws {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("W . W . W . W . 1 W", by: "R Ashwin")
        let haul = try #require(script.state.moments.first { $0.kind == .fiveWickets })
        #expect(haul.key.text == "5w:1:R Ashwin" && haul.body == "R Ashwin 5/1 (1.4)")
        #expect(haul.side == .second && haul.priority == .ten)
    }

    @Test func aHatTrickSpansOversAndInnings() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("1 1 1 1 1 W", by: "One")
        script.bowl(". . . . . .", by: "Two")
        script.bowl("W", by: "One")
        script.reframe { $0.isDeclared = true }
        script.begin(.second)
        script.bowl(". . . . . .")
        script.reframe { $0.isDeclared = true }
        script.begin(.first)
        #expect(keys(script.state, .hatTrick).isEmpty)
        script.bowl("W", by: "One")
        #expect(keys(script.state, .hatTrick) == ["h3:3:One"])
        script.bowl("W W W", by: "One")
        #expect(keys(script.state, .hatTrick) == ["h3:3:One"])
        script.bowl(". W W W", by: "One")
        #expect(keys(script.state, .hatTrick) == ["h3:3:One", "h3:3:One:2"])
    }

    @Test func aWideOrRunOutEndsAHatTrick() {
        for breaker in ["wd", "runOut"] {
            var script = MatchScript.t20()
            script.begin(.first)
            script.bowl("W W", by: "One")
            if breaker == "wd" {
                script.bowl("wd", by: "One")
            } else {
                script.add(dismissals: [Dismissal(kind: .runOut, out: script.batter(2))], by: "One")
            }
            script.bowl("W", by: "One")
            #expect(keys(script.state, .hatTrick).isEmpty)
        }
    }

    @Test func correctingAnEarlierInningsWithdrawsALaterHatTrick() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("W W", by: "One")
        script.reframe { $0.isDeclared = true }
        script.begin(.second)
        script.bowl("1")
        script.reframe { $0.isDeclared = true }
        script.begin(.first)
        script.bowl("W", by: "One")
        var replica = script.replica
        #expect(replica.state.moments.contains { $0.kind == .hatTrick })
        var first = script.deliveries[0]
        first.dismissals = []
        replica.apply(.amended(first))
        #expect(!replica.state.moments.contains { $0.kind == .hatTrick })
    }

    @Test func aWicketOfAnotherPersonHasAnotherSubject() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1 W")
        var replica = script.replica
        let before = try #require(replica.state.moments.first { $0.kind == .wicket })
        var ball = script.deliveries[1]
        ball.dismissals = [Dismissal(kind: .runOut, out: script.batter(1))]
        replica.apply(.amended(ball))
        let after = try #require(replica.state.moments.first { $0.kind == .wicket })
        #expect(before.key == after.key && before.subject != after.subject)
        replica.apply(.withdrawn(ball.key))
        #expect(!replica.state.moments.contains { $0.kind == .wicket })
    }

    @Test func anInningsEndIsAnnouncedOnceAndTheLastByTheResult() throws {
        var script = MatchScript.t20(balls: 12)
        script.begin(.first)
        script.bowl("1 1 1 1 1 1 1 1 1 1 1 1")
        #expect(keys(script.state, .inningsEnd) == ["inn:1"])
        let end = try #require(script.state.moments.last)
        #expect(end.title == "End of innings" && end.body == "MI 12/0 (2 ov)" && end.priority == .ten)
        script.begin(.second)
        script.bowl("6 6 1")
        #expect(keys(script.state, .inningsEnd) == ["inn:1"])
        let result = try #require(script.state.moments.last)
        #expect(result.key.text == "res" && !result.isOfficial && result.relevance == 100)
        script.status(.result)
        #expect(script.state.moments.last?.isOfficial == true)
    }

    @Test func theEndOfALongStopIsAnnounced() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1")
        script.status(.live, since: 1000)
        script.status(.rain, since: 2000)
        script.status(.wetOutfield, since: 4000)
        script.status(.live, since: 5600)
        #expect(script.state.moments.filter { $0.kind == .resumption && $0.isAlert }.map(\.key.text) == ["go:2000"])
        script.status(.drinks, since: 6000)
        script.status(.live, since: 60_000)
        script.status(.rain, since: 61_000)
        script.status(.live, since: 61_500)
        #expect(script.state.moments.filter { $0.kind == .resumption && $0.isAlert }.map(\.key.text) == ["go:2000"])
    }

    @Test func theGreatestOfSeveralMomentsIsAnnounced() {
        var script = MatchScript.t20(balls: 6)
        script.begin(.first)
        script.bowl("1 1 1 W W W", by: "One")
        let last = script.deliveries.last?.key
        let here = script.state.moments.filter { $0.delivery == last }
        #expect(Set(here.map(\.kind)) == [.wicket, .wicketHaul, .hatTrick, .inningsEnd])
        #expect(Moment.mostImportant(of: here)?.kind == .hatTrick)
        #expect(Moment.mostImportant(of: [Moment]()) == nil)
    }

    @Test func aCloseFinishOutranksAnOrdinaryBall() {
        var script = MatchScript.t20(balls: 60)
        script.begin(.first)
        script.fill(runs: 80, wickets: 0, balls: 60)
        #expect(script.state.relevance == 50)
        script.status(.inningsBreak)
        #expect(script.state.relevance == 30)
        script.status(.live)
        script.begin(.second)
        script.dots(30)
        #expect(script.state.relevance == 50)
        script.dots(1)
        #expect(script.state.relevance == 80)
        script.status(.noResult)
        #expect(script.state.relevance == 100)
        #expect(MatchReplica().state.relevance == 10)
    }
}
