// Batters and striker: the feed's fields override the inference; free hits, powerplays.

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct CreaseTests {
    private func script() -> MatchScript {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.bowl("1 . 4")
        return script
    }

    @Test func theStrikeIsInferredUnlessTheFeedStatesIt() {
        var script = script()
        #expect(script.state.innings[0].isStrikeInferred)
        #expect(script.state.innings[0].onStrike == 1)
        script.reframe { $0.crease = Crease(striker: .named("Home Batter1"), nonStriker: .named("Home Batter2")) }
        let card = script.state.innings[0]
        #expect(card.onStrike == 0 && !card.isStrikeInferred)
    }

    @Test func aNewBatterIsShownBeforeTheFirstBall() {
        var script = script()
        script.bowl("W")
        script.reframe { $0.crease = Crease(striker: .named("Home Batter9"), nonStriker: .named("Home Batter1")) }
        let card = script.state.innings[0]
        #expect(card.batters[2].player.name == "Home Batter9" && card.batters[2].balls == 0)
        #expect(card.atCrease == [0, 2] && card.onStrike == 2)
        // A dismissed batter is not in, whatever a late reply contains.
        script.reframe { $0.crease = Crease(striker: .named("Home Batter2"), nonStriker: .named("Home Batter1")) }
        #expect(script.state.innings[0].onStrike == nil)
    }

    @Test func aFrameWithoutChangedBallsGivesTheSameState() {
        var script = script()
        var replica = script.replica
        let before = script.changes.count
        script.reframe { $0.isClosed = true }
        for change in script.changes[before...] { replica.apply(change) }
        #expect(replica.state == script.state)
    }

    @Test func aFreeHitStaysDueAfterWides() {
        var script = script()
        func isDue() -> Bool { script.state.innings[0].isFreeHitDue }
        #expect(!isDue())
        script.bowl("nb")
        #expect(isDue())
        #expect(script.drawn().lockScreen.sub?.hasPrefix("Free hit") == true)
        script.bowl("wd")
        #expect(isDue())
        script.bowl("6")
        #expect(!isDue())
    }

    @Test func thePowerplayEndsByTheTableOrTheFeed() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.dots(35)
        #expect(script.state.innings[0].isPowerplay)
        script.dots(1)
        #expect(!script.state.innings[0].isPowerplay)
        let late = Powerplay(kind: "batting", first: BallLabel(over: 6, ball: 1), last: BallLabel(over: 7, ball: 6))
        script.reframe { $0.powerplays = [late] }
        #expect(script.state.innings[0].isPowerplay)
    }

    @Test func aTwoRunNoBallIsMarkedAsANoBall() {
        var info = MatchInfo.make(.t20, ballLimit: 120)
        info.competition = "Vitality Blast"
        var script = MatchScript(info)
        script.begin(.first)
        script.add(runs: DeliveryRuns(noBalls: 2), isLegal: false)
        script.add(runs: DeliveryRuns(bat: 1, noBalls: 2), isLegal: false)
        #expect(script.state.innings[0].recent.map(\.text) == ["nb", "nb3"])
    }

    @Test func theFollowOnIsPossibleByTheMargin() {
        func match(_ second: Int) -> MatchScript {
            var script = MatchScript.test()
            script.status(.live)
            script.begin(.first)
            script.fill(runs: 400, wickets: 10, balls: 500)
            script.begin(.second)
            script.fill(runs: second, wickets: 10, balls: second + 50)
            return script
        }
        #expect(match(200).state.isFollowOnPossible)
        #expect(match(200).drawn().lockScreen.sub == "Follow-on possible")
        #expect(!match(201).state.isFollowOnPossible)
    }
}
