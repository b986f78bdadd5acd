// The ordered set of deliveries (cricket.md B.7): order and key place a ball, however late it arrives.

import Testing

@testable import MatchEngine

@Suite struct RecordTests {
    /// A ball `a3` of key and order, `a3/2` of another innings.
    private func ball(_ word: String) -> Delivery {
        let parts = word.split(separator: "/")
        let order = Int64(parts[0].dropFirst()) ?? 0
        return Delivery(
            key: DeliveryKey(String(word.prefix(1))),
            order: OrderKey(order),
            innings: parts.count > 1 ? Int(parts[1]) ?? 0 : 1,
            over: 0,
            striker: .named("Striker"),
            nonStriker: .named("Other"),
            bowler: .named("Bowler"),
            runs: DeliveryRuns(bat: Int(order))
        )
    }

    /// `a3` is added or changed, `-a` is withdrawn.
    private func change(_ word: String) -> Change {
        word.hasPrefix("-") ? .withdrawn(DeliveryKey(String(word.dropFirst()))) : .inserted(ball(word))
    }

    private func record(_ words: String) -> MatchRecord {
        var record = MatchRecord()
        for word in words.split(separator: " ") { record.apply(change(String(word))) }
        return record
    }

    static let arrivals = [
        ("a1 b2 c3", "a b c"), ("a1 c3 b2", "a b c"), ("b2 c3 a1", "a b c"), ("c3 b2 a1", "a b c"),
        ("b1 a1", "a b"), ("a1 c1 b1", "a b c"), ("a1 b2 c3 a1", "a b c"), ("a1 b2 c3 a4", "b c a"),
        ("a1 b2 c3 c0", "c a b"), ("a1 b3 c5 a4", "b a c"), ("a1 b3 c5 c2", "a c b"), ("a1 b3 c5 b4", "a b c"),
        ("a1 b2 c3 b1", "a b c"), ("a1 b2 c3 a2", "a b c"), ("b1 c2 a3 a2", "b a c"), ("a1 b2 c3 -b", "a c"),
        ("a1 b2 -a", "b"), ("a1 b2 -b", "a"), ("a1 -a", ""), ("-a", ""), ("a1 -b", "a"), ("a1 -a a5 b3", "b a"),
        ("a1 b2 c3 -b b0", "b a c"), ("a1 b2 -b -b c3", "a c"), ("a1/2 b2/1 c3/2", "a b c"),
        ("e5 c3 a1 d4 b2", "a b c d e"), ("e5 c3 a1 d4 b2 c9 a6", "b d e a c"),
    ]

