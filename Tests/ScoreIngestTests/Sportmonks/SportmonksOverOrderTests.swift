// Ids grow as balls are put in, labels count the balls of an over, and either may be wrong about the order of play.

import MatchEngine
import ScoreTypes
import Testing

@testable import ScoreIngest

private typealias Sample = SportmonksSample

@Suite struct SportmonksOverOrderTests {
    private static let scores = [
        Sample.score(17, "1 Wide", #""runs":1,"ball":false"#),
        Sample.score(201, "5 Penalty Runs", #""runs":5,"ball":false"#),
    ]

    private static func deliveries(_ rows: [String]) throws -> [Delivery] {
        try Sample.snapshot(Sample.fixture(balls: rows), scores: scores).deliveries
    }

    private static func keys(_ rows: [String]) throws -> [String] { try deliveries(rows).map(\.key.text) }

    @Test("F12: a ball that is put in late has the highest id, and stands where its label says")
    func idLate() throws {
        let over = [Sample.ball(1, label: 5.1), Sample.ball(3, label: 5.3), Sample.ball(4, label: 5.4)]
        let next = Sample.ball(5, label: 6.1)
        #expect(try Self.keys(over + [next, Sample.ball(6, label: 5.2)]) == ["1", "6", "3", "4", "5"])
        // Until it comes its label is missing from the count.
        #expect(try Self.keys(over + [next]) == ["1", "3", "4", "5"])
    }

    @Test("F12: a wide that is put in late stands before the ball that took its label")
    func wideLate() throws {
        let rows = [
            Sample.ball(1, label: 5.1), Sample.ball(2, label: 5.2), Sample.ball(3, label: 5.3),
            Sample.ball(4, label: 5.2, score: 17),
        ]
        #expect(try Self.keys(rows) == ["1", "4", "2", "3"])
    }

    @Test("F12: a label that is wrong moves no ball", arguments: [5.5, 5.1, 5.9, 5.0])
    func labelWrong(label: Double) throws {
        let rows = [1, 2, 3, 4, 5, 6].map { Sample.ball($0, label: $0 == 3 ? label : 5 + Double($0) / 10) }
        #expect(try Self.keys(rows) == ["1", "2", "3", "4", "5", "6"])
        #expect(try Self.keys(Array(rows.prefix(4))) == ["1", "2", "3", "4"])
    }

    @Test func whatFellBetweenBallsGoesWithTheBallBeforeIt() throws {
        let rows = [
            Sample.ball(1, label: 5.1), Sample.ball(3, label: 5.3), Sample.ball(7, label: 5.2),
            Sample.ball(8, label: 5.2, score: 201),
        ]
        let found = try Self.deliveries(rows)
        #expect(found.map(\.key.text) == ["1", "7", "3"])
        #expect(found.map(\.runs.penalty) == [0, 5, 0])
        // The orders are those of the ids, given out anew, so that no two are the same.
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.order < $1.order })
    }
}
