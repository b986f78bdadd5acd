// Maidens and their bowlers (Law 18.13 and cricket.md C.11): complete, by one bowler, with nothing charged.

import Testing

@testable import MatchEngine

@Suite struct MaidenRowsTests {
    /// An over as it is bowled; a mark with `@` is the second bowler's.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let marks: String
        var isCalledEarly = false
        /// Maidens of the first bowler and of the second.
        let maidens: [Int]

        init(_ name: String, _ marks: String, isCalledEarly: Bool = false, _ maidens: [Int]) {
            (testDescription, self.marks, self.isCalledEarly, self.maidens) = (name, marks, isCalledEarly, maidens)
        }
    }

    static let rows = [
        Row("six dots", ". . . . . .", [1]),
        Row("byes and leg byes are not charged", "b1 lb1 . b4 . lb2", [1]),
        Row("penalty runs are not charged", ". p5 . . . .", [1]),
        Row("a wicket is not charged", ". W . . . W", [1]),
        Row("a single is charged", ". . . . . 1", [0]),
        Row("a wide is charged", ". . wd . . . .", [0]),
        Row("a no-ball is charged", ". . nb . . . .", [0]),
        Row("a wide before the first legal ball", "wd . . . . . .", [0]),
        Row("an over in progress", ". . . . .", [0]),
        Row("called after five dots", ". . . . .", isCalledEarly: true, [1]),
        Row("called after five balls with a single", ". 1 . . .", isCalledEarly: true, [0]),
        Row("called after five balls with a wide", ". wd . . . .", isCalledEarly: true, [0]),
        Row("seven dots", ". . . . . . .", [1]),
        Row("a run off the seventh ball", ". . . . . . 1", [0]),
        Row("runs off the seventh and the eighth", ". . . . . . 1 2", [0]),
        Row("a run off the seventh, dots after it", ". . . . . . 1 . .", [0]),
        Row("two bowlers", ". . . .@ .@ .@", [0, 0]),
        Row("two bowlers, the second for the last ball", ". . . . . .@", [0, 0]),
        Row("a second bowler for a seventh ball", ". . . . . . .@", [0, 0]),
        Row("two bowlers in an over that was called early", ". . . .@ .@", isCalledEarly: true, [0, 0]),
    ]

    /// Bowls one over and, where it was called, one ball of the next.
    private func card(_ row: Row) -> InningsState {
        var script = MatchScript.t20()
        script.begin(.first)
        for mark in row.marks.split(separator: " ") {
            let isSecond = mark.hasSuffix("@")
            script.one(String(mark.prefix { $0 != "@" }), by: isSecond ? "Second" : "First")
        }
        if row.isCalledEarly { script.one(".", over: 1, by: "Third") }
        return script.state.innings[0]
    }

    @Test(arguments: rows) func aMaidenIsCountedByItsRow(row: Row) {
        #expect(card(row).bowlers.prefix(row.maidens.count).map(\.maidens) == row.maidens)
    }

    /// The moment exists exactly when the card counts one.
    @Test(arguments: rows) func onlyAMaidenIsAMoment(row: Row) {
        let card = card(row)
        let announced = card.played.filter { $0.kind == .maiden }
        #expect(announced.count == row.maidens.reduce(0, +), "\(announced.map(\.key))")
        #expect(announced.allSatisfy { $0.subject == "First" && $0.side == .second })
    }

    @Test func theCurrentBowlerIsTheLastOne() throws {
        var script = MatchScript.t20()
        script.begin(.first)
        for (mark, bowler) in [("1", "First"), (".", "First"), ("2", "Second")] { script.one(mark, by: bowler) }
        var card = script.state.innings[0]
        #expect(card.bowler.map { card.bowlers[$0].player.name } == "Second")
        #expect(card.bowlers.map(\.balls) == [2, 1] && card.bowlers.map(\.runs) == [1, 2])
        script.one(".", by: "First")
        card = script.state.innings[0]
        #expect(card.bowler.map { card.bowlers[$0].player.name } == "First")
        #expect(card.bowlers.map(\.balls) == [3, 1], "no bowler gets a second row")
    }

    @Test func anOverOfADeadBallIsNoMaiden() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(isLegal: false, over: 0, by: "First")
        script.one(".", over: 1, by: "Second")
        let card = script.state.innings[0]
        #expect(card.bowlers.map(\.maidens) == [0, 0] && card.bowlers.map(\.balls) == [0, 1])
        #expect(!card.played.contains { $0.kind == .maiden })
    }

    /// Dots are legal balls with nothing charged to the bowler; economy counts legal balls only.
    @Test(arguments: [
        (". . . . . .", 6, "0.00"), ("b1 lb1 p5 . 1 .", 5, "1.00"), ("wd wd . .", 2, "6.00"),
        ("nb4 . . .", 3, "8.00"), ("6 6 6 6 6 6", 0, "36.00"), ("1 2 .", 1, "6.00"),
    ])
    func dotsAndEconomyCountLegalBalls(marks: String, dots: Int, economy: String) {
        var script = MatchScript.t20()
        script.begin(.first)
        for mark in marks.split(separator: " ") { script.one(String(mark), by: "First") }
        let line = script.state.innings[0].bowlers[0]
        #expect(line.dots == dots && line.economy(ballsPerOver: 6) == economy)
    }
}

extension MatchScript {
    /// Bowls one mark of an over, without beginning the next over when it is whole.
    mutating func one(_ mark: String, over: Int = 0, by bowler: String) {
        let number = Int(mark.filter(\.isNumber))
        let batter = batter(striker)
        switch mark.filter({ !$0.isNumber }) {
        case "W":
            let out = Player.named("Out \(deliveries.count)")
            add(dismissals: [Dismissal(kind: .bowled, out: out)], striker: out, over: over, by: bowler)
        case "wd": add(runs: DeliveryRuns(wides: number ?? 1), isLegal: false, striker: batter, over: over, by: bowler)
        case "nb":
            let runs = DeliveryRuns(bat: (number ?? 1) - 1, noBalls: 1)
            add(runs: runs, isLegal: false, striker: batter, over: over, by: bowler)
        case "b": add(runs: DeliveryRuns(byes: number ?? 1), striker: batter, over: over, by: bowler)
        case "lb": add(runs: DeliveryRuns(legByes: number ?? 1), striker: batter, over: over, by: bowler)
        case "p": add(runs: DeliveryRuns(penalty: number ?? 5), striker: batter, over: over, by: bowler)
        default: add(runs: DeliveryRuns(bat: number ?? 0), striker: batter, over: over, by: bowler)
        }
    }
}
