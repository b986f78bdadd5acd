// The numbers that differ by format, competition and season (cricket.md C.1, C.3, C.6, C.13 to C.15).

import Testing

@testable import MatchEngine

@Suite struct RuleSetTests {
    private func rules(
        _ format: Format,
        _ competition: String? = nil,
        on day: String = "2026-05-01",
        balls: Int? = nil,
        perOver: Int = 6,
        womens: Bool = false,
        days: Int = 1
    ) -> RuleSet {
        RuleSet(
            MatchInfo(
                format: format,
                competition: competition,
                season: String(day.prefix(4)),
                isWomens: womens,
                ballsPerOver: perOver,
                ballLimit: balls,
                teams: [],
                days: Array(repeating: day, count: days)
            )
        )
    }

    /// The format, balls per over, balls per innings, innings per match, and days.
    @Test(arguments: [
        (Format.test, 6, nil as Int?, 4, 5), (.firstClass, 6, nil, 4, 4), (.odi, 6, 300, 2, 1), (.listA, 6, 300, 2, 1),
        (.t20i, 6, 120, 2, 1), (.t20, 6, 120, 2, 1), (.t10, 6, 60, 2, 1), (.hundred, 5, 100, 2, 1),
    ])
    func aFormatFixesItsLengths(format: Format, perOver: Int, balls: Int?, innings: Int, days: Int) {
        #expect(format.ballsPerOver == perOver && format.ballLimit == balls)
        #expect(format.inningsPerMatch == innings && format.days == days)
        #expect(format.isLimitedOvers == (balls != nil))
        #expect(MatchInfo(format: format, teams: []).ballsPerOver == perOver)
    }

    @Test(arguments: [
        (Format.hundred, "The Hundred Men's Competition", "2021-07-22", false, 2),
        (.hundred, "The Hundred Women's Competition", "2025-08-05", true, 2),
        (.hundred, "The Hundred Men's Competition", "2026-08-05", false, 1),
        (.firstClass, "Specsavers County Championship", "2019-05-01", false, 2),
        (.firstClass, "Bob Willis Trophy", "2020-08-01", false, 2),
        (.firstClass, "Sheffield Shield", "2020-11-01", false, 1),
        (.listA, "Royal London One-Day Cup", "2018-05-17", false, 2),
        (.listA, "One-Day Cup", "2024-07-24", false, 2),
        (.listA, "One-Day Cup (Australia)", "2024-10-01", false, 1),
        (.listA, "ECB Women's One-Day Cup", "2025-05-01", true, 1),
        // A feed without a field for the kind of teams: the competition's name contains it.
        (.listA, "ECB Women's One-Day Cup", "2025-05-01", false, 1),
        (.t20, "NatWest T20 Blast", "2014-05-16", false, 2),
        (.t20, "Vitality Blast Men", "2025-06-01", false, 2),
        (.t20, "Vitality Blast Women", "2025-06-01", true, 1),
        (.t20, "T20 Blaze", "2024-06-01", true, 1),
        (.t20, "Indian Premier League", "2024-04-01", false, 1),
        (.test, "England tour of India", "2024-02-01", false, 1),
    ])
    func aNoBallCostsByFormat(format: Format, competition: String, day: String, womens: Bool, runs: Int) {
        #expect(rules(format, competition, on: day, womens: womens).noBallPenalty == runs)
    }

    @Test func freeHitsDependOnTheYear() {
        #expect(rules(.odi, on: "2016-01-01").freeHit == .allNoBalls)
        #expect(rules(.odi, on: "2015-06-30").freeHit == .footFaults)
        #expect(rules(.odi, on: "2006-01-01").freeHit == .never)
        #expect(rules(.test).freeHit == .never)
    }

    @Test func tiesAreBrokenByTheRulesOfTheirDate() {
        #expect(rules(.t20i, on: "2007-09-14").tieProcedure == .bowlOut)
        #expect(rules(.odi, "ICC World Cup", on: "2019-07-14").tieProcedure == .superOverThenBoundaries)
        #expect(rules(.t20, on: "2020-10-18").tieProcedure == .superOvers)
        #expect(rules(.odi, "England tour of India").tieProcedure == .stands)
        #expect(rules(.test).tieProcedure == .stands)
    }

