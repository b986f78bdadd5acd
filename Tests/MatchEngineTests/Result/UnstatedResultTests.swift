// A feed may end a match without a result: then none may be invented (cricket.md B.8, C.9, trap 13).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct UnstatedResultTests {
    /// Two overs a side: twelve runs, and a chase.
    private func chase(_ marks: String) -> MatchScript {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 12, wickets: 0, balls: 12)
        script.begin(.second)
        script.bowl(marks)
        return script
    }

    @Test(arguments: [MatchStatus.result, .awarded])
    func anIncompleteInningsProvesNoWinner(status: MatchStatus) {
        var script = chase("1 1 W 1")
        script.status(status)
        let state = script.state
        #expect(state.result == nil && state.proven == nil)
        #expect(state.phase == .over && state.displayState == .finished)
        #expect(!state.moments.contains { $0.kind == .result })
    }

    @Test(arguments: [
        ("6 6 1", MatchResult.Kind.wickets(10), Side.second), ("1 1 1 1 1 1 1 1 1 1 1 .", .runs(1), .first),
        ("1 W W W W W W W W W W", .runs(11), .first),
    ])
    func completeInningsProveTheWinner(marks: String, kind: MatchResult.Kind, winner: Side) {
        var script = chase(marks)
        for status in [MatchStatus.resultPending, .result] {
            script.status(status)
            let result = script.state.result
            #expect(result?.kind == kind && result?.winner == winner)
            #expect(result?.isOfficial == (status == .result))
        }
    }

    @Test func anIncompleteInningsGivesNoMargin() {
        var script = chase("1 1 W 1")
        script.status(.result)
        script.result(ProviderResult(kind: .won, winner: .first))
        #expect(script.state.result?.kind == .won && script.state.result?.winner == .first)
    }

    @Test func aDrawRequiresTheStatusOfTheFeed() {
        var script = MatchScript.test()
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 60, wickets: 10, balls: 80)
        script.begin(.second)
        script.bowl("1 2")
        script.status(.result)
        #expect(script.state.result == nil)
        script.status(.drawn)
        #expect(script.state.result?.kind == .draw)
    }

    @Test func aStopBeforeTheResultEndsNoInnings() {
        var script = chase("1 1 W 1")
        script.reframe { $0.isClosed = true }
        #expect(script.state.moments.contains { $0.kind == .inningsEnd && $0.innings == 2 })
        script.status(.resultPending)
        #expect(!script.state.moments.contains { $0.kind == .inningsEnd && $0.innings == 2 })
        #expect(script.state.result == nil && script.state.chase == nil)
    }
}
