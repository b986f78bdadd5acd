// The names of scores: their runs, and names that cannot be trusted.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = SportmonksSample

@Suite struct SportmonksMeaningTests {
    @Test(arguments: [
        ("No Run", "", DeliveryRuns()),
        ("3 Runs", #""runs":3"#, DeliveryRuns(bat: 3)),
        ("FOUR", #""runs":4,"four":true"#, DeliveryRuns(bat: 4)),
        ("SIX", #""runs":6,"six":true"#, DeliveryRuns(bat: 6)),
        ("5 Wides", #""runs":5,"ball":false"#, DeliveryRuns(wides: 5)),
        ("1 Wide + 2 Runs", #""runs":3,"ball":false"#, DeliveryRuns(wides: 3)),
        ("No Ball", #""runs":1,"noball":1,"noball_runs":1,"ball":false"#, DeliveryRuns(noBalls: 1)),
        ("1 No Ball + 1 Bye", #""runs":1,"noball":1,"noball_runs":1,"bye":1"#, DeliveryRuns(noBalls: 1, byes: 1)),
        ("1 No Ball + 2 Leg Byes", #""runs":1,"noball_runs":1,"leg_bye":2"#, DeliveryRuns(noBalls: 1, legByes: 2)),
        ("2 No Balls + FOUR", #""runs":6,"noball_runs":2,"four":true"#, DeliveryRuns(bat: 4, noBalls: 2)),
        ("4 Byes", #""bye":4,"four":true"#, DeliveryRuns(byes: 4)),
        ("1 Leg Bye + 4 Runs", #""runs":4,"leg_bye":5"#, DeliveryRuns(legByes: 5)),
        ("5 Penalty Runs", #""runs":5,"ball":false"#, DeliveryRuns(penalty: 5)),
    ])
    func scoreNamesAreDividedIntoParts(name: String, fields: String, runs: DeliveryRuns) throws {
        let meaning = try #require(try Sample.meaning(Sample.score(1, name, fields)))
        #expect(meaning.runs == runs)
        #expect(meaning.isLegal == (runs.wides + runs.noBalls == 0))
        #expect(meaning.dismissal == nil)
    }

    @Test func onlyRunsOffTheBatAreABoundary() throws {
        #expect(try Sample.meaning(Sample.score(1, "FOUR", #""runs":4,"four":true"#))?.isBoundary == true)
        #expect(try Sample.meaning(Sample.score(1, "4 Runs", #""runs":4"#))?.isBoundary == false)
        #expect(try Sample.meaning(Sample.score(1, "4 Byes", #""bye":4,"four":true"#))?.isBoundary == false)
    }

    @Test(arguments: [
        ("Catch Out", DismissalKind.caught, false), ("Catch Out (Sub)", .caught, true),
        ("Clean Bowled", .bowled, false), ("LBW OUT", .lbw, false), ("Stump Out", .stumped, false),
        ("Run Out", .runOut, false), ("Run Out (Subs)", .runOut, true), ("Hit Wicket", .hitWicket, false),
        ("Obstructing the field Out", .obstructingTheField, false), ("Timed Out", .timedOut, false),
        ("Retired Out", .retiredOut, false),
    ])
    func dismissalsAreRead(name: String, kind: DismissalKind, isBySubstitute: Bool) throws {
        let meaning = try #require(try Sample.meaning(Sample.score(1, name, #""is_wicket":true,"out":true"#)))
        #expect(meaning.dismissal == kind)
        #expect(meaning.isBySubstitute == isBySubstitute)
    }

    @Test func dismissalsAreReadBesideRuns() throws {
        let run = try Sample.meaning(Sample.score(1, "Run Out + 1", #""runs":1,"is_wicket":true"#))
        #expect(run?.runs == DeliveryRuns(bat: 1))
        let wide = try Sample.meaning(Sample.score(1, "1 Wide + stump Out", #""runs":1,"ball":false,"is_wicket":true"#))
        #expect(wide?.runs == DeliveryRuns(wides: 1))
        #expect(wide?.dismissal == .stumped)
        let hurt = try Sample.meaning(Sample.score(1, "1 Bye + Retired Hurt", #""bye":1"#))
        #expect(hurt?.dismissal == .retiredHurt)
        let apart = try Sample.meaning(Sample.score(1, "Retired Hurt", #""ball":false"#))
        #expect(apart?.isBall == false)
        #expect(try Sample.meaning(Sample.score(1, "Absent Hurt"))?.isAbsence == true)
    }

    @Test(arguments: [
        ("Dead Ball", ""),
        ("", #""is_wicket":true"#),
        ("No Run", #""runs":1"#),
        ("1 Run", #""runs":1,"is_wicket":true"#),
        ("1 Bye", ""),
        ("1 Run", #""runs":1,"bye":1"#),
        ("2 No Balls", #""runs":2,"noball_runs":1"#),
        ("3 Runs", #""runs":3,"four":true"#),
        ("1 Run", #""runs":1,"ball":false"#),
        ("Catch Out + Run Out", #""is_wicket":true"#),
        ("1000 Runs", #""runs":1000"#),
        ("9223372036854775808 Runs", ""),
        ("-1 Runs", #""runs":-1"#),
        ("2 Catch Out", #""is_wicket":true"#),
    ])
    func inconsistentScoresAreRefused(name: String, fields: String) throws {
        #expect(try Sample.meaning(Sample.score(1, name, fields)) == nil)
    }

    @Test func anUnreadableScoreAffectsOnlyItsBalls() throws {
        let scores = [Sample.score(900, "Moon Ball")]
        let fine = Sample.fixture(balls: [Sample.ball(1)])
        #expect(try Sample.snapshot(fine, scores: scores).deliveries.count == 1)
        let used = Sample.fixture(balls: [Sample.ball(1), Sample.ball(2, label: 0.2, score: 900)])
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot(used, scores: scores) }
        #expect(error == .unknownWord(path: "data.balls[1].score_id", word: "900 Moon Ball"))
    }

    @Test func anUnknownScoreIDIsReported() throws {
        let ball = Sample.fixture(balls: [Sample.ball(1, score: 4_711)])
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot(ball) }
        #expect(error == .unknownWord(path: "data.balls[0].score_id", word: "4711"))
        let batting = #","batting":[{"team_id":1,"scoreboard":"S1","player_id":11,"wicket_id":4711}]"#
        let card = #expect(throws: AdapterError.self) {
            try Sample.snapshot(Sample.fixture(balls: [Sample.ball(1)], more: batting))
        }
        #expect(card == .unknownWord(path: "data.batting[0].wicket_id", word: "4711"))
    }

    @Test func theScoreOfABallMustEqualTheTables() throws {
        let own = Sample.score(82, "1 Run", #""runs":1"#)
        let body = Sample.fixture(balls: [Sample.ball(1, more: #","score":\#(own)"#)])
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot(body) }
        #expect(error?.path == "data.balls[0].score")
    }
}
