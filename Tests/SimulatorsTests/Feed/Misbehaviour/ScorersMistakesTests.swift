// The simulated mistakes resemble those of real scorers (cricket.md B.2).

import Providers
import ScoreIngest
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct ScorersMistakesTests {
    private static let balls = 20_000
    private static let fates = FaultPlan(seed: 20_261_121, faults: [.wrongFirst]).fates(of: balls)

    @Test func oneBallInSevenIsWrongForTenSeconds() {
        let wrong = Self.fates.filter { $0.wrong != nil }
        let share = Double(wrong.count) / Double(Self.balls)
        #expect((0.13...0.156).contains(share), "\(share)")
        for fate in wrong {
            guard let corrected = fate.correctedAfter else {
                Issue.record("an uncorrected mistake")
                continue
            }
            #expect((.seconds(1)...(.seconds(10))).contains(corrected - fate.postedAfter))
        }
    }

    @Test func theMedianDelayOfABallEqualsTheMeasuredOne() {
        let delays = Self.fates.map(\.postedAfter).sorted()
        let middle = delays[delays.count / 2]
        #expect((.milliseconds(5_000)...(.milliseconds(6_200))).contains(middle), "\(middle)")
    }

    @Test func mistakesConcernRunsAndExtrasAndRarelyWickets() {
        let mistakes = Self.fates.compactMap(\.wrong)
        let invented = mistakes.count { $0 == .inventedWicket }
        #expect((mistakes.count / 250...mistakes.count / 50).contains(invented), "\(invented) of \(mistakes.count)")
        for kind in WrongBall.allCases where kind != .inventedWicket {
            #expect(mistakes.count { $0 == kind } > mistakes.count / 20, "\(kind)")
        }
    }

    @Test func theTwoObservedMistakesAreMade() throws {
        // A four became five wides; a six became a four.
        var wides = try Self.ball(0)
        wides.extras = CricsheetDelivery.Extras(wides: 5)
        (wides.runs.extras, wides.runs.total) = (5, 5)
        #expect(WrongBall.asWides.applied(to: wides) == (try Self.ball(4)))
        let four = try Self.ball(4)
        #expect(WrongBall.otherRuns.applied(to: four) == (try Self.ball(6)))
        // The reverse.
        let announced = WrongBall.asWides.applied(to: four)
        #expect(announced.extras?.wides == 5 && announced.runs.batter == 0 && announced.runs.total == 5)
    }

    private static func ball(_ runs: Int) throws -> CricsheetDelivery {
        let text = """
            {"info":{"match_type":"T20","teams":["A","B"],"dates":["2026-01-01"]},
            "innings":[{"team":"A","overs":[{"over":0,"deliveries":[{"batter":"X","bowler":"Y","non_striker":"Z",
            "runs":{"batter":\(runs),"extras":0,"total":\(runs)}}]}]}]}
            """
        let document = try CricsheetDocument(json: Array(text.utf8))
        return try #require(document.innings.first?.overs?.first?.deliveries.first)
    }
}
