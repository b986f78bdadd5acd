// The target and its source (cricket.md C.5): the feed, the innings before, or none yet.

import Testing

@testable import MatchEngine

@Suite struct TargetRowsTests {
    /// A first innings of so many runs in two overs, closed, and a second one as framed.
    private func chase(
        first runs: Int = 20,
        _ format: Format = .t20,
        target: Target? = nil,
        result: ProviderResult? = nil
    ) -> MatchState {
        var script = MatchScript(.make(format, ballLimit: format.isLimitedOvers ? 12 : nil))
        script.status(.live)
        script.begin(.first)
        script.fill(runs: runs, wickets: 0, balls: 12)
        script.reframe { $0.isClosed = true }
        script.begin(.second) { $0.target = target }
        script.bowl("1 .")
        if let result { script.result(result) }
        return script.state
    }

    /// The target and the balls of the feed, and the ones that are used.
    @Test(
        arguments: [
            (nil, 21, 12), (Target(runs: 30, balls: 12), 30, 12), (Target(runs: 8, balls: 6), 8, 6),
            (Target(runs: 30, balls: nil), 30, 12), (Target(runs: 0, balls: nil), 21, 12),
            (Target(runs: -4, balls: nil), 21, 12), (Target(runs: 15, balls: 0), 15, 12),
            (Target(runs: 15, balls: -6), 15, 12), (Target(runs: 15, balls: 100_001), 15, 12),
            (Target(runs: 15, balls: 100_000), 15, 100_000), (Target(runs: 15, balls: 1), 15, 1),
        ] as [(Target?, Int, Int)]
    )
    func aPlausibleTargetOfTheFeedIsUsed(target: Target?, runs: Int, balls: Int) {
        let card = chase(target: target).innings[1]
        #expect(card.target?.runs == runs && card.limit == balls)
    }

    /// Officials revised a target that no feed has: an invented one would prove a false margin.
    @Test(arguments: [(nil, 21), ("DLS", nil), ("D/L", nil), ("VJD", nil)] as [(String?, Int?)])
    func aRevisedMatchNeedsATargetOfTheFeed(method: String?, runs: Int?) {
        let result = ProviderResult(kind: .runs(5), winner: .first, method: method)
        #expect(chase(result: result).innings[1].target?.runs == runs)
    }

    /// A target belongs to the last innings: the second of a one-day match, the fourth of a Test.
    @Test func onlyTheLastInningsHasATarget() {
        #expect(chase(.test).innings.map { $0.target?.runs } == [nil, nil])
        var script = MatchScript.test()
        for (side, runs) in [(Side.first, 30), (.second, 40), (.first, 25)] {
            script.begin(side)
            script.fill(runs: runs, wickets: 10, balls: 40)
            #expect(script.state.innings.allSatisfy { $0.target == nil })
        }
        script.begin(.second)
        #expect(script.state.innings.last?.target == Target(runs: 16, balls: nil))
    }

    /// The first innings is still open: the side that bats second in a feed's frame has no target yet.
    @Test func anOpenFirstInningsSetsNoTarget() {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        script.begin(.first)
        script.bowl("4 4")
        script.begin(.second)
        #expect(script.state.innings[1].target == nil && script.state.chase == nil)
    }

    /// A side that leads before its last innings wins with its first run.
    @Test func aLeadingSideNeedsOneRun() {
        var script = MatchScript.test()
        for (side, runs) in [(Side.first, 20), (.second, 60), (.first, 10)] {
            script.begin(side)
            script.fill(runs: runs, wickets: 9, balls: 60)
            script.reframe { $0.isDeclared = true }
        }
        script.begin(.second)
        #expect(script.state.innings[3].target?.runs == 1)
        script.bowl("1")
        #expect(script.state.result?.winner == .second)
    }

    /// Super overs go in pairs: each second one chases the one before it, whatever was made in the match.
    @Test func eachSecondSuperOverChasesTheFirst() {
        var script = MatchScript.t20(balls: 6)
        for side in [Side.first, .second] {
            script.begin(side)
            script.fill(runs: 6, wickets: 0, balls: 6)
        }
        for (number, side, marks) in [
            (1, Side.second, "6 4 . . . ."), (1, .first, "6 4 . . . ."), (2, .first, "1 1 . . . ."), (2, .second, "1"),
        ] {
            script.begin(side) { $0.superOver = number }
            script.bowl(marks)
        }
        let targets = script.state.innings.filter(\.isSuperOver).map { $0.target?.runs }
        #expect(targets == [nil, 11, nil, 3])
        #expect(script.state.innings.filter(\.isSuperOver).map(\.limit) == [6, 6, 6, 6])
        #expect(script.state.total(of: .first) == 6 && script.state.total(of: .second) == 6)
    }

    /// The ends of an innings, in the order of their checks (cricket.md C.8).
    @Test(
        arguments: [
            ("1 1 1 1 1 1 1 1 1 1 1 1", nil, InningsEnd.limitReached), ("W W W W W W W W W W", nil, .allOut),
            ("6 6 6 6", nil, .targetReached), ("6 6 6 2 1", nil, .targetReached),
            ("1 1 1", Target(runs: 3, balls: 12), .targetReached),
            ("1 . . . . .", Target(runs: 30, balls: 6), .limitReached), ("1 1", nil, nil),
            ("wd5 wd5 wd5 wd5 wd5", nil, .targetReached),
            ("1 1 1 1 1 1 1 1 1 1 1 W", nil, .limitReached), ("6 6 6 W W W W W W W W W", nil, .limitReached),
        ] as [(String, Target?, InningsEnd?)]
    )
    func anInningsEnds(marks: String, target: Target?, end: InningsEnd?) {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 20, wickets: 0, balls: 12)
        script.begin(.second) { $0.target = target }
        script.bowl(marks)
        #expect(script.state.innings[1].end == end)
    }

    /// An innings without a ball does not end by itself, but a captain or a feed may end it.
    @Test func anInningsWithoutABallIsEndedByStatusOnly() {
        for (change, end) in [
            ({ _ in }, nil), ({ $0.isDeclared = true }, .declared), ({ $0.isForfeited = true }, .forfeited),
            ({ $0.isClosed = true }, .closed),
        ] as [((inout InningsInfo) -> Void, InningsEnd?)] {
            var script = MatchScript.test()
            script.begin(.first, change)
            #expect(script.state.innings[0].end == end)
        }
    }
}
