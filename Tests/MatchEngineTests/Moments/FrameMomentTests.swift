// Moments besides balls (cricket.md C.12): revised targets, ends of innings, moments on a last ball, the course.

import Testing

@testable import MatchEngine

@Suite struct FrameMomentTests {
    private func moments(_ script: MatchScript, _ kind: Moment.Kind) -> [Moment] {
        script.state.moments.filter { $0.kind == kind }
    }

    // MARK: Targets

    /// Twenty runs in five overs, then a target of the feed: announced when officials have changed anything.
    @Test(
        arguments: [
            (Target(runs: 21, balls: 30), nil), (Target(runs: 21), nil), (Target(runs: 21, balls: 31), nil),
            (Target(runs: 21, balls: 29), "CSK need 21 from 4.5 overs"),
            (Target(runs: 21, balls: 18), "CSK need 21 from 3 overs"),
            (Target(runs: 21, balls: 30, method: "DLS"), "CSK need 21 from 5 overs (DLS)"),
            (Target(runs: 22, balls: 30), "CSK need 22 from 5 overs"), (Target(runs: 20), "CSK need 20 to win"),
            (Target(runs: 15, balls: 16, method: "VJD"), "CSK need 15 from 2.4 overs (VJD)"),
            (Target(runs: 9, balls: 6, method: "DLS"), "CSK need 9 from 1 over (DLS)"),
            (Target(runs: 9, balls: 7), "CSK need 9 from 1.1 overs"),
            (Target(runs: 2, balls: 1), "CSK need 2 from 0.1 overs"),
            (Target(runs: 0, balls: 18), nil), (Target(runs: -1, balls: 18, method: "DLS"), nil),
        ] as [(Target, String?)]
    )
    func aChangedTargetIsAnnounced(target: Target, body: String?) {
        var script = MatchScript.t20(balls: 30)
        script.begin(.first)
        script.fill(runs: 20, wickets: 0, balls: 30)
        script.begin(.second) { $0.target = target }
        #expect(moments(script, .targetRevised).map(\.body) == [body].compactMap(\.self))
    }

    @Test func theHundredCountsATargetInBalls() {
        var script = MatchScript.t20(balls: 100, format: .hundred)
        script.begin(.first)
        script.fill(runs: 100, wickets: 0, balls: 100)
        script.begin(.second) { $0.target = Target(runs: 70, balls: 63, method: "DLS") }
        #expect(moments(script, .targetRevised).map(\.body) == ["CSK need 70 from 63 balls (DLS)"])
        #expect(moments(script, .targetRevised).map(\.key.text) == ["tgt:2:70:63"])
    }

