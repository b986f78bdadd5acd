// A label is neither an identity nor an order: corrections, late balls and wickets without a ball (cricket.md E).

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

private typealias Sample = EntitySportSample

@Suite struct EntitySportOrderTests {
    private static func ball(_ over: Int, _ label: Int, _ score: String = "0") -> String {
        #"{"event":"ball","batsman_id":11,"bowler_id":21,"over":"\#(over)","ball":"\#(label)","score":"\#(score)"}"#
    }

    private static func wicket(_ batter: Int, _ text: String, label: Int = 1) -> String {
        #"""
        {"event":"wicket","batsman_id":11,"bowler_id":21,"over":"0","ball":"\#(label)","score":0,
        "wicket_batsman_id":"\#(batter)","how_out":"\#(text)"}
        """#
    }

    private static func keys(_ balls: [String]) throws -> [String] {
        try Sample.snapshot(balls: balls).deliveries.map(\.key.text)
    }

    @Test("a corrected ball keeps its key, and no other ball changes")
    func correction() throws {
        let balls = [Self.ball(0, 1, "1"), Self.ball(0, 2), Self.ball(1, 1, "4")]
        let before = try Sample.snapshot(balls: balls).deliveries
        let after = try Sample.snapshot(balls: [balls[0], Self.ball(0, 2, "4lb"), balls[2]]).deliveries
        #expect(after.map(\.key) == before.map(\.key))
        #expect(zip(before, after).map { $0 == $1 } == [true, false, true])
        #expect(after[1].runs == DeliveryRuns(legByes: 4))
    }

    @Test("an inserted ball changes the keys of later balls of its label only, and a removed one restores them")
    func insertion() throws {
        let balls = [Self.ball(0, 1), Self.ball(0, 2), Self.ball(0, 3), Self.ball(1, 1)]
        let inserted = [balls[0], Self.ball(0, 2, "wd")] + balls[1...]
        #expect(try Self.keys(balls) == ["1.0.1.1", "1.0.2.1", "1.0.3.1", "1.1.1.1"])
        #expect(try Self.keys(inserted) == ["1.0.1.1", "1.0.2.1", "1.0.2.2", "1.0.3.1", "1.1.1.1"])
    }

    @Test("a ball that is listed late is in its over, and an over of seven balls has seven")
    func lateBall() throws {
        let late = [Self.ball(0, 1), Self.ball(1, 1), Self.ball(0, 2)]
        #expect(try Self.keys(late) == ["1.0.1.1", "1.0.2.1", "1.1.1.1"])
        let long = (1...7).map { Self.ball(0, $0) } + [Self.ball(1, 1)]
        let found = try Sample.snapshot(balls: long).deliveries
        #expect(found.map(\.over) == [0, 0, 0, 0, 0, 0, 0, 1])
        #expect(found.map(\.order) == found.map(\.order).sorted())
    }

    @Test("a second wicket on the label of a legal ball belongs to that ball; after a wide it is the next ball")
    func secondWicket() throws {
        let out = Sample.ball(1, batter: 11, out: true)
        let both = try Sample.snapshot(balls: [out, Self.wicket(12, "run out (Ex)")]).deliveries
        #expect(both.map { $0.dismissals.map(\.out.id) } == [["11", "12"]])
        let wide = Sample.ball(1, batter: 11, score: #""wd""#)
        let next = try Sample.snapshot(balls: [wide, Self.wicket(11, "b Ex")]).deliveries
        #expect(next.map { $0.dismissals.map(\.out.id) } == [[], ["11"]])
        #expect(next.map(\.isLegal) == [false, true])
    }

    @Test("a batter who is out before the first ball is out on it")
    func beforeTheFirstBall() throws {
        let balls = try Sample.snapshot(balls: [Self.wicket(12, "timed out"), Self.ball(0, 1, "1")]).deliveries
        #expect(balls.map(\.key.text) == ["1.0.1.1"] && balls[0].runs == DeliveryRuns(bat: 1))
        #expect(balls[0].dismissals.map(\.kind) == [.timedOut] && balls[0].dismissals.map(\.out.id) == ["12"])
    }

    @Test("a retirement after a ball is no ball, and belongs to the ball before it")
    func retirement() throws {
        let balls = [Self.ball(0, 1, "1"), Self.wicket(11, "retired hurt", label: 2), Self.ball(0, 2)]
        let found = try Sample.snapshot(balls: balls).deliveries
        #expect(found.map(\.key.text) == ["1.0.1.1", "1.0.2.1"])
        #expect(found.map { $0.dismissals.map(\.kind) } == [[.retiredHurt], []])
    }
}
