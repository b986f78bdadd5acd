// Moments counted over balls, overs and innings (cricket.md C.12): the places where the count restarts.

import Testing

@testable import MatchEngine

@Suite struct CountedMomentTests {
    private func moments(_ script: MatchScript, _ kind: Moment.Kind) -> [Moment] {
        script.state.moments.filter { $0.kind == kind }
    }

    private func begun() -> MatchScript {
        var script = MatchScript.t20()
        script.begin(.first)
        return script
    }

    /// Balls of an innings with all sixes by one batter, and their moments.
    @Test(arguments: [
        ("6 6 6 6 6 6", 1, 1), ("6 6 6 6 6 .", 1, 0), ("6 6 6 6 . 6", 0, 0), ("6 6 6 . 6 6 | 6 6 6", 1, 0),
        (". . . 6 6 6 | 6 6 6 . . .", 1, 0), ("6 6 6 wd 6 6 6", 1, 1), ("6 6 6 b2 6 6", 0, 0),
        ("6 6 6 6 6 6 | 6 6 6 6 6 6", 1, 2), ("6 6 6 . . . | 6 6 6 . . .", 0, 0), ("nb7 6 6 6 6 6", 1, 1),
    ])
    func sixesAreCountedByOverAndInARow(balls: String, running: Int, inAnOver: Int) {
        var script = begun()
        let (one, two) = (script.batter(1), script.batter(2))
        for (over, marks) in balls.split(separator: "|").enumerated() {
            for mark in marks.split(separator: " ") {
                let number = Int(mark.filter(\.isNumber)) ?? 0
                switch mark.filter({ !$0.isNumber }) {
                case "wd":
                    script.add(runs: DeliveryRuns(wides: 1), isLegal: false, striker: one, nonStriker: two, over: over)
                case "b": script.add(runs: DeliveryRuns(byes: number), striker: one, nonStriker: two, over: over)
                case "nb":
                    let runs = DeliveryRuns(bat: number - 1, noBalls: 1)
                    script.add(runs: runs, isLegal: false, striker: one, nonStriker: two, over: over)
                default: script.add(runs: DeliveryRuns(bat: number), striker: one, nonStriker: two, over: over)
                }
            }
        }
        #expect(moments(script, .fiveSixes).count == running)
        #expect(moments(script, .sixSixes).count == inAnOver)
        #expect(Set(moments(script, .sixSixes).map(\.key)).count == inAnOver, "each has its own key")
    }

    @Test func sixesOfTwoBattersAreNoRow() {
        var script = begun()
        let (one, two) = (script.batter(1), script.batter(2))
        for ball in 0..<6 {
            let isFirst = ball < 3
            script.add(
                runs: DeliveryRuns(bat: 6),
                striker: isFirst ? one : two,
                nonStriker: isFirst ? two : one,
                over: 0
            )
        }
        #expect(moments(script, .fiveSixes).isEmpty)
        #expect(moments(script, .sixSixes).count == 1, "but all of the over went for six")
    }

    @Test func everyMaidenInARowIsAnnounced() {
        var script = begun()
        script.dots(30)
        let announced = moments(script, .maiden)
        #expect(announced.map(\.key.text) == (0..<5).map { "m:1:\($0)" })
        #expect(announced.map(\.body).last == "Bowler 1 3-3-0-0")
    }

    /// Wickets are those of one bowler; run outs are credited to no bowler, and the count restarts with each over.
    @Test(
        arguments: [
            (["W W . . . ."], [("d2:1:0", "Two in the over")]), (["W . . . . .", "W . . . . ."], []),
            (["W W W W . ."], [("d2:1:0", "Two in the over")]), (["W R . . . ."], []),
            (["W R W . . ."], [("d2:1:0", "Two in the over")]),
            (["W . . . . W", "W W . . . ."], [("d2:1:0", "Two in the over"), ("d2:1:1", "Two in the over")]),
        ] as [([String], [(String, String)])]
    )
    func twoWicketsInAnOverAreAMoment(overs: [String], announced: [(key: String, title: String)]) {
        var script = MatchScript.test()
        script.begin(.first)
        for (over, marks) in overs.enumerated() {
            for mark in marks.split(separator: " ") {
                let out = Player.named("Out \(script.deliveries.count)")
                let kind: DismissalKind? = mark == "W" ? .bowled : mark == "R" ? .runOut : nil
                let dismissals = kind.map { [Dismissal(kind: $0, out: out)] } ?? []
                script.add(
                    dismissals: dismissals,
                    striker: out,
                    nonStriker: .named("Stayer"),
                    over: over,
                    by: "B\(over)"
                )
            }
        }
        let found = moments(script, .doubleWicketOver)
        #expect(found.map(\.key.text) == announced.map(\.key) && found.map(\.title) == announced.map(\.title))
    }

