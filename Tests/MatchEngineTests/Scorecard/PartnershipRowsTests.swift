// Partnerships (cricket.md C.11): runs, balls and extras, and the start of another.

import Testing

@testable import MatchEngine

@Suite struct PartnershipRowsTests {
    private func begun() -> MatchScript {
        var script = MatchScript.t20()
        script.begin(.first)
        return script
    }

    /// A ball between batters 1 and 2, and its addition to the partnership.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let runs: DeliveryRuns
        let isLegal: Bool
        /// Runs and balls of the partnership, runs and balls of the striker, extras.
        let adds: [Int]

        init(_ name: String, _ runs: DeliveryRuns, isLegal: Bool = true, _ adds: [Int]) {
            (testDescription, self.runs, self.isLegal, self.adds) = (name, runs, isLegal, adds)
        }
    }

    static let rows = [
        Row("dot", DeliveryRuns(), [0, 1, 0, 1, 0]),
        Row("three runs", DeliveryRuns(bat: 3), [3, 1, 3, 1, 0]),
        Row("wide", DeliveryRuns(wides: 1), isLegal: false, [1, 0, 0, 0, 1]),
        Row("wides to the rope", DeliveryRuns(wides: 5), isLegal: false, [5, 0, 0, 0, 5]),
        Row("no-ball", DeliveryRuns(noBalls: 1), isLegal: false, [1, 1, 0, 1, 1]),
        Row("no-ball hit for six", DeliveryRuns(bat: 6, noBalls: 1), isLegal: false, [7, 1, 6, 1, 1]),
        Row("no-ball and byes", DeliveryRuns(noBalls: 1, byes: 2), isLegal: false, [3, 1, 0, 1, 3]),
        Row("byes", DeliveryRuns(byes: 2), [2, 1, 0, 1, 2]),
        Row("leg byes", DeliveryRuns(legByes: 1), [1, 1, 0, 1, 1]),
        Row("penalty runs", DeliveryRuns(bat: 1, penalty: 5), [6, 1, 1, 1, 5]),
    ]

    @Test(arguments: rows) func aBallIsAddedToItsPartnership(row: Row) throws {
        for facing in 1...2 {
            var script = begun()
            // Both have faced, so that the partnership contains them.
            script.add(striker: script.batter(1), nonStriker: script.batter(2))
            script.add(striker: script.batter(2), nonStriker: script.batter(1))
            script.add(
                runs: row.runs,
                isLegal: row.isLegal,
                striker: script.batter(facing),
                nonStriker: script.batter(3 - facing)
            )
            let stand = try #require(script.state.innings[0].partnership)
            let (face, other) = facing == 1 ? (stand.first, stand.second) : (stand.second, stand.first)
            #expect([stand.runs, stand.balls - 2, face.runs, face.balls - 1, stand.extras] == row.adds)
            #expect(other.runs == 0 && other.balls == 1, "the other one keeps his figures")
            #expect(stand.first.batter == 0 && stand.second.batter == 1)
        }
    }

    @Test func aWicketEndsAPartnershipAndStartsTheNext() {
        var script = begun()
        script.bowl("4 1 W 2 W . 1")
        let card = script.state.innings[0]
        #expect(card.partnerships.map(\.wicket) == [1, 2, 3])
        #expect(card.partnerships.map(\.isOver) == [true, true, false])
        #expect(card.partnerships.map(\.runs) == [5, 2, 1])
        #expect(
            card.partnerships.map(\.balls) == [3, 2, 2],
            "the ball of the wicket belongs to the partnership that it ends"
        )
        #expect(card.partnership?.wicket == 3)
    }

    /// A retirement parts the pair, but no wicket fell: the next partnership is for the same wicket.
    @Test(arguments: [DismissalKind.retiredHurt, .retiredNotOut, .retiredOut])
    func aRetirementEndsAPartnership(kind: DismissalKind) {
        var script = begun()
        let (one, two, three) = (script.batter(1), script.batter(2), script.batter(3))
        script.add(runs: DeliveryRuns(bat: 4), striker: one, nonStriker: two)
        script.add(dismissals: [Dismissal(kind: kind, out: one)], striker: one, nonStriker: two)
        script.add(runs: DeliveryRuns(bat: 2), striker: three, nonStriker: two)
        let card = script.state.innings[0]
        #expect(card.partnerships.map(\.runs) == [4, 2])
        #expect(card.partnerships.map(\.wicket) == [1, kind == .retiredOut ? 2 : 1])
        #expect(card.partnerships[1].first.batter == 2 && card.partnerships[1].second.batter == 1)
    }

    /// Two batters who are together again start another partnership, as Pulse and ESPN count it.
    @Test func aReturningBatterStartsAnotherPartnership() {
        var script = begun()
        let (one, two, three) = (script.batter(1), script.batter(2), script.batter(3))
        script.add(runs: DeliveryRuns(bat: 4), striker: one, nonStriker: two)
        script.add(dismissals: [Dismissal(kind: .retiredHurt, out: one)], striker: one, nonStriker: two)
        script.add(dismissals: [Dismissal(kind: .bowled, out: three)], striker: three, nonStriker: two)
        script.add(runs: DeliveryRuns(bat: 6), striker: one, nonStriker: two)
        let card = script.state.innings[0]
        #expect(card.partnerships.map(\.runs) == [4, 0, 6] && card.partnerships.map(\.wicket) == [1, 1, 2])
    }

    @Test func changingEndsIsNoNewPartnership() {
        var script = begun()
        let (one, two) = (script.batter(1), script.batter(2))
        for ball in 0..<6 {
            script.add(
                runs: DeliveryRuns(bat: 1),
                striker: ball.isMultiple(of: 2) ? one : two,
                nonStriker: ball.isMultiple(of: 2) ? two : one
            )
        }
        let stands = script.state.innings[0].partnerships
        #expect(stands.count == 1 && stands[0].first.runs == 3 && stands[0].second.runs == 3)
        #expect(stands[0].first.balls == 3 && stands[0].second.balls == 3)
    }

    /// All partnerships together are the side's total, less the runs outside its balls (cricket.md C.18, 5).
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func allPartnershipsGiveTheTotal(seed: UInt64) {
        var script = begun()
        var state = seed
        func roll(_ count: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % count
        }
        let marks = [".", "1", "2", "4", "6", "wd", "wd3", "nb", "nb5", "b1", "lb2", "W", "p5"]
        for _ in 0..<90 { script.bowl(marks[Int(roll(13))]) }
        let card = script.state.innings[0]
        let sum = card.partnerships.reduce(0) { $0 + $1.runs }
        #expect(sum == card.runs, "seed \(seed)")
        let balls = card.partnerships.reduce(0) { $0 + $1.balls }
        let faced = card.batters.reduce(0) { $0 + $1.balls }
        #expect(balls == faced, "seed \(seed)")
        for stand in card.partnerships {
            #expect(stand.first.runs + stand.second.runs + stand.extras == stand.runs, "seed \(seed)")
            #expect(stand.first.balls + stand.second.balls == stand.balls, "seed \(seed)")
        }
    }
}
