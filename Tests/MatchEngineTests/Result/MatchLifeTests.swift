// The phase of a match by the feed's status and the balls together (cricket.md C.17, PUBLICATION section 1).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct MatchLifeTests {
    /// Level after two overs a side, with one of the statuses at the end.
    private func tied(_ status: MatchStatus, result: ProviderResult? = nil) -> MatchState {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        for side in [Side.first, .second] {
            script.begin(side)
            script.fill(runs: 12, wickets: 0, balls: 12)
        }
        script.status(status)
        if let result { script.result(result) }
        return script.state
    }

    /// A tie stated by the feed is the end only when the feed's own status ends play.
    @Test(arguments: [
        (MatchStatus.live, MatchPhase.live, MatchDisplayState.live), (.superOverBreak, .onBreak, .break),
        (.superOver, .live, .superOver), (.inningsBreak, .onBreak, .break), (.rain, .onBreak, .delayed),
        (.tied, .over, .finished), (.result, .over, .finished), (.scheduled, .over, .finished),
    ])
    func theStatusOfTheFeedDecidesAnOpenTie(status: MatchStatus, phase: MatchPhase, display: MatchDisplayState) {
        let state = tied(status, result: ProviderResult(kind: .tie))
        #expect(state.phase == phase)
        #expect(state.displayState == display)
    }

    @Test(arguments: [MatchStatus.live, .superOver, .superOverBreak, .result])
    func aBrokenTieIsOverUnlessASuperOverIsInPlay(status: MatchStatus) {
        let result = ProviderResult(kind: .tie, tieBreakWinner: .second, tieBreak: "bowlOut")
        let state = tied(status, result: result)
        let isOn = status == .superOver || status == .superOverBreak
        #expect((state.phase == .over) == !isOn)
    }

    /// The balls have decided, the feed has not: phones show the end, the match is not over yet.
    @Test func aDecidedMatchIsShownAsFinishedBeforeItsEnd() {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 5, wickets: 0, balls: 12)
        script.begin(.second)
        script.bowl("4")
        #expect(script.state.displayState == .live && script.state.result == nil)
        script.bowl("2")
        let state = script.state
        #expect(state.result?.kind == .wickets(10) && state.result?.isOfficial == false)
        #expect(state.phase == .live && state.displayState == .finished)
        script.status(.result)
        #expect(script.state.phase == .over && script.state.result?.isOfficial == true)
    }

    /// Statuses before the first ball and after it; the same status has two meanings.
    @Test(arguments: [
        (MatchStatus.scheduled, MatchPhase.scheduled, MatchPhase.live), (.lineups, .scheduled, .live),
        (.toss, .scheduled, .live), (.tossDelayed, .scheduled, .onBreak), (.startDelayed, .scheduled, .onBreak),
        (.live, .live, .live), (.rain, .scheduled, .onBreak), (.badLight, .scheduled, .onBreak),
        (.wetOutfield, .scheduled, .onBreak), (.suspended, .scheduled, .onBreak), (.lunch, .onBreak, .onBreak),
        (.drinks, .onBreak, .onBreak), (.stumps, .onBreak, .onBreak), (.resultPending, .onBreak, .onBreak),
        (.result, .over, .over), (.drawn, .over, .over), (.abandoned, .over, .over), (.cancelled, .over, .over),
        (.postponed, .over, .over), (.noResult, .over, .over), (.awarded, .over, .over),
    ])
    func aStatusDependsOnTheFirstBall(status: MatchStatus, before: MatchPhase, after: MatchPhase) {
        var script = MatchScript.t20()
        script.status(status)
        #expect(script.state.phase == before)
        script.begin(.first)
        script.bowl("1")
        #expect(script.state.phase == after)
    }

    /// An abandoned match is not finished, whatever the score.
    @Test(arguments: [
        (MatchStatus.abandoned, MatchDisplayState.abandoned), (.abandonedNoBall, .abandoned), (.cancelled, .abandoned),
        (.postponed, .abandoned), (.noResult, .abandoned), (.drawn, .finished), (.tied, .finished),
        (.awarded, .finished), (.result, .finished), (.stumps, .stumps), (.restDay, .stumps), (.tea, .break),
        (.crowd, .delayed), (.floodlight, .delayed),
    ])
    func theShownStatusFollowsThePhase(status: MatchStatus, display: MatchDisplayState) {
        var script = MatchScript.test()
        script.status(.live)
        script.begin(.first)
        script.bowl("1 2")
        script.status(status)
        #expect(script.state.displayState == display)
    }

    @Test func noResultIsShownAsAbandoned() {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.bowl("1")
        script.status(.result)
        script.result(ProviderResult(kind: .noResult))
        #expect(script.state.displayState == .abandoned)
    }
}