    /// A duck is golden off the first ball faced; a pair is two ducks of a match, a king pair two golden ones.
    @Test(
        arguments: [
            ("W", "W", "king pair"), (". W", "W", "pair"), ("W", ". W", "pair"), (". . W", ". W", "pair"),
            ("1 W", "W", "golden duck"), ("1 W", ". W", "duck"), ("W", "1 W", nil), ("wd W", "W", "king pair"),
            ("nb W", "W", "pair"),
        ] as [(String, String, String?)]
    )
    func ducksOfAMatchArePaired(first: String, second: String, word: String?) {
        var script = MatchScript.test()
        let opener = Player.named("Home Batter1")
        for marks in [first, ".", second, "."] {
            let isOurs = marks != "."
            script.begin(isOurs ? .first : .second)
            for mark in marks.split(separator: " ") where isOurs {
                let out = mark == "W" ? [Dismissal(kind: .bowled, out: opener)] : []
                let runs =
                    switch mark {
                    case "wd": DeliveryRuns(wides: 1)
                    case "nb": DeliveryRuns(noBalls: 1)
                    default: DeliveryRuns(bat: Int(mark) ?? 0)
                    }
                script.add(
                    runs: runs,
                    isLegal: mark != "wd" && mark != "nb",
                    dismissals: out,
                    striker: opener,
                    by: "One"
                )
            }
            script.reframe { $0.isDeclared = true }
        }
        let body = moments(script, .wicket).last?.body ?? ""
        let words = body.split(separator: ",").dropFirst().map { $0.trimmingPrefix(" ") }
        #expect(words.map(String.init) == [word].compactMap(\.self), "\(body)")
    }

    /// Each substitute has a key, so that the second is announced after the first.
    @Test func reviewsAndSubstitutesAreCounted() {
        var script = begun()
        script.bowl("1 . 2")
        var replica = script.replica
        for index in [0, 2] {
            var ball = script.deliveries[index]
            ball.replacements = [Replacement(scope: .match, incoming: .named("Sub \(index)"), reason: .injury)]
            ball.reviews = [Review(side: .second, decision: .struckDown)]
            replica.apply(.amended(ball))
        }
        let announced = replica.state.moments
        #expect(announced.filter { $0.kind == .substitute }.map(\.key.text) == ["sub:1:1", "sub:1:2"])
        #expect(announced.filter { $0.kind == .review }.map(\.key.text) == ["rv:1:1", "rv:1:2"])
    }

    /// Wickets off successive balls of a bowler, over overs and innings; `x` is a ball by another bowler (C.12).
    @Test(arguments: [
        ("W W W", [3]), ("W W . W", []), ("W W x W", [3]), ("W W wd W", []), ("W W S", [3]), ("W W R W", []),
        ("W W W W", [3, 4]), ("W W W W W", [3, 4, 5]), ("W W W . W W W", [3, 3]), ("W W nb W", []), ("W W b1 W", []),
        ("W . W W W", [3]),
    ])
    func hatTricksAreCountedOverInnings(marks: String, runs: [Int]) {
        var script = MatchScript.test()
        script.begin(.first)
        for mark in marks.split(separator: " ") {
            let out = Player.named("Out \(script.deliveries.count)")
            let kind: DismissalKind? =
                switch mark {
                case "W": .bowled
                case "S": .stumped
                case "R": .runOut
                default: nil
                }
            let extras =
                switch mark {
                case "wd", "S": DeliveryRuns(wides: 1)
                case "nb": DeliveryRuns(noBalls: 1)
                case "b1": DeliveryRuns(byes: 1)
                default: DeliveryRuns()
                }
            script.add(
                runs: extras,
                isLegal: extras.wides + extras.noBalls == 0,
                dismissals: kind.map { [Dismissal(kind: $0, out: out)] } ?? [],
                striker: out,
                nonStriker: .named("Stayer"),
                over: script.deliveries.count / 6,
                by: mark == "x" ? "Two" : "One"
            )
        }
        let announced = script.state.moments.filter { $0.kind == .hatTrick || $0.kind == .fourInFour }
        #expect(announced.map { Int($0.key.text.dropFirst().prefix(1)) } == runs)
        #expect(Set(announced.map(\.key)).count == runs.count)
    }
}
