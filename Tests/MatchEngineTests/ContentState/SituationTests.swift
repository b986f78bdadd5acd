// The texts of the six presentations from the announcement to the day after.

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct SituationTests {
    private func chase() -> MatchScript {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 169, wickets: 9, balls: 120)
        script.begin(.second)
        script.fill(runs: 87, wickets: 6, balls: 75)
        return script
    }

    @Test func beforeTheStart() {
        var script = MatchScript.t20()
        var content = script.drawn()
        #expect(content.matchDisplayState == .scheduled)
        #expect(content.compactLeading == .init(teamAbbr: "MI", score: "v CSK"))
        #expect(content.compactTrailing == .init(text: "Upcoming"))
        #expect(content.minimal.text == "v CSK")
        #expect(content.expanded.line == "MI v CSK" && content.lockScreen.sub == "Wankhede Stadium")
        #expect(content.small == .init(top: "MI", bottom: "CSK", line: "MI v CSK"))
        #expect(content.expanded.batters.isEmpty && content.expanded.bowler == nil && content.expanded.recent.isEmpty)
        script.status(.startDelayed, note: "Wet outfield, inspection at 19:30")
        content = script.drawn()
        #expect(content.matchDisplayState == .delayed && content.expanded.line == "Start delayed: MI v CSK")
        #expect(content.lockScreen.sub == "Wet outfield, inspection at 19:30")
        script = MatchScript(Self.tossed)
        script.status(.toss)
        content = script.drawn()
        #expect(content.expanded.line == "CSK won the toss and chose to field")
        #expect(content.small.line == "CSK chose to field" && content.compactTrailing.text == "Toss")
    }

    private static var tossed: MatchInfo {
        var info = MatchInfo.make(.t20)
        info.toss = Toss(winner: .second, decision: .field)
        return info
    }

    @Test func theFirstInnings() {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.bowl("1 . 4 6 W lb2 wd 2")
        let content = script.drawn()
        #expect(content.matchDisplayState == .live)
        #expect(content.compactLeading == .init(teamAbbr: "MI", score: "16/1"))
        #expect(content.compactTrailing == .init(overs: "1.1", runRate: "13.71", text: "1.1 ov"))
        #expect(content.minimal == .init(text: "16/1"))
        #expect(content.expanded.line == "MI 16/1 after 1.1 overs")
        #expect(content.expanded.teams[1] == .init(abbr: "CSK", score: "", overs: nil, batting: false))
        #expect(content.expanded.recent == ["4", "6", "W", "lb2", "wd", "2"])
        #expect(content.lockScreen.sub == "Last wicket: Home Batter2 10(4)")
        #expect(content.small.line == "RR 13.71 (1.1 ov)")
    }

    @Test func aCountOfOneIsSingular() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1 . . . . .")
        #expect(script.drawn().expanded.line == "MI 1/0 after 1 over")
        var hundred = MatchScript.t20(balls: 100, format: .hundred)
        hundred.begin(.first)
        hundred.bowl("1")
        #expect(hundred.drawn().expanded.line == "MI 1/0 after 1 ball")
        #expect(hundred.drawn().small.line == "RR 5.00 (1 ball)")
    }

    @Test func aBoundaryOrWicketFlashesUntilTheNextBall() {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        let flashes = ["4", "6", "W", "1", "nb5", "."].map { mark in
            script.bowl(mark)
            return script.drawn().minimal.flash
        }
        #expect(flashes == ["4", "6", "W", nil, nil, nil])
    }

    @Test func aChaseShowsTheRunsNeeded() {
        let content = chase().drawn()
        #expect(content.compactTrailing.text == "83 off 45")
        #expect(content.expanded.line == "CSK need 83 from 45 balls")
        #expect(content.small.line == "need 83 (45)")
        #expect(content.expanded.teams.map(\.batting) == [false, true])
    }

    @Test func aRevisedTargetIsShown() {
        var script = chase()
        script.reframe { $0.target = Target(runs: 120, balls: 90, method: "DLS") }
        let content = script.drawn()
        #expect(content.expanded.line == "CSK need 33 from 15 balls")
        #expect(content.lockScreen.sub == "Target 120 (DLS) · Partnership 87 (69)")
    }

    @Test(arguments: [
        (MatchStatus.drinks, MatchDisplayState.break, "Drinks", "Drinks: CSK need 83 from 45 balls", "need 83 (45)"),
        (.strategicTimeout, .break, "Timeout", "Strategic timeout: CSK need 83 from 45 balls", "need 83 (45)"),
        (.rain, .delayed, "Rain", "Rain: CSK need 83 from 45 balls", "Rain, need 83 (45)"),
        (.badLight, .delayed, "Bad light", "Bad light: CSK need 83 from 45 balls", "Bad light, need 83 (45)"),
        (.floodlight, .delayed, "Lights", "Floodlight failure: CSK need 83 from 45 balls", "Lights, need 83 (45)"),
        (.stumps, .stumps, "Stumps", "Stumps: CSK need 83 from 45 balls", "need 83 (45)"),
        (.live, .live, "83 off 45", "CSK need 83 from 45 balls", "need 83 (45)"),
        (.review, .live, "83 off 45", "CSK need 83 from 45 balls", "need 83 (45)"),
        (.scheduled, .live, "83 off 45", "CSK need 83 from 45 balls", "need 83 (45)"),
    ]) func aPauseIsShownBeforeTheRunsNeeded(
        status: MatchStatus,
        display: MatchDisplayState,
        trailing: String,
        line: String,
        small: String
    ) {
        var script = chase()
        script.status(status)
        let content = script.drawn()
        #expect(content.matchDisplayState == display)
        #expect(content.compactTrailing.text == trailing)
        #expect(content.expanded.line == line)
        #expect(content.small.line == small)
    }

    @Test func theInningsBreakShowsTheTarget() {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 169, wickets: 9, balls: 120)
        script.status(.inningsBreak)
        let content = script.drawn()
        #expect(content.matchDisplayState == .break && content.compactTrailing.text == "Break")
        #expect(content.expanded.line == "Innings break: CSK need 170 from 120 balls")
        #expect(content.small.line == "CSK need 170 (120)")
        #expect(content.expanded.teams.map(\.batting) == [false, false])
        #expect(content.expanded.batters.isEmpty && content.expanded.recent.isEmpty)
        // A frame without a ball changes nothing.
        script.begin(.second)
        #expect(script.drawn() == content)
    }

    /// A line that is too long loses the balls left, and then the reason of the stop, but no part of a number.
    @Test(arguments: [
        (MatchStatus.badLight, Format.odi, "CSK", "Bad light, need 187"), (.rain, .t20, "PBKS", "Rain, PBKS need 171"),
        (.suspended, .t20, "CSK", "Stopped, CSK need 171"), (.inningsBreak, .t20, "PBKS", "PBKS need 171 (120)"),
    ])
    func aLongSmallLineLosesTheBallsLeft(status: MatchStatus, format: Format, chasing: String, line: String) {
        let isOneDay = format == .odi
        var info = MatchInfo.make(format, ballLimit: isOneDay ? 300 : 120)
        info.teams[1] = TeamInfo(id: "2", name: "Chasing Side", abbreviation: chasing)
        var script = MatchScript(info)
        script.status(.live)
        script.begin(.first)
        script.fill(runs: isOneDay ? 250 : 170, wickets: 5, balls: isOneDay ? 300 : 120)
        if isOneDay {
            script.begin(.second)
            script.fill(runs: 64, wickets: 2, balls: 87)
        }
        script.status(status)
        #expect(script.drawn().small.line == line)
    }

    @Test func theLongestReasonGivesWayToTheRunsNeeded() {
        var script = chase()
        script.reframe { $0.target = Target(runs: 123_456_789, balls: 120) }
        script.status(.badLight)
        #expect(script.drawn().small.line == "need 123456702")
    }

    @Test func aFramedInningsFarAheadIsNoChase() {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.bowl("1 1")
        var replica = script.replica
        replica.apply(.innings(InningsInfo(ordinal: 2, batting: .second)))
        #expect(replica.state.chase == nil && replica.state.innings[0].end == nil)
        #expect(replica.state.innings[1].target == nil)
    }

    @Test func everyPresentationShowsTheResult() {
        var script = chase()
        script.status(.result)
        script.result(ProviderResult(kind: .runs(21), winner: .first, method: "DLS", playersOfMatch: ["Tilak Varma"]))
        let content = script.drawn()
        #expect(content.matchDisplayState == .finished)
        #expect(content.compactLeading == .init(teamAbbr: "MI", score: "169/9"))
        #expect(content.compactTrailing == .init(text: "won"))
        #expect(content.minimal == .init(text: "MI won"))
        #expect(content.expanded.line == "MI won by 21 runs (DLS)")
        #expect(content.lockScreen.line == "Mumbai Indians won by 21 runs (DLS)")
        #expect(content.lockScreen.sub == "Player of the match: Tilak Varma")
        #expect(content.small.line == "MI won by 21 runs (DLS)")
        #expect(content.expanded.batters.isEmpty && !content.expanded.teams.contains(where: \.batting))
    }

    @Test func noResultIsNoDefeat() {
        var script = chase()
        script.status(.noResult)
        let content = script.drawn()
        #expect(content.matchDisplayState == .abandoned)
        #expect(content.compactTrailing.text == "no result" && content.minimal.text == "N/R")
        #expect(content.expanded.line == "No result" && content.small.line == "No result")
    }

    @Test func anEmptyMatchCanBeDrawn() {
        let info = MatchInfo(format: .t20, teams: [])
        var replica = MatchReplica()
        let nothing = ContentStateRenderer.render(replica.state, info: info, revision: -5)
        nothing.expectWithinLimits()
        #expect(nothing.rev == 0)
        replica.apply(.info(info))
        ContentStateRenderer.render(replica.state, info: info, revision: 1).expectWithinLimits()
    }

    @Test func everyStatusCanBeDrawnInEverySituation() {
        for script in [MatchScript.t20(), chase(), TestExample.script, ChaseExample.script] {
            var replica = script.replica
            for status in MatchStatus.allCases {
                replica.apply(.status(StatusReport(status: status)))
                let content = ContentStateRenderer.render(replica.state, info: script.info, revision: 1)
                content.expectWithinLimits()
                #expect(content.compactTrailing.text.count <= 12, "\(status)")
            }
        }
    }
}
