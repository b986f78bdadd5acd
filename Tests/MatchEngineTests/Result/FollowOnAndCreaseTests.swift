// The conditions of the follow-on (Law 14), the batters by the feed's field, and the end of a short side.

import Testing

@testable import MatchEngine

@Suite struct FollowOnAndCreaseTests {
    /// Both first innings of a Test, the second one framed by a change.
    private func match(
        _ first: Int,
        _ second: Int,
        _ format: Format = .test,
        isClosed: Bool = true,
        _ change: (inout InningsInfo) -> Void = { _ in }
    ) -> MatchScript {
        var script = MatchScript(.make(format, first: "India", second: "Australia"))
        script.status(.toss)
        script.status(.live)
        script.begin(.first)
        script.fill(runs: first, wickets: 0, balls: first)
        script.reframe { $0.isDeclared = true }
        script.begin(.second)
        script.fill(runs: second, wickets: 0, balls: max(1, second))
        script.reframe {
            $0.isClosed = isClosed
            change(&$0)
        }
        return script
    }

    @Test(arguments: [
        (Format.test, 300, 100, true), (.test, 300, 101, false), (.test, 300, 99, true),
        // No feed states whether it has four days or five.
        (.firstClass, 300, 100, true), (.firstClass, 299, 100, false), (.test, 100, 300, false),
    ])
    func theMarginDecides(format: Format, first: Int, second: Int, isPossible: Bool) {
        #expect(match(first, second, format).state.isFollowOnPossible == isPossible)
    }

    @Test func theFollowOnRequiresAClosedSecondInnings() {
        #expect(!match(300, 50, isClosed: false).state.isFollowOnPossible, "it still bats")
        #expect(
            !match(300, 50) { $0.isDeclared = true }.state.isFollowOnPossible,
            "after a declaration the follow-on is not enforced"
        )
        var over = match(300, 50)
        over.status(.drawn)
        #expect(!over.state.isFollowOnPossible, "the match is over")
    }

    @Test func theThirdInningsDecidesTheFollowOn() {
        for side in [Side.first, .second] {
            var script = match(300, 50)
            script.begin(side)
            #expect(script.state.isFollowOnPossible, "framed, but not begun")
            script.bowl("1")
            #expect(!script.state.isFollowOnPossible)
            #expect(script.state.innings[2].isFollowOn == (side == .second))
        }
        #expect(!match(60, 10, .odi).state.isFollowOnPossible)
    }

    // MARK: The crease

    /// The feed's crease overrides the inferred one, while the innings is open.
    @Test(
        arguments: [
            (3, 2, [2, 3], 3), (3, nil, [3], 3), (nil, 3, [3], nil), (nil, nil, [1, 2], 2), (2, 1, [1, 2], 2),
        ] as [(Int?, Int?, [Int], Int?)]
    )
    func theFeedPlacesBatters(striker: Int?, nonStriker: Int?, in numbers: [Int], facing: Int?) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1")
        let crease = Crease(striker: striker.map(script.batter), nonStriker: nonStriker.map(script.batter))
        script.reframe { $0.crease = crease }
        let card = script.state.innings[0]
        #expect(Set(card.atCrease.map { card.batters[$0].player }) == Set(numbers.map(script.batter)))
        #expect(card.onStrike.map { card.batters[$0].player } == facing.map(script.batter))
        #expect(card.isStrikeInferred == (striker == nil && nonStriker == nil))
        #expect(card.batters.map(\.position) == Array(1...card.batters.count))
    }

    @Test func aDismissedBatterIsNotPlaced() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("W")
        let crease = Crease(striker: script.batter(1), nonStriker: script.batter(2))
        script.reframe { $0.crease = crease }
        let card = script.state.innings[0]
        #expect(card.atCrease.map { card.batters[$0].player } == [script.batter(2)])
        #expect(card.batters[0].status == .out && card.onStrike == nil)
    }

    @Test func aCreaseWithoutNamesChangesNothing() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl(".")
        let before = script.state.innings[0]
        let nobody = Player(id: "", name: "")
        script.reframe { $0.crease = Crease(striker: nobody, nonStriker: nobody) }
        let card = script.state.innings[0]
        #expect(card.batters == before.batters && card.atCrease == before.atCrease && card.onStrike == before.onStrike)
    }

    @Test func aClosedInningsHasNoBattersAtTheCrease() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1")
        script.reframe {
            $0.crease = Crease(striker: .named("Home Batter9"), nonStriker: .named("Home Batter2"))
            $0.isClosed = true
        }
        let names = script.state.innings[0].batters.map(\.player.name)
        #expect(names == ["Home Batter1", "Home Batter2"], "no batter is placed after the end")
    }

    // MARK: Short sides

    /// A side of n is out when n - 1 wickets have fallen, hurt and absent batters counted as if they had (C.8).
    @Test(arguments: [
        (8, 7, 0, 0, true), (8, 5, 0, 0, false), (8, 6, 1, 0, true), (8, 5, 1, 1, true), (8, 5, 0, 1, false),
        (11, 10, 0, 0, true), (11, 8, 0, 0, false), (11, 8, 2, 0, true), (11, 8, 1, 0, false), (11, 9, 0, 1, true),
        (2, 1, 0, 0, true), (12, 8, 0, 0, false),
    ])
    func aShortSideIsAllOutWithoutBatters(players: Int, wickets: Int, hurt: Int, absent: Int, isAllOut: Bool) {
        var info = MatchInfo.make(.t20, ballLimit: 120)
        let side = (1...players).map { Player.named("Home Batter\($0)") }
        info.teams[0] = TeamInfo(id: "1", name: "Mumbai Indians", players: side)
        var script = MatchScript(info)
        script.begin(.first) { $0.absent = (0..<absent).map { .named("Home Absent\($0)") } }
        for _ in 0..<wickets { script.bowl("W") }
        for number in 0..<hurt {
            let out = Player.named("Home Hurt\(number)")
            script.add(dismissals: [Dismissal(kind: .retiredHurt, out: out)], striker: out)
        }
        // The last ball takes no wicket, so that no batter is missing only because the next one has not come in yet.
        script.bowl("1")
        script.reframe { $0.isClosed = true }
        #expect(script.state.innings[0].end == (isAllOut ? .allOut : .closed))
    }
}