    @Test func oneBallAndOneOverAreSingular() {
        let (t20, hundred) = (
            RuleSet(MatchScript.t20().info), RuleSet(MatchScript.t20(balls: 100, format: .hundred).info)
        )
        let lengths = [1, 5, 6, 7, 12].map { Overs(balls: $0, ballsPerOver: 6).length(in: t20) }
        #expect(lengths == ["0.1 overs", "0.5 overs", "1 over", "1.1 overs", "2 overs"])
        #expect(
            [1, 5, 10].map { Overs(balls: $0, ballsPerOver: 5).length(in: hundred) } == [
                "1 ball", "5 balls", "10 balls",
            ]
        )
    }

    /// A super over is chased without a revision, and time, not overs, limits a Test.
    @Test func superOversAndTestsHaveNoRevisedTarget() {
        var script = MatchScript.t20(balls: 6)
        for side in [Side.first, .second] {
            script.begin(side)
            script.bowl("1 1 1 1 1 1")
        }
        script.begin(.second) { $0.superOver = 1 }
        script.bowl("6 . . . . .")
        script.begin(.first) {
            $0.superOver = 1
            $0.target = Target(runs: 7, balls: 5, method: "DLS")
        }
        #expect(script.state.innings[3].target?.runs == 7 && moments(script, .targetRevised).isEmpty)
        var test = MatchScript.test()
        test.begin(.first) { $0.target = Target(runs: 90, balls: 60, method: "DLS") }
        test.bowl("1")
        #expect(moments(test, .targetRevised).isEmpty)
    }

    // MARK: Ends

    /// An innings with its frame and its balls, and the moments of its end.
    struct End: Sendable, CustomTestStringConvertible {
        let script: MatchScript
        let title: String
        let body: String

        var testDescription: String { body }

        init(
            _ script: MatchScript,
            _ marks: String,
            _ title: String,
            _ body: String,
            _ change: (inout InningsInfo) -> Void = { _ in }
        ) {
            (self.script, self.title, self.body) = (FrameMomentTests.ended(script, marks, change), title, body)
        }
    }

    private static func ended(_ script: MatchScript, _ marks: String, _ change: (inout InningsInfo) -> Void)
        -> MatchScript
    {
        var script = script
        script.begin(.first, change)
        script.bowl(marks)
        return script
    }

    static let ends: [End] = [
        End(.t20(), "1 W W W W W W W W W W", "All out!", "MI 1 (1.5 ov)"),
        End(.t20(balls: 6), "1 . . . . .", "End of innings", "MI 1/0 (1 ov)"),
        End(.t20(), "4 .", "End of innings", "MI 4/0 (0.2 ov)") { $0.isClosed = true },
        End(.test(), "6 W", "Declared", "IND 6/1d (0.2 ov)") { $0.isDeclared = true },
        End(.test(), "wd", "Declared", "IND 1/0d (0 ov)") { $0.isDeclared = true },
        End(.test(), "", "Forfeited", "IND forf") { $0.isForfeited = true },
        End(.t20(balls: 5, format: .hundred), "1 . . . .", "End of innings", "MI 1/0 (5 balls)"),
        End(.t20(), "1 W W", "Super over", "MI 1 (0.3 ov)") { $0.superOver = 1 },
        End(.t20(), "1 . . . . 1", "Super over", "MI 2/0 (1 ov)") { $0.superOver = 1 },
        End(.t20(), "", "End of innings", "MI 169/9 (19.3 ov)") {
            $0.isClosed = true
            $0.reported = ReportedTotal(runs: 169, wickets: 9, balls: 117)
        },
    ]

    @Test(arguments: ends) func anInningsEndHasItsText(row: End) {
        let announced = moments(row.script, .inningsEnd)
        #expect(announced.map(\.title) == [row.title] && announced.map(\.body) == [row.body])
        #expect(announced.map(\.key.text) == ["inn:1"])
    }

    /// A feed may list and close an unplayed innings; time may end one that is in progress.
    @Test func anUnplayedOrUnfinishedInningsHasNoEnd() {
        let listed = Self.ended(.t20(), "") { $0.isClosed = true }
        #expect(listed.state.innings[0].end == .closed && moments(listed, .inningsEnd).isEmpty)
        var stopped = Self.ended(.test(), "1 4") { _ in }
        stopped.status(.drawn)
        #expect(stopped.state.innings[0].end == .matchOver && moments(stopped, .inningsEnd).isEmpty)
        #expect(moments(stopped, .result).count == 1)
        // Many feeds close an innings once the match is over.
        var called = Self.ended(.t20(), "1 4") { $0.isClosed = true }
        #expect(called.state.innings[0].end == .closed && moments(called, .inningsEnd).count == 1)
        called.status(.noResult)
        #expect(called.state.innings[0].end == .matchOver && moments(called, .inningsEnd).isEmpty)
    }

    /// The result announces the innings that decides; one that decides nothing, a tie or a draw, is announced by both.
    @Test(arguments: [
        ("1 1 . . . .", MatchStatus.tied, ["inn:1", "inn:2", "res"]), ("6", .result, ["inn:1", "res"]),
        ("1 . . . . .", .result, ["inn:1", "res"]),
    ])
    func theResultAnnouncesTheEndOfTheLastInnings(chase: String, word: MatchStatus, keys: [String]) {
        var script = MatchScript.t20(balls: 6)
        script.begin(.first)
        script.bowl("1 1 . . . .")
        script.begin(.second)
        script.bowl(chase)
        script.status(word)
        let announced = script.state.moments.filter { $0.kind == .inningsEnd || $0.kind == .result }
        #expect(announced.map(\.key.text) == keys)
        var drawn = Self.ended(.test(), "1 4") { $0.isDeclared = true }
        drawn.status(.drawn)
        #expect(moments(drawn, .inningsEnd).count == 1 && moments(drawn, .result).count == 1)
    }

    // MARK: Last balls

    /// A last over or a new ball is not announced for an innings that ended on that very ball.
    @Test(arguments: [(479, false, 0), (480, false, 1), (480, true, 0), (481, true, 1)])
    func aNewBallIsAnnouncedInAnOpenInnings(balls: Int, isDeclared: Bool, count: Int) {
        var script = MatchScript.test()
        script.begin(.first)
        script.dots(balls)
        script.reframe { $0.isDeclared = isDeclared }
        #expect(moments(script, .newBall).count == count)
    }

    @Test(arguments: [(6, 0), (12, 1), (18, 1)]) func anInningsOfOneOverHasNoLastOver(limit: Int, count: Int) {
        var script = MatchScript.t20(balls: limit)
        script.begin(.first)
        script.dots(limit - 1)
        #expect(moments(script, .lastOver).count == count)
    }

    /// A powerplay that begins in the middle of an over counts from the ball before it (cricket.md C.6).
    @Test func aPowerplayCountsFromItsFirstBall() {
        var script = MatchScript.t20()
        script.begin(.first) {
            $0.powerplays = [
                Powerplay(kind: "batting", first: BallLabel(over: 0, ball: 3), last: BallLabel(over: 1, ball: 4))
            ]
        }
        script.bowl("6 6 1 1 1 1 1 1 W 1 4")
        #expect(moments(script, .powerplayEnd).map(\.body) == ["MI 7/1 in 1.2 ov"])
    }

    // MARK: Course

    /// Corrected names change the announced start and toss as well.
    @Test func courseMomentsFollowTheNamesAndTheFirstBall() {
        var script = MatchScript.t20()
        script.status(.lineups)
        script.begin(.first)
        script.bowl("1 2")
        var replica = script.replica
        func announced(_ kind: Moment.Kind) -> Moment? { replica.state.moments.first { $0.kind == kind } }
        #expect(
            announced(.start)?.body == "Mumbai Indians v Chennai Super Kings"
                && announced(.start)?.delivery?.text == "1.1"
        )
        replica.apply(.withdrawn(DeliveryKey("1.1")))
        #expect(announced(.start)?.delivery?.text == "1.2")
        replica.apply(.withdrawn(DeliveryKey("1.2")))
        #expect(announced(.start) == nil && announced(.lineups) != nil)
        replica.apply(.inserted(script.deliveries[0]))
        var info = MatchInfo.make(.t20, ballLimit: 120, first: "Surrey", second: "Kent")
        info.toss = Toss(winner: .second, decision: .bat)
        replica.apply(.info(info))
        #expect(announced(.lineups)?.body == "Surrey v Kent" && announced(.start)?.body == "Surrey v Kent")
        #expect(announced(.toss)?.body == "Kent won the toss and bat first")
    }

    /// A configuration without a level for resumed play has none for short stops either.
    @Test(arguments: [(MomentPolicy.Level.loud, 2), (.off, 0)])
    func resumedPlayIsAnnouncedByPolicy(level: MomentPolicy.Level, count: Int) {
        var policy = MomentPolicy.standard
        policy[.resumption, .t20] = level
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1")
        for (word, since) in [(MatchStatus.rain, 0), (.live, 600), (.rain, 1_000), (.live, 9_000)] {
            script.status(word, since: Int64(since))
        }
        var replica = MatchReplica(options: EngineOptions(moments: policy))
        replica.apply(script.changes)
        #expect(replica.state.moments.count { $0.kind == .resumption } == count)
        #expect(replica.state.moments.count { $0.kind == .delay } == 2)
    }
}
