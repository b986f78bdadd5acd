// The winner by balls or by the feed's result, and its text (cricket.md C.9).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct ResultTests {
    private static let home = "Mumbai Indians"
    private static let away = "Chennai Super Kings"

    private func text(_ state: MatchState) -> String? {
        state.result?.text { $0 == .first ? Self.home : Self.away }
    }

    /// A match of two overs a side: the balls of the first side and those of the second.
    private func match(_ first: String, _ second: String, target: Target? = nil) -> MatchScript {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        script.begin(.first)
        script.bowl(first)
        script.dots(12 - script.deliveries.count)
        script.reframe { $0.isClosed = true }
        script.begin(.second) { $0.target = target }
        script.bowl(second)
        return script
    }

    @Test func aChaseIsWonByWickets() {
        #expect(text(match("6 6", "W 6 6 1").state) == "\(Self.away) won by 9 wickets (with 8 balls remaining)")
        #expect(
            text(match("1", "W W W W W W W W W . . 2").state) == "\(Self.away) won by 1 wicket (with 0 balls remaining)"
        )
        // A winning wide uses up no ball; a boundary reached before the winning run counts in full.
        #expect(text(match("6 6", "6 6 wd").state) == "\(Self.away) won by 10 wickets (with 10 balls remaining)")
        #expect(match("6 6", "6 6 4").state.innings[1].runs == 16)
    }

    @Test func aDefenceIsWonByRuns() {
        #expect(text(match("6 6", "W W W W W W W W W W").state) == "\(Self.home) won by 12 runs")
        #expect(text(match("6 6", "6 5 . . . . . . . . . .").state) == "\(Self.home) won by 1 run")
        #expect(match("6 6", "6 5 . . . . . . . . .").state.result == nil)
    }

    @Test func aClosedStatusAloneDecidesNoChase() {
        var script = match("6 6", "1 1")
        script.reframe { $0.isClosed = true }
        #expect(script.state.result == nil)
        script.status(.result)
        #expect(script.state.result == nil)
        script.result(ProviderResult(kind: .runs(10), winner: .first))
        #expect(text(script.state) == "\(Self.home) won by 10 runs")
        #expect(script.state.proven?.kind == .runs(10))
    }

    @Test func aStatedResultIsAheadOfTheScoresUntilTheLastBalls() {
        var chase = match("6 6", "6 4")
        chase.result(ProviderResult(kind: .wickets(10), winner: .second))
        #expect(chase.state.result?.isAheadOfScores == true)
        chase.bowl("4")
        #expect(chase.state.result?.isAheadOfScores == false)
        var defence = match("6 6", "6 5")
        defence.result(ProviderResult(kind: .runs(2), winner: .first))
        #expect(defence.state.result?.isAheadOfScores == true)
        defence.result(ProviderResult(kind: .runs(1), winner: .first))
        #expect(defence.state.result?.isAheadOfScores == false)
        // A margin above par is not the difference of the scores.
        defence.result(ProviderResult(kind: .runs(9), winner: .first, method: "DLS"))
        #expect(defence.state.result?.isAheadOfScores == false)
    }

    @Test func aStatedTieIsAheadOfTheScoresUntilTheyAreEqual() {
        var chase = match("6 6", "6 5")
        chase.result(ProviderResult(kind: .tie))
        #expect(chase.state.result?.isAheadOfScores == true)
        chase.bowl("1")
        #expect(chase.state.result?.isAheadOfScores == false)
        var revised = match("6 6", "6 5")
        revised.result(ProviderResult(kind: .tie, method: "DLS"))
        #expect(revised.state.result?.isAheadOfScores == false)
    }

    @Test func aResultBeforeBothSidesHaveBattedIsNotCompared() {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        script.begin(.first)
        script.bowl("6")
        script.result(ProviderResult(kind: .runs(2), winner: .first))
        #expect(script.state.result?.isAheadOfScores == false)
    }

    @Test func aResultShowsTheMethodOfItsTarget() {
        let state = match("6 6", "4 4", target: Target(runs: 8, balls: 6, method: "DLS"))
        #expect(state.state.innings[1].limit == 6)
        var script = state
        script.result(ProviderResult(kind: .wickets(10), winner: .second, method: "DLS"))
        #expect(text(script.state) == "\(Self.away) won by 10 wickets (with 4 balls remaining) (DLS method)")
        script.result(ProviderResult(kind: .runs(21), winner: .first, method: "VJD"))
        #expect(text(script.state) == "\(Self.home) won by 21 runs (VJD method)")
    }

    @Test func aTieInLimitedOversWaitsForTheFeed() {
        var script = match("6 6", "6 6 . . . . . . . . . .")
        #expect(script.state.result == nil)
        #expect(script.state.phase == .live)
        script.status(.tied)
        #expect(text(script.state) == "Match tied")
        #expect(script.state.result?.isOfficial == true)
    }

    @Test(arguments: [
        (
            ProviderResult(kind: .tie, tieBreakWinner: .second, tieBreak: "superOver"),
            "Match tied (\(away) won the Super Over)"
        ),
        (
            ProviderResult(kind: .tie, tieBreakWinner: .second, tieBreak: "bowlOut"),
            "Match tied (\(away) won the bowl-out)"
        ),
        (
            ProviderResult(kind: .tie, tieBreakWinner: .first, tieBreak: "boundaryCount"),
            "Match tied (\(home) won on boundary count)"
        ),
        (ProviderResult(kind: .tie, tieBreakWinner: .first), "Match tied (\(home) won the tie-break)"),
        (ProviderResult(kind: .tie), "Match tied"),
        (ProviderResult(kind: .draw), "Match drawn"),
        (ProviderResult(kind: .noResult), "No result"),
        (ProviderResult(kind: .awarded, winner: .first, method: "Awarded"), "Match awarded to \(home)"),
        (
            ProviderResult(kind: .fewerWickets, winner: .first, method: "Lost fewer wickets"),
            "\(home) won by losing fewer wickets"
        ),
        (ProviderResult(kind: .innings(1), winner: .first), "\(home) won by an innings and 1 run"),
        (ProviderResult(kind: .innings(43), winner: .first), "\(home) won by an innings and 43 runs"),
        (ProviderResult(kind: .runs(3), winner: .first, method: "D/L"), "\(home) won by 3 runs (D/L method)"),
    ]) func theResultOfTheFeedIsUsed(result: ProviderResult, words: String) {
        var script = match("6 6", "1 1")
        script.status(.result)
        script.result(result)
        #expect(text(script.state) == words)
        #expect(script.state.phase == .over)
    }

    @Test(arguments: [
        (MatchStatus.abandoned, "Match abandoned without a ball bowled"), (.cancelled, "Match cancelled"),
        (.postponed, "Match postponed"), (.abandonedNoBall, "Match abandoned without a ball bowled"),
        (.noResult, "Match abandoned without a ball bowled"),
    ]) func aMatchWithoutABallHasNoResult(status: MatchStatus, words: String) {
        var script = MatchScript.t20()
        script.status(status)
        #expect(text(script.state) == words)
        #expect(script.state.displayState == .abandoned)
    }

    @Test func theBallsGiveTheMarginOfAWinner() {
        var script = match("6 6", "6 6 6")
        script.result(ProviderResult(kind: .won, winner: .second))
        #expect(text(script.state) == "\(Self.away) won by 10 wickets (with 9 balls remaining)")
        script.result(ProviderResult(kind: .won, winner: .first))
        #expect(text(script.state) == "\(Self.home) won")
    }

    @Test func aMistakenResultIsWithdrawn() {
        var script = match("6 6", "1 1")
        script.status(.result)
        script.result(ProviderResult(kind: .runs(10), winner: .first))
        #expect(script.state.phase == .over)
        var replica = script.replica
        replica.apply([.status(StatusReport(status: .live)), .result(nil)])
        #expect(replica.state.phase == .live && replica.state.result == nil)
        #expect(!replica.state.moments.contains { $0.kind == .result })
    }

    @Test func penaltyRunsAfterAnInningsChangeTheTarget() {
        var script = MatchScript.t20(balls: 12)
        script.begin(.first)
        script.fill(runs: 20, wickets: 0, balls: 12)
        script.begin(.second)
        script.bowl("6")
        #expect(script.state.chase?.target.runs == 21)
        var replica = script.replica
        replica.apply(.innings(InningsInfo(ordinal: 1, batting: .first, penaltyAfter: 5)))
        #expect(replica.state.chase?.target.runs == 26)
        #expect(replica.state.chase?.needed == 20)
    }
}