    @Test(arguments: arrivals) func aBallIsOrderedByItsPlace(arrival: String, order: String) {
        let record = record(arrival)
        #expect(record.deliveries.map(\.key.text).joined(separator: " ") == order)
        for delivery in record.deliveries { #expect(record.delivery(delivery.key) == delivery) }
        #expect(record.delivery(DeliveryKey("z")) == nil)
        let gone = Set(arrival.filter(\.isLetter)).subtracting(order)
        for key in gone { #expect(record.delivery(DeliveryKey(String(key))) == nil, "\(key)") }
    }

    /// A ball that is sent again has its last version.
    @Test func theLastVersionOfABallCounts() {
        var record = record("a1 b2 c3")
        var ball = ball("b2")
        ball.runs = DeliveryRuns(legByes: 4)
        record.apply(.amended(ball))
        #expect(record.deliveries.map(\.runs.bat) == [1, 0, 3] && record.deliveries[1].runs.legByes == 4)
        record.apply(.inserted(self.ball("b7")))
        #expect(record.deliveries.map(\.runs.bat) == [1, 3, 7])
    }

    @Test(arguments: [(0, "", 0), (1, "", 0), (1, "a", 1), (2, "", 1), (2, "b", 2), (3, "z", 3), (9, "", 3)])
    func theFirstBallAfterAPlaceIsFound(order: Int64, key: String, index: Int) {
        #expect(record("a1 b2 c3").firstIndex(after: OrderKey(order), DeliveryKey(key)) == index)
        #expect(record("").firstIndex(after: OrderKey(order), DeliveryKey(key)) == 0)
    }

    /// The part to fold again: a ball at the end costs one step, one before it the innings, both if it moved.
    @Test(
        arguments: [
            ("", "a1", .appended(ordinal: 1)), ("a1", "b2", .appended(ordinal: 1)), ("a1", "b1", .appended(ordinal: 1)),
            ("b2", "a1", .changed(ordinal: 1, before: 1)), ("a1 c3", "b2", .changed(ordinal: 1, before: 1)),
            ("a1", "a1", .changed(ordinal: 1, before: 1)), ("a1 b2", "a3", .changed(ordinal: 1, before: 1)),
            ("a1 b2/2", "b2/1", .changed(ordinal: 1, before: 2)), ("a1/3", "a9/4", .changed(ordinal: 4, before: 3)),
            ("a1 b2/2", "-b", .changed(ordinal: 2, before: 2)), ("a1", "-b", .none),
            ("a1/2", "b9/2", .appended(ordinal: 2)),
        ] as [(String, String, MatchRecord.Effect)]
    )
    func aChangeReportsTheAffectedBalls(before: String, word: String, effect: MatchRecord.Effect) {
        var record = record(before)
        #expect(record.take(change(word)) == effect)
    }

    @Test func factsReportTheAffectedBalls() {
        var record = MatchRecord()
        let info = MatchInfo.make(.t20, ballLimit: 120)
        #expect(record.take(.info(info)) == .everything)
        #expect(record.take(.info(info)) == .none, "nothing new")
        #expect(record.take(.info(.make(.t20, ballLimit: 90))) == .everything)
        #expect(record.take(.innings(InningsInfo(ordinal: 2, batting: .first))) == .frame(ordinal: 2))
        #expect(record.take(.inningsWithdrawn(ordinal: 2)) == .frame(ordinal: 2))
        let rest: [Change] = [
            .status(StatusReport(status: .rain)), .result(ProviderResult(kind: .tie)), .keepAlive,
            .confirmed([MomentKey("w:1:1")]), .confirmed([MomentKey("w:1:2")]),
        ]
        for change in rest { #expect(record.take(change) == .none) }
        #expect(record.status.status == .rain && record.result?.kind == .tie)
        #expect(record.confirmed == [MomentKey("w:1:1"), MomentKey("w:1:2")], "none is lost")
    }

    /// Innings are in their order, each once; a positive number frames one, a negative one withdraws it.
    @Test(
        arguments: [
            ([1, 2, 3], [1, 2, 3]), ([3, 1, 2], [1, 2, 3]), ([2, 1], [1, 2]), ([4, 2, 3, 1], [1, 2, 3, 4]),
            ([1, 1], [1]),
            ([1, 2, 1], [1, 2]), ([2, 4, 3, -2], [3, 4]), ([1, -7], [1]), ([1, -1, 1], [1]), ([1, 3, -3, 2], [1, 2]),
        ] as [([Int], [Int])]
    )
    func inningsAreInTheirOrder(reported: [Int], order: [Int]) {
        var record = MatchRecord()
        for (index, ordinal) in reported.enumerated() {
            let facts = InningsInfo(ordinal: ordinal, batting: .first, penaltyBefore: index)
            record.apply(ordinal > 0 ? .innings(facts) : .inningsWithdrawn(ordinal: -ordinal))
        }
        #expect(record.innings.map(\.ordinal) == order)
        for facts in record.innings {
            #expect(facts.penaltyBefore == reported.lastIndex(of: facts.ordinal), "the last version counts")
        }
    }

    /// A ball that a feed moves to another innings leaves the first and is counted in the second, at once.
    @Test func aBallThatMovedIsCountedOnce() {
        var replica = MatchReplica()
        replica.apply([.info(.make(.t20, ballLimit: 120)), .innings(InningsInfo(ordinal: 1, batting: .first))])
        replica.apply([.innings(InningsInfo(ordinal: 2, batting: .second)), change("a1"), change("b2"), change("c4/2")])
        #expect(replica.state.innings.map(\.runs) == [3, 4])
        replica.apply(change("b5/2"))
        #expect(replica.state.innings.map(\.runs) == [1, 9] && replica.state.innings.map(\.deliveries) == [1, 2])
        replica.apply(change("b2"))
        #expect(replica.state.innings.map(\.runs) == [3, 4])
    }

    // MARK: Totals

    @Test(arguments: [
        (0, 0, 0, false), (1, 0, 0, true), (0, 1, 0, true), (0, 0, 1, true), (-1, 0, 0, false), (0, -1, -6, false),
    ])
    func aTotalHasBegunWithAnyNumber(runs: Int, wickets: Int, balls: Int, isBegun: Bool) {
        #expect(ReportedTotal(runs: runs, wickets: wickets, balls: balls).isBegun == isBegun)
    }

    /// An older copy has fewer balls, or fewer runs or wickets at the same ball; with more balls, a lower number is a
    /// correction.
    @Test(arguments: [
        (50, 3, 30, false), (49, 3, 30, true), (50, 2, 30, true), (50, 3, 29, true), (51, 3, 30, false),
        (50, 4, 30, false), (50, 3, 31, false), (60, 5, 40, false), (60, 5, 29, true), (60, 2, 40, false),
        (49, 5, 40, false),
    ])
    func aTotalIsBehindAnother(runs: Int, wickets: Int, balls: Int, isBehind: Bool) {
        let known = ReportedTotal(runs: 50, wickets: 3, balls: 30)
        #expect(ReportedTotal(runs: runs, wickets: wickets, balls: balls).isBehind(known) == isBehind)
    }
}