    @Test func theFollowOnDependsOnTheDays() {
        #expect(rules(.test).followOnMargin == 200)
        #expect(rules(.firstClass, days: 4).followOnMargin == 150)
        #expect(rules(.firstClass).followOnMargin == 200, "certain in a match of any length")
        #expect(rules(.firstClass, days: 5).followOnMargin == 200)
        #expect(RuleSet.followOnMargin(days: 2) == 100 && RuleSet.followOnMargin(days: 1) == 75)
        #expect(rules(.odi).followOnMargin == nil)
    }

    @Test func aBowlerHasAFifthOfTheOvers() {
        #expect(rules(.odi, balls: 300).bowlerQuota() == 60)
        #expect(rules(.t20, balls: 120).bowlerQuota() == 24)
        #expect(rules(.t10, balls: 60).bowlerQuota() == 12)
        #expect(rules(.hundred, balls: 100, perOver: 5).bowlerQuota() == 20)
        // Of 17 overs three bowlers may bowl three and two more four: the most is four.
        #expect(rules(.t20, balls: 120).bowlerQuota(limit: 17 * 6) == 24)
        #expect(rules(.test).bowlerQuota() == nil)
    }

    /// Overs of an innings, and balls of its first powerplay.
    @Test(arguments: [
        (20, 4), (22, 4), (23, 5), (26, 5), (27, 6), (31, 6), (32, 7), (36, 7), (37, 8), (41, 8), (42, 9), (46, 9),
        (47, 10), (50, 10),
    ])
    func aOneDayPowerplayDependsOnTheOvers(overs: Int, powerplay: Int) {
        #expect(rules(.odi, balls: 300).powerplayBalls(limit: overs * 6) == powerplay * 6)
    }

    @Test(arguments: [
        (5, 9), (6, 11), (7, 13), (8, 14), (9, 16), (10, 18), (11, 20), (12, 22), (13, 23), (14, 25), (15, 27),
        (16, 29),
        (17, 31), (18, 32), (19, 34), (20, 36),
    ])
    func aT20IPowerplaySinceJuly2025(overs: Int, balls: Int) {
        #expect(rules(.t20i, on: "2025-07-01", balls: 120).powerplayBalls(limit: overs * 6) == balls)
    }

    @Test(arguments: [(5, 2), (8, 2), (9, 3), (11, 3), (12, 4), (14, 4), (15, 5), (18, 5), (19, 6), (20, 6)])
    func aT20PowerplayHasWholeOvers(overs: Int, powerplay: Int) {
        #expect(rules(.t20i, on: "2024-06-01", balls: 120).powerplayBalls(limit: overs * 6) == powerplay * 6)
        #expect(rules(.t20, "Indian Premier League", balls: 120).powerplayBalls(limit: overs * 6) == powerplay * 6)
    }

    @Test func otherFormatsHaveTheirPowerplays() {
        #expect(rules(.hundred, balls: 100, perOver: 5).powerplayBalls() == 25)
        #expect(rules(.t10, balls: 60).powerplayBalls() == 18)
        #expect(rules(.t20, "Big Bash League", on: "2025-12-20", balls: 120).powerplayBalls() == 24)
        #expect(rules(.t20, "Big Bash League", on: "2018-12-20", balls: 120).powerplayBalls() == 36)
        #expect(rules(.test).powerplayBalls(limit: 500) == nil)
        #expect(rules(.odi).powerplayBalls(limit: 60) == nil)
    }

    @Test func someOldOversHaveEightBalls() {
        var script = MatchScript(.make(.test, ballsPerOver: 8))
        script.begin(.first)
        script.dots(8)
        script.bowl("4")
        let card = script.state.innings[0]
        #expect(card.overs.text == "1.1" && card.bowlers[0].maidens == 1)
        // A rate of runs an over counts overs of eight.
        #expect(card.runRate == "3.56")
    }

    @Test func implausibleRulesOfTheFeedAreIgnored() {
        #expect(rules(.t20, balls: -5, perOver: 0).ballsPerOver == 6)
        #expect(rules(.hundred, perOver: 21).ballsPerOver == 5)
        #expect(rules(.t20, balls: 1_000_000_000).ballLimit == nil)
    }
}
