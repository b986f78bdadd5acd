// Moments of the ball count: ends of powerplays, the last over, a new ball; and awards of umpires.

import Testing

@testable import MatchEngine

@Suite struct OverMomentTests {
    private func moments(_ script: MatchScript, _ kind: Moment.Kind) -> [Moment] {
        script.state.moments.filter { $0.kind == kind }
    }

    @Test func powerplaysEndByTheRulesWithoutThoseOfTheFeed() {
        for (format, limit, balls) in [
            (Format.t20, 120, 36), (.t20i, 120, 36), (.odi, 300, 60), (.odi, 132, 24), (.odi, 162, 36), (.t10, 60, 18),
            (.hundred, 100, 25),
        ] {
            var script = MatchScript.t20(balls: limit, format: format)
            script.begin(.first)
            script.dots(balls - 1)
            #expect(moments(script, .powerplayEnd).isEmpty, "\(format) \(limit)")
            script.bowl("1")
            #expect(moments(script, .powerplayEnd).count == 1, "\(format) \(limit)")
        }
        var test = MatchScript.test()
        test.begin(.first)
        test.dots(200)
        #expect(moments(test, .powerplayEnd).isEmpty)
    }

    @Test func powerplaysOfTheFeedArePreferred() throws {
        var script = MatchScript.t20(balls: 120)
        script.begin(.first) {
            $0.powerplays = [
                Powerplay(kind: "mandatory", first: BallLabel(over: 0, ball: 1), last: BallLabel(over: 1, ball: 6)),
                Powerplay(kind: "batting", first: BallLabel(over: 3, ball: 1), last: BallLabel(over: 4, ball: 6)),
            ]
        }
        script.bowl("1 1 1 1 1 1 1 1 1 1 W 1")
        #expect(moments(script, .powerplayEnd).map(\.body) == ["MI 11/1 in 2 ov"])
        script.bowl("1 1 1 1 1 1")
        script.bowl("4 4 4 4 4 4 W 1 1 1 1 1")
        #expect(moments(script, .powerplayEnd).map(\.body) == ["MI 11/1 in 2 ov", "MI 29/1 in 2 ov"])
        #expect(moments(script, .powerplayEnd).map(\.key.text) == ["pp:1:1", "pp:1:2"])
    }

    @Test func theLastOverIsAMoment() {
        var script = MatchScript.t20(balls: 24)
        script.begin(.first)
        script.dots(17)
        #expect(moments(script, .lastOver).isEmpty)
        script.bowl("1")
        #expect(moments(script, .lastOver).map(\.body) == ["MI 1/0 (3 ov)"])
        #expect(moments(script, .lastOver).map(\.key.text) == ["lo:1"])
    }

    @Test func aMatchWonBeforeTheLastOverHasNone() {
        var script = MatchScript.t20(balls: 12)
        script.begin(.first)
        script.bowl("1 . . . . . . . . . . .")
        script.begin(.second)
        script.bowl(". . . . . 2")
        #expect(script.state.result != nil)
        #expect(moments(script, .lastOver).map(\.innings) == [1])
    }

    @Test func theHundredAnnouncesTheLastBalls() {
        var script = MatchScript.t20(balls: 100, format: .hundred)
        script.begin(.first)
        script.dots(95)
        #expect(moments(script, .lastOver).map(\.title) == ["Last 5 balls"])
    }

    @Test func aNewBallIsDueAfterEightyOvers() {
        var script = MatchScript.test()
        script.begin(.first)
        script.dots(479)
        #expect(moments(script, .newBall).isEmpty)
        script.bowl("1")
        #expect(moments(script, .newBall).map(\.body) == ["IND 1/0 (80 ov)"])
    }

    @Test func penaltyRunsAreAMoment() {
        var script = MatchScript.test()
        script.begin(.first) { $0.penaltyBefore = 5 }
        script.bowl("p5")
        #expect(moments(script, .penaltyRuns).map(\.key.text) == ["pen:1:pre", "pen:1.1"])
        #expect(moments(script, .penaltyRuns).map(\.body) == ["5 penalty runs to IND", "5 penalty runs to IND"])
    }

    @Test func reviewsAreMomentsWithTheirOutcome() {
        let batter = Player(id: "p", name: "RR Pant")
        let announced = [
            (Review(side: .second, batter: batter, decision: .pending), "Review", "AUS review: RR Pant"),
            (
                Review(side: .second, batter: batter, decision: .upheld), "Decision overturned",
                "AUS review upheld: RR Pant"
            ),
            (Review(side: .first, decision: .struckDown), "Decision stands", "IND review struck down"),
            (
                Review(side: .first, decision: .struckDown, isUmpiresCall: true), "Umpire's call",
                "IND review struck down, umpire's call"
            ),
            (Review(side: .first, decision: .failed), "Decision stands", "IND review not possible"),
        ]
        var script = MatchScript.test()
        script.begin(.first)
        for (review, title, body) in announced {
            script.bowl("1")
            var ball = script.deliveries[script.deliveries.count - 1]
            ball.reviews = [review]
            var replica = script.replica
            replica.apply(.amended(ball))
            let moment = replica.state.moments.first { $0.kind == .review }
            #expect(moment?.title == title && moment?.body == body && moment?.key.text == "rv:1:1")
            #expect(moment?.priority == .five && moment?.isAlert == false)
        }
    }

    @Test func substitutesAreMoments() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1")
        var ball = script.deliveries[0]
        ball.replacements = [
            Replacement(
                scope: .match,
                incoming: .named("SIM King"),
                outgoing: .named("LW James"),
                side: .second,
                reason: .concussion
            ),
            Replacement(scope: .match, incoming: .named("Sultan Karim"), reason: .impactPlayer),
            Replacement(scope: .role, incoming: .named("BA Stokes"), reason: .excluded),
        ]
        var replica = script.replica
        replica.apply(.amended(ball))
        let announced = replica.state.moments.filter { $0.kind == .substitute }
        #expect(announced.map(\.title) == ["Concussion substitute", "Impact player"])
        #expect(announced.map(\.body) == ["CSK: SIM King for LW James", "Sultan Karim"])
    }
}
