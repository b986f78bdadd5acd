// A ball has no id: innings, over, label and occurrence make its key, and a text or parts its runs.

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

private typealias Sample = EntitySportSample

@Suite struct EntitySportBallTests {
    private static func runs(_ score: String) throws -> Delivery {
        try #require(try Sample.snapshot(balls: [Sample.ball(1, batter: 11, score: score)]).deliveries.first)
    }

    @Test(
        "a text gives the runs of a ball and whether it is legal",
        arguments: [
            ("4", DeliveryRuns(bat: 4), true), (#""2""#, DeliveryRuns(bat: 2), true),
            (#""w""#, DeliveryRuns(), true), (#""1w""#, DeliveryRuns(bat: 1), true),
            (#""lb""#, DeliveryRuns(legByes: 1), true), (#""4LB""#, DeliveryRuns(legByes: 4), true),
            (#""2b""#, DeliveryRuns(byes: 2), true), (#""wd""#, DeliveryRuns(wides: 1), false),
            (#""5wd""#, DeliveryRuns(wides: 5), false), (#""nb""#, DeliveryRuns(noBalls: 1), false),
            (#""5nb""#, DeliveryRuns(bat: 4, noBalls: 1), false),
        ]
    )
    func texts(score: String, runs: DeliveryRuns, isLegal: Bool) throws {
        let ball = try Self.runs(score)
        #expect(ball.runs == runs && ball.isLegal == isLegal)
    }

    /// A ball of a newer reply, with `parts` in place of the text.
    private static func parts(_ parts: String) throws -> Delivery {
        let ball = #"{"event":"ball","batsman_id":11,"bowler_id":21,"over":0,"ball":1,\#(parts)}"#
        return try #require(try Sample.snapshot(balls: [ball]).deliveries.first)
    }

    @Test("parts give the extras, and what the total has beyond them is a penalty")
    func extras() throws {
        let noBall = try Self.parts(#""run":"3","bat_run":"0","noball_run":1,"legbye_run":"2","noball":"true""#)
        #expect(noBall.runs == DeliveryRuns(noBalls: 1, legByes: 2) && !noBall.isLegal)
        let wide = try Self.parts(#""run":2,"bat_run":0,"wide_run":2,"wideball":true"#)
        #expect(wide.runs == DeliveryRuns(wides: 2) && !wide.isLegal)
        let penalty = try Self.parts(#""run":6,"bat_run":1,"bye_run":"""#)
        #expect(penalty.runs == DeliveryRuns(bat: 1, penalty: 5) && penalty.isLegal)
        #expect(try Self.parts(#""run":4,"bat_run":4,"four":false"#).isAllRun)
        #expect(try !Self.parts(#""run":4,"bat_run":4,"four":true"#).isAllRun)
    }

    @Test(
        "impossible runs are an error that names the ball",
        arguments: [
            (
                #""score":"1000""#,
                AdapterError.outOfRange(path: "balls.1:commentaries[0].score", expected: "runs of 0 to 999")
            ),
            (#""score":"2x""#, .unknownWord(path: "balls.1:commentaries[0].score", word: "2x")),
            (
                #""run":1,"bat_run":2"#,
                .contradiction(path: "balls.1:commentaries[0].run", expected: "at least the runs of all kinds together")
            ),
            (#""run":1,"bat_run":-1"#, .outOfRange(path: "balls.1:commentaries[0].run", expected: "runs of 0 to 999")),
            (#""run":1"#, .missing(path: "balls.1:commentaries[0].score")),
        ]
    )
    func impossibleRuns(parts: String, error: AdapterError) {
        #expect(throws: error) { try Self.parts(parts) }
    }

    @Test("balls with one label are distinguished by their occurrence")
    func labels() throws {
        let balls = [
            Sample.ball(1, batter: 11, score: #""wd""#), Sample.ball(1, batter: 11, score: "1"),
            Sample.ball(2, batter: 12, score: "0"),
        ]
        let found = try Sample.snapshot(balls: balls).deliveries
        #expect(found.map(\.key.text) == ["1.0.1.1", "1.0.1.2", "1.0.2.1"])
        #expect(found.map(\.order) == found.map(\.order).sorted())
    }

    @Test("a list with the newest ball first gives the same balls")
    func newestFirst() throws {
        let balls = (1...4).map { Sample.ball($0, batter: 11, score: "\($0 % 2)") }
        let over = #"{"event":"overend","over":0}"#
        let forward = try Sample.snapshot(balls: balls + [over]).deliveries
        #expect(try Sample.snapshot(balls: [over] + balls.reversed()).deliveries.map(\.key) == forward.map(\.key))
        #expect(forward.count == 4)
    }

    @Test("newer replies name both batters; older ones leave the other end to the order of coming in")
    func otherEnd() throws {
        let both = #"""
            {"event":"ball","batsman_id":11,"bowler_id":21,"over":0,"ball":1,"score":1,
            "batsmen":[{"batsman_id":"13"},{"batsman_id":"11"}]}
            """#
        #expect(try Sample.snapshot(balls: [both]).deliveries[0].nonStriker.id == "13")
        let card = Sample.innings("1/0 (0.1 ov)", [Sample.row(11, 1, 1), Sample.row(12, 0, 0)])
        let older = try Sample.snapshot(card: card, balls: [Sample.ball(1, batter: 11, score: "1")])
        #expect(older.deliveries[0].nonStriker.id == "12")
    }

    @Test(
        "an event without its place, its batter or its kind is an error that names it",
        arguments: [
            (
                #"{"event":"ball","batsman_id":11,"bowler_id":21,"over":-1,"ball":1,"score":1}"#,
                "balls.1:commentaries[0].over"
            ),
            (#"{"event":"ball","bowler_id":21,"over":0,"ball":1,"score":1}"#, "balls.1:commentaries[0].batsman_id"),
            (#"{"event":"ball","batsman_id":11,"over":0,"ball":1,"score":1}"#, "balls.1:commentaries[0].bowler_id"),
            (#"{"event":"bees","over":0,"ball":1}"#, "balls.1:commentaries[0].event"),
            (#"{"over":0,"ball":1}"#, "balls.1:response.commentaries[0].event"),
            (#"{"event":"ball","batsman_id":[],"over":0,"ball":1}"#, "balls.1:response.commentaries[0].batsman_id"),
        ]
    )
    func eventsThatCannotBeRead(event: String, path: String) {
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot(balls: [event]) }
        #expect(error?.path == path)
    }
}
