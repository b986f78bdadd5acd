// Moments of bowlers, row by row of the fact sheet (cricket.md C.12).

import Testing

@testable import MatchEngine

@Suite struct BowlingMomentTests {
    private func keys(_ script: MatchScript, _ kind: Moment.Kind) -> [String] {
        script.state.moments.filter { $0.kind == kind }.map(\.key.text)
    }

    @Test func threeAndFourWicketsCountByFormat() {
        for (format, wanted) in [(Format.t20, ["3w:1:One", "4w:1:One"]), (.odi, ["4w:1:One"]), (.test, [])] {
            var script = MatchScript(.make(format, ballLimit: format.isLimitedOvers ? 300 : nil))
            script.begin(.first)
            script.bowl("W . W . W . W", by: "One")
            #expect(keys(script, .wicketHaul) == wanted, "\(format)")
        }
    }

    @Test func fiveWicketsAndEachFurtherOneAreMoments() throws {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("W . W . W . W . W . W . W", by: "One")
        #expect(keys(script, .fiveWickets) == ["5w:1:One", "6w:1:One", "7w:1:One"])
        let five = try #require(script.state.moments.first { $0.kind == .fiveWickets })
        #expect(five.priority == .ten && five.isAlert && five.title == "Five wickets!")
    }

    @Test func runOutsAreCreditedToNoBowler() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("W . W .", by: "One")
        script.add(dismissals: [Dismissal(kind: .runOut, out: script.batter(2))], by: "One")
        #expect(keys(script, .wicketHaul).isEmpty)
        #expect(keys(script, .wicket).count == 3)
    }

    @Test func tenWicketsInAMatchAreAMoment() throws {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("W . W . W . W . W . W .", by: "One")
        script.reframe { $0.isDeclared = true }
        script.begin(.second)
        script.bowl("1")
        script.reframe { $0.isDeclared = true }
        script.begin(.first)
        script.bowl("W . W . W .", by: "One")
        #expect(keys(script, .tenInMatch).isEmpty)
        script.bowl("W . W", by: "One")
        let ten = try #require(script.state.moments.first { $0.kind == .tenInMatch })
        #expect(ten.key.text == "10m:One" && ten.innings == 3 && ten.priority == .five)
        #expect(keys(script, .tenInMatch).count == 1)
    }

    @Test func twoWicketsInTwoBallsAreAMoment() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("W W . W W", by: "One")
        #expect(keys(script, .onHatTrick) == ["h2:1:One", "h2:1:One:2"])
        #expect(keys(script, .hatTrick).isEmpty)
    }

    @Test func hatTricksOfThreeFourAndFiveAreMoments() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("W W W W W", by: "One")
        #expect(keys(script, .hatTrick) == ["h3:1:One"])
        #expect(keys(script, .fourInFour) == ["h4:1:One", "h5:1:One"])
        let hat = try #require(script.state.moments.first { $0.kind == .hatTrick })
        #expect(hat.priority == .ten && hat.isAlert && hat.body == "One 3/0")
    }

    @Test func aStumpingOffAWideCountsForAHatTrick() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("W W", by: "One")
        script.add(
            runs: DeliveryRuns(wides: 1),
            isLegal: false,
            dismissals: [Dismissal(kind: .stumped, out: script.batter(2))],
            by: "One"
        )
        #expect(keys(script, .hatTrick) == ["h3:1:One"])
    }

    @Test func twoWicketsInAnOverAreAMoment() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("W . W . W 1 1 W 1 1 1 1", by: "One")
        #expect(keys(script, .doubleWicketOver) == ["d2:1:0"])
    }

    @Test func maidensWithWicketsAreMoments() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl(". . . b1 . .", by: "One")
        script.bowl(". W . . . .", by: "Two")
        script.bowl(". W . . W .", by: "One")
        script.bowl(". W . . W 1", by: "Two")
        let maidens = script.state.moments.filter { $0.kind == .maiden }
        #expect(maidens.map(\.title) == ["Maiden", "Wicket maiden", "Double-wicket maiden"])
        #expect(maidens.map(\.body) == ["One 1-1-0-0", "Two 1-1-0-1", "One 2-2-0-2"])
        #expect(maidens.allSatisfy { $0.priority == .five && !$0.isAlert })
    }

    @Test func aSeventhBallWithdrawsAMaiden() {
        var script = MatchScript.test()
        script.begin(.first)
        for _ in 0..<6 { script.add(by: "One") }
        #expect(keys(script, .maiden) == ["m:1:0"])
        script.add(runs: DeliveryRuns(bat: 1), by: "One")
        #expect(keys(script, .maiden).isEmpty)
    }

    @Test func anOverCalledEarlyIsAMaidenAtTheNextBall() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl(". . . . .", by: "One")
        script.callOver()
        #expect(keys(script, .maiden).isEmpty)
        script.bowl("1", by: "Two")
        #expect(keys(script, .maiden) == ["m:1:0"])
        #expect(script.state.moments.first { $0.kind == .maiden }?.subject == "One")
    }

    @Test func aSharedOverIsNoMaiden() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl(". . .", by: "One")
        script.bowl(". . .", by: "Two")
        script.bowl("1", by: "One")
        #expect(keys(script, .maiden).isEmpty)
    }
}
