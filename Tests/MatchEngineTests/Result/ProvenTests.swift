// Results that the balls prove without the feed's, and their limits (cricket.md C.5, C.8, C.9).

import Testing

@testable import MatchEngine

@Suite struct ProvenTests {
    /// A first innings of twelve runs in two overs, then the chase given.
    private func match(_ chase: String, target: Target? = nil) -> MatchScript {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        script.begin(.first)
        script.bowl("6 6 . . . . . . . . . .")
        script.reframe { $0.isClosed = true }
        script.begin(.second) { $0.target = target }
        script.bowl(chase)
        return script
    }

    @Test func theBallsProveAWinWithoutAPublishedResult() {
        var script = match("6 6 1")
        script.result(ProviderResult(kind: .runs(3), winner: .first))
        #expect(script.state.result?.kind == .runs(3))
        #expect(script.state.proven?.kind == .wickets(10))
        #expect(script.state.proven?.winner == .second)
    }

    @Test func anAbandonedMatchProvesNothing() {
        var script = match("1 1")
        script.status(.noResult)
        #expect(script.state.proven == nil)
        #expect(script.state.result?.kind == .noResult)
    }

    @Test func aRevisionWithoutATargetProvesNoMargin() {
        var script = match("6 1")
        script.status(.result)
        script.result(ProviderResult(kind: .runs(5), winner: .first))
        #expect(script.state.proven?.kind == .runs(5))
        script.result(ProviderResult(kind: .runs(2), winner: .second, method: "D/L"))
        #expect(script.state.proven == nil)
        #expect(script.state.result?.text { $0 == .first ? "A" : "B" } == "B won by 2 runs (D/L method)")
    }

    @Test func aChaseStoppedAboveParIsWonByRuns() {
        var script = match("6 6 1", target: Target(runs: 9, balls: 6, method: "DLS"))
        script.result(ProviderResult(kind: .runs(5), winner: .second, method: "DLS"))
        #expect(script.state.proven?.kind == .runs(5))
        #expect(script.state.proven?.winner == .second)
        // Before the feed's result a side that has its target has won by wickets.
        #expect(match("6 6", target: Target(runs: 9, balls: 6, method: "DLS")).state.proven?.kind == .wickets(10))
    }

    @Test func aMissingLastBatterLeavesTheSideAllOut() {
        func test(_ result: ProviderResult?) -> MatchState {
            var script = MatchScript.test()
            for (side, runs) in [(Side.first, 60), (.second, 50), (.first, 70)] {
                script.begin(side)
                script.fill(runs: runs, wickets: 10, balls: runs + 20)
            }
            script.begin(.second)
            script.bowl("1 1 W W W W W W W W W")
            if let result { script.result(result) }
            return script.state
        }
        #expect(test(nil).proven == nil)
        #expect(test(ProviderResult(kind: .runs(78), winner: .first)).proven?.kind == .runs(78))
        #expect(test(ProviderResult(kind: .draw)).proven?.kind == .draw)
    }
}
