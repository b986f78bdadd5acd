// A break status that stays longer than the break must not end the next innings.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = SportmonksSample

@Suite struct SportmonksBreakTests {
    private static let both = #"{"team_id":1,"inning":1},{"team_id":2,"inning":2}"#
    private static let scores = [Sample.score(54, "Catch Out", #""is_wicket":true"#)]

    /// So many balls of an innings, a run off each of the first.
    private static func balls(_ count: Int, runs: Int = 0, scoreboard: String, from id: Int) -> [String] {
        (0..<count).map { index in
            Sample.ball(
                id + index,
                label: Double(index / 6) + Double(index % 6 + 1) / 10,
                scoreboard: scoreboard,
                score: index < runs ? 69 : 82
            )
        }
    }

    private static func snapshot(type: String = "T20", _ balls: [String], runs: String = both) throws -> MatchSnapshot {
        try Sample.snapshot(Sample.fixture(type: type, status: "Innings Break", balls: balls, runs: runs))
    }

    @Test("the first ball of a chase ends the break")
    func theFirstBallOfAChaseEndsTheBreak() throws {
        let first = Self.balls(120, runs: 9, scoreboard: "S1", from: 1)
        let snapshot = try Self.snapshot(first + Self.balls(1, runs: 1, scoreboard: "S2", from: 1_000))
        #expect(snapshot.status.status == .live)
        #expect(snapshot.innings.map(\.isClosed) == [true, false])
        let moments = snapshot.replica.state.moments.map(\.kind)
        #expect(!moments.contains { kind in if case .superOver = kind { true } else { false } })
    }

    @Test("an unstarted chase is not closed")
    func anUnstartedChaseIsNotClosed() throws {
        let snapshot = try Self.snapshot(Self.balls(120, runs: 9, scoreboard: "S1", from: 1))
        #expect(snapshot.status.status == .inningsBreak)
        #expect(snapshot.innings.map(\.isClosed) == [true, false])
    }

    @Test(
        "a break after a finished chase waits for a super over when the totals are level",
        arguments: [
            (9, MatchStatus.superOverBreak), (8, .inningsBreak),
        ]
    )
    func aLevelChaseWaitsForASuperOver(runs: Int, status: MatchStatus) throws {
        let first = Self.balls(120, runs: 9, scoreboard: "S1", from: 1)
        let snapshot = try Self.snapshot(first + Self.balls(120, runs: runs, scoreboard: "S2", from: 1_000))
        #expect(snapshot.status.status == status)
        #expect(snapshot.innings.map(\.isClosed) == [true, true])
    }

    @Test("the status of the break before a super over does not end its first innings")
    func aStartedSuperOverIsNotClosed() throws {
        let first = Self.balls(120, runs: 9, scoreboard: "S1", from: 1)
        let level = first + Self.balls(120, runs: 9, scoreboard: "S2", from: 1_000)
        let runs = Self.both + #",{"team_id":2,"inning":5}"#
        let one = Sample.ball(5_000, label: 0.1, scoreboard: "S5").replacing("\"team_id\":1", with: "\"team_id\":2")
        let begun = try Self.snapshot(level + [one], runs: runs)
        #expect(begun.status.status == .superOver)
        #expect(begun.innings.last?.isClosed == false)
    }

    @Test(
        "in a longer match a few balls are no innings",
        arguments: [
            (1, false), (SportmonksBreak.fewBalls - 1, false), (SportmonksBreak.fewBalls, true),
        ]
    )
    func aFewBallsOfALongerMatchAreNoInnings(count: Int, isDeclared: Bool) throws {
        let first = Self.balls(90, runs: 9, scoreboard: "S1", from: 1)
        let balls = first + Self.balls(count, scoreboard: "S2", from: 1_000)
        let snapshot = try Self.snapshot(type: "Test/5day", balls)
        #expect(snapshot.innings.map(\.isDeclared) == [true, isDeclared])
        #expect(snapshot.innings.map(\.isClosed) == [true, isDeclared])
        #expect(snapshot.status.status == (isDeclared ? .inningsBreak : .live))
    }

    @Test("a first innings of a few balls ends with its break")
    func aShortFirstInningsEndsWithItsBreak() throws {
        let runs = #"{"team_id":1,"inning":1}"#
        for type in ["T20", "4day"] {
            let snapshot = try Self.snapshot(type: type, Self.balls(3, scoreboard: "S1", from: 1), runs: runs)
            #expect(snapshot.status.status == .inningsBreak)
            #expect(snapshot.innings.map(\.isClosed) == [true])
        }
    }
}
