// Balls: keys, kinds of extras, wickets, what is final.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzBallTests {
    private func key(_ ball: Int, _ again: Int = 0) -> RoanuzBallKey {
        RoanuzBallKey(innings: 1, over: 0, ball: ball, again: again)
    }

    @Test func ballKeysEncodeTheirPlace() throws {
        let first = try #require(RoanuzBallKey("526528"))
        #expect([first.innings, first.place / 8, first.place % 8, first.again] == [1, 4, 3, 0])
        let second = try #require(RoanuzBallKey("1071489"))
        #expect([second.innings, second.place / 8, second.place % 8, second.again] == [2, 44, 6, 1])
        #expect(RoanuzBallKey(innings: 2, over: 44, ball: 6, again: 1).number == 1_071_489)
        // An eighth ball uses the next over's number, and is still sorted.
        let eighth = RoanuzBallKey(innings: 1, over: 3, ball: 8, again: 0)
        #expect(eighth.isOf(over: 3, ball: 8))
        #expect(eighth.number < RoanuzBallKey(innings: 1, over: 4, ball: 1, again: 0).number)
        for text in ["", "x", "-1", "99999999999999999999", "9223372036854775807", "526528.0"] {
            #expect(RoanuzBallKey(text) == nil)
        }
    }

    @Test func eachTypeHasItsExtras() throws {
        let extras = #","extra_runs":{"bye":3,"leg_bye":2,"wide":5,"no_ball":1,"penalty":0}"#
        let balls = try Sample.snapshot(
            [
                Sample.ball(key(1), (0, 1), bat: 4),
                Sample.ball(key(2), (0, 2), type: "wide", charged: 5, extras: 5, count: 0),
                Sample.ball(key(2, 1), (0, 2), type: "noball", bat: 2, charged: 1, extras: 1, count: 0),
                Sample.ball(key(2, 2), (0, 2), type: "bye", extras: 3),
                Sample.ball(key(3), (0, 3), type: "legbye", extras: 2),
            ],
            totals: Sample.innings((0, 3), runs: 17, extras: extras)
        ).deliveries
        #expect(
            balls.map(\.runs) == [
                DeliveryRuns(bat: 4), DeliveryRuns(wides: 5), DeliveryRuns(bat: 2, noBalls: 1), DeliveryRuns(byes: 3),
                DeliveryRuns(legByes: 2),
            ]
        )
        #expect(balls.map(\.isLegal) == [true, false, false, true, true])
        #expect(balls[0].striker.name == "Ann One")
        #expect(balls[0].nonStriker.name == "Bea Two")
        #expect(balls[0].occurredAt == 1_698_396_721)
        #expect(balls.map(\.key.text) == ["524352", "524416", "524417", "524418", "524480"])
    }

    @Test func totalsGiveTheExtrasOfANoBall() throws {
        func runs(_ extras: String, total: Int = 8) throws -> [DeliveryRuns] {
            try Sample.snapshot(
                [
                    Sample.ball(key(1), (0, 1), type: "noball", charged: 1, extras: 4, count: 0),
                    Sample.ball(key(1, 1), (0, 1), type: "legbye", extras: 1),
                    Sample.ball(key(2), (0, 2), type: "noball", charged: 1, extras: 3, count: 0),
                ],
                totals: Sample.innings((0, 1), runs: total, extras: #","extra_runs":{\#(extras)}"#)
            ).deliveries.map(\.runs)
        }
        let legByes = try runs(#""bye":0,"leg_bye":6,"no_ball":2,"penalty":0"#)
        #expect(legByes.map(\.legByes) == [3, 1, 2])
        let both = try runs(#""bye":2,"leg_bye":4,"no_ball":2,"penalty":0"#)
        #expect(both.map(\.legByes).reduce(0, +) == 4)
        #expect(both.map(\.byes).reduce(0, +) == 2)
        // Totals that are behind the balls leave only the kind open: the score is right.
        let lagging = try runs("")
        #expect(lagging.map(\.total) == [4, 1, 3])
        #expect(lagging.map(\.byes) == [3, 0, 2])
    }

    @Test func penaltiesOnBallsAndOutsideThem() throws {
        let balls = [
            Sample.ball(key(1), (0, 1), bat: 1, extras: 5), Sample.ball(key(2), (0, 2), type: "bye", extras: 7),
        ]
        let extras = #","extra_runs":{"bye":2,"leg_bye":0,"penalty":15}"#
        let totals = Sample.innings((0, 2), runs: 18, extras: extras)
        let snapshot = try Sample.snapshot(balls, totals: totals)
        #expect(
            snapshot.deliveries.map(\.runs) == [DeliveryRuns(bat: 1, penalty: 5), DeliveryRuns(byes: 2, penalty: 5)]
        )
        #expect(snapshot.innings[0].penaltyBefore == 5)
    }

    /// A single leg bye hides no penalty, whatever extras the innings has.
    @Test func penaltiesAreMultiplesOfFive() throws {
        let balls = [
            Sample.ball(key(1), (0, 1), type: "legbye", extras: 1),
            Sample.ball(key(2), (0, 2), type: "legbye", extras: 7),
        ]
        let extras = #","extra_runs":{"bye":0,"leg_bye":3,"penalty":5}"#
        let snapshot = try Sample.snapshot(balls, totals: Sample.innings((0, 2), runs: 8, extras: extras))
        #expect(snapshot.deliveries.map(\.runs) == [DeliveryRuns(legByes: 1), DeliveryRuns(legByes: 2, penalty: 5)])
    }

    /// The totals give extras their kind and change no sum; a penalty out of range refuses the reply.
    @Test(arguments: [
        (runs: Int.min, extras: "", isRead: true), (Int.max, "", true),
        (9, #""bye":-9223372036854775808,"leg_bye":-9223372036854775808"#, true),
        (9, #""bye":9223372036854775807,"leg_bye":9223372036854775807,"penalty":5"#, true),
        (Int.max, #""penalty":-9223372036854775808"#, false), (Int.min, #""penalty":9223372036854775807"#, false),
    ])
    func extrasOfAnySizeAreHarmless(_ totals: (runs: Int, extras: String, isRead: Bool)) {
        let balls = [
            Sample.ball(key(1), (0, 1), type: "bye", extras: 2),
            Sample.ball(key(2), (0, 2), type: "legbye", extras: 3),
            Sample.ball(key(3), (0, 3), type: "noball", charged: 1, extras: 4, count: 0),
        ]
        let extras = #","extra_runs":{\#(totals.extras)}"#
        let innings = Sample.innings((0, 2), runs: totals.runs, extras: extras)
        let sums = (try? Sample.snapshot(balls, totals: innings))?.deliveries.map(\.runs.total)
        #expect(sums == (totals.isRead ? [2, 3, 4] : nil))
    }

    @Test(arguments: [Int.min, Int.max]) func theFallOfAWicketMayBeAnyNumber(fall: Int) throws {
        let wicket = #","wicket":{"player_key":"p1","wicket_type":"bowled"}"#
        let match = Sample.match(
            innings: ["a_1": Sample.innings((0, 2), runs: 6, extras: Self.completedWithPenalty)],
            card: #","score":{"1":{"batting":{"dismissal":{"team_runs":\#(fall)}}}}"#
        )
        let page = Sample.page("a_1", 0, [Sample.plain(0, 1, bat: 1), Sample.ball(key(2), (0, 2), more: wicket)])
        let snapshot = try RoanuzAdapter().snapshot(
            ProviderReplies([.match: match, .balls: page]),
            ProviderSession()
        )
        let innings = snapshot.innings[0]
        #expect(innings.isClosed)
        #expect([innings.penaltyBefore, innings.penaltyAfter] == (fall > 0 ? [5, 0] : [0, 5]))
    }

    private static let completedWithPenalty =
        #","is_completed":true,"extra_runs":{"bye":0,"leg_bye":0,"penalty":5}"#

    @Test func wicketsFieldersAndSubstitutes() throws {
        func wicket(_ type: String, _ fielders: String) -> String {
            #","wicket":{"player_key":"p2","wicket_type":"\#(type)"},"fielders":[\#(fielders)]"#
        }
        let event = Sample.ball(key(1, 1), (0, 1), count: 0, more: wicket("retired_hurt", ""))
        let out = try Sample.snapshot([
            Sample.ball(key(1), (0, 1), more: wicket("run_out", #"{"player_key":"q9"},{"player_key":"q1"}"#)),
            event,
            Sample.ball(key(2), (0, 2), more: wicket("caught", #"{"player_key":"q1"}"#)),
            Sample.ball(key(3), (0, 3), more: wicket("caught", #"{"player_key":null}"#)),
        ]).deliveries
        #expect(out.count == 3)
        #expect(out[0].dismissals.map(\.kind) == [.runOut, .retiredHurt])
        #expect(
            out[0].dismissals[0].fielders == [Fielder(name: "Yve Sub", isSubstitute: true), Fielder(name: "Xan Ex")]
        )
        #expect(out[1].dismissals[0].kind == .caughtAndBowled)
        #expect(out[2].dismissals[0].fielders == [Fielder(name: nil, isSubstitute: true)])
    }

    @Test func unplayedBallsAreSkipped() throws {
        let ready = Sample.plain(0, 2).replacing("\"played\"", with: "\"bowler_ready\"")
        #expect(try Sample.snapshot([Sample.plain(0, 1), ready]).deliveries.count == 1)
    }

    @Test func checkedBallsAreFinal() throws {
        let balls = [Sample.plain(0, 1), Sample.plain(0, 2), Sample.plain(0, 3)]
        func isFinal(_ more: String) throws -> [Bool] {
            try Sample.snapshot(balls, more: more).deliveries.map(\.isFinal)
        }
        #expect(try isFinal("") == [false, false, false])
        let some = #","data_review":{"score":false,"score_reviewed_ball_index":["a_1",[0,2]]}"#
        #expect(try isFinal(some) == [true, true, false])
        #expect(try isFinal(#","data_review":{"score":true}"#) == [true, true, true])
        #expect(try isFinal(#","data_review_checkpoint":"post-match-validated""#) == [true, true, true])
        #expect(try isFinal(#","data_review_checkpoint":"validated""#) == [true, true, true])
        #expect(try isFinal(#","data_review_checkpoint":"post-match-pre-review""#) == [false, false, false])
        // A check from before the match belongs to its frame.
        #expect(try isFinal(#","data_review_checkpoint":"pre-match-validated""#) == [false, false, false])
        // An index of another form is ignored.
        #expect(
            try isFinal(#","data_review":{"score_reviewed_ball_index":[{"x":1},[1,2,3],"z_9"]}"#) == [
                false, false, false,
            ]
        )
    }

    @Test(arguments: [
        (#""key":"524352""#, #""key":"1048640""#, "balls:data.over.balls[0].innings"),
        (#""overs":[0,1]"#, #""overs":[0,2]"#, "balls:data.over.balls[0].overs"),
        (#""overs":[0,1]"#, #""overs":[]"#, "balls:data.over.balls[0].overs"),
        (#""overs":[0,1]"#, #""overs":[4611686018427387904,1]"#, "balls:data.over.balls[0].overs"),
        (#""overs":[0,1]"#, #""overs":[-1,9]"#, "balls:data.over.balls[0].overs"),
        (#""overs":[0,1]"#, #""overs":[0,-9223372036854775808]"#, "balls:data.over.balls[0].overs"),
        (#""overs":[0,1]"#, #""overs":[-9223372036854775808,9223372036854775807]"#, "balls:data.over.balls[0].overs"),
        (#""key":"524352""#, #""key":"ball one""#, "balls:data.over.balls[0].key"),
        (#""ball_type":"normal""#, #""ball_type":"googly""#, "balls:data.over.balls[0].ball_type"),
        (#""runs":1,"is_four""#, #""runs":2,"is_four""#, "balls:data.over.balls[0].team_score"),
        (#""runs":1,"is_four""#, #""runs":-1,"is_four""#, "balls:data.over.balls[0]"),
        (#""extras":0}"#, #""extras":9223372036854775807}"#, "balls:data.over.balls[0]"),
        (#""extras":0}"#, #""extras":1}"#, "balls:data.over.balls[0].team_score"),
    ])
    func aBadFieldIsNamed(part: String, other: String, path: String) throws {
        let ball = Sample.plain(0, 1, bat: 1)
        _ = try Sample.snapshot([ball])
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot([ball.replacing(part, with: other)]) }
        #expect(error?.path == path)
    }

    @Test func anUnknownDismissalIsReported() throws {
        let wicket = #","wicket":{"player_key":"p2","wicket_type":"spirited_away"}"#
        let ball = Sample.ball(key(1), (0, 1), more: wicket)
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot([ball]) }
        #expect(error == .unknownWord(path: "balls:data.over.balls[0].wicket.wicket_type", word: "spirited_away"))
    }
}
