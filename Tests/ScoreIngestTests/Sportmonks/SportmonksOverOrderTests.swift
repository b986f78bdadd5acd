// Ids grow in the order of entry, labels count the balls of an over, and either may differ from the order of play.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
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

    @Test("F12: a ball that is entered late has the highest id, and is placed by its label")
    func aLateBallIsPlacedByItsLabel() throws {
        let over = [Sample.ball(1, label: 5.1), Sample.ball(3, label: 5.3), Sample.ball(4, label: 5.4)]
        let next = Sample.ball(5, label: 6.1)
        #expect(try Self.keys(over + [next, Sample.ball(6, label: 5.2)]) == ["1", "6", "3", "4", "5"])
        // Until it is entered its label is missing from the count.
        #expect(try Self.keys(over + [next]) == ["1", "3", "4", "5"])
    }

    /// Each row is compared with all others, so a reply with thousands in one over is not sorted.
    @Test func anImpossibleOverKeepsTheOrderOfItsIDs() {
        func rows(_ wides: Int) -> [SportmonksOverOrder.Row] {
            let ball = SportmonksOverOrder.Row(place: 1, isBall: true, isLegal: true)
            let wide = SportmonksOverOrder.Row(place: 1, isBall: true, isLegal: false)
            return [ball] + Array(repeating: wide, count: wides)
        }
        let most = AdapterLimits.rowsOfOver
        #expect(SportmonksOverOrder.byLabels(rows(most - 1)) == Array(1..<most) + [0])
        #expect(SportmonksOverOrder.byLabels(rows(most)) == nil)
    }

    @Test("F12: a wide that is entered late is placed before the ball that took its label")
    func aLateWideIsPlacedBeforeItsLabel() throws {
        let rows = [
            Sample.ball(1, label: 5.1), Sample.ball(2, label: 5.2), Sample.ball(3, label: 5.3),
            Sample.ball(4, label: 5.2, score: 17),
        ]
        #expect(try Self.keys(rows) == ["1", "4", "2", "3"])
    }

    @Test(
        "F12: the dismissed batter decides which of two no-balls with one label came first",
        arguments: [(3, 13, ["1", "3", "2", "4"]), (2, 11, ["1", "3", "2", "4"]), (2, 13, ["1", "2", "3", "4"])]
    )
    func aDismissalOrdersEqualLabels(id: Int, partner: Int, keys: [String]) throws {
        let scores =
            Self.scores + [
                Sample.score(30, "No Ball", #""runs":1,"noball":1,"noball_runs":1,"ball":false"#),
                Sample.score(
                    31,
                    "No Ball + Run Out",
                    #""runs":1,"noball":1,"noball_runs":1,"ball":false,"is_wicket":true"#
                ),
            ]
        func ball(_ id: Int, _ score: Int, with partner: Int) -> String {
            Sample.ball(id, label: 5.2, score: score, batter: 12)
                .replacing(#""batsman_one_on_creeze_id":11"#, with: #""batsman_one_on_creeze_id":\#(partner)"#)
        }
        let out = Sample.ball(id, label: 5.2, score: 31, batter: 12, more: #","batsmanout_id":11"#)
        let rows = [
            Sample.ball(1, label: 5.1), out, ball(5 - id, 30, with: partner), ball(4, 82, with: 13),
        ]
        #expect(try Sample.snapshot(Sample.fixture(balls: rows), scores: scores).deliveries.map(\.key.text) == keys)
    }

    @Test("F12: a wrong label moves no ball", arguments: [5.5, 5.1, 5.9, 5.0])
    func aWrongLabelMovesNoBall(label: Double) throws {
        let rows = [1, 2, 3, 4, 5, 6].map { Sample.ball($0, label: $0 == 3 ? label : 5 + Double($0) / 10) }
        #expect(try Self.keys(rows) == ["1", "2", "3", "4", "5", "6"])
        #expect(try Self.keys(Array(rows.prefix(4))) == ["1", "2", "3", "4"])
    }

    @Test func eventsBetweenBallsBelongToTheBallBefore() throws {
        let rows = [
            Sample.ball(1, label: 5.1), Sample.ball(3, label: 5.3), Sample.ball(7, label: 5.2),
            Sample.ball(8, label: 5.2, score: 201),
        ]
        let found = try Self.deliveries(rows)
        #expect(found.map(\.key.text) == ["1", "7", "3"])
        #expect(found.map(\.runs.penalty) == [0, 5, 0])
        // The order is that of the ids, renumbered so that no two are equal.
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.order < $1.order })
    }
}
