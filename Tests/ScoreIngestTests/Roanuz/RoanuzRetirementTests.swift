// Batters who leave without a ball: retired, absent, or in an unplayed row.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzRetirementTests {
    private func key(_ ball: Int, _ again: Int = 0) -> RoanuzBallKey {
        RoanuzBallKey(innings: 1, over: 0, ball: ball, again: again)
    }

    /// A row with a wicket and its fields; nil for a missing field.
    private func row(_ word: String, isWicket: Bool?, count: Int = 0, status: String = "played") -> String {
        let wicket = #","wicket":{"player_key":"p2","wicket_type":"\#(word)"}"#
        let row = Sample.ball(key(1, 1), (0, 1), count: count, more: wicket)
            .replacing(#""ball_play_status":"played""#, with: #""ball_play_status":"\#(status)""#)
        guard let isWicket else { return row }
        return row.replacing(#""team_score":{"#, with: #""team_score":{"is_wicket":\#(isWicket),"#)
    }

    static let words: [(word: String, isWicket: Bool?, kind: DismissalKind)] = [
        ("retired", true, .retiredOut), ("retired", false, .retiredHurt), ("retired", nil, .retiredHurt),
        ("retired_out", true, .retiredOut), ("retired_hurt", false, .retiredHurt),
        ("retired_not_out", false, .retiredNotOut),
        // A row that counts as a wicket is one, whatever its name.
        ("spirited_away", true, .other),
    ]

    @Test(arguments: words)
    func wordsForRetirementsAreRead(word: String, isWicket: Bool?, kind: DismissalKind) throws {
        let balls = try Sample.snapshot([Sample.plain(0, 1), row(word, isWicket: isWicket)]).deliveries
        #expect(balls.map { $0.dismissals.map(\.kind) } == [[kind]])
        #expect(balls[0].dismissals.map(\.out.name) == ["Bea Two"])
    }

    /// An absent batter has no ball, and uses up a wicket.
    @Test func anAbsenceIsNoBall() throws {
        let snapshot = try Sample.snapshot([Sample.plain(0, 1), row("absent_hurt", isWicket: true)])
        #expect(snapshot.deliveries.map(\.dismissals) == [[]])
        #expect(snapshot.innings.map { $0.absent.map(\.name) } == [["Bea Two"]])
    }

    /// An unplayed row may contain a retirement, and is no ball whatever it counts.
    @Test(arguments: [0, 1]) func anUnplayedRowKeepsItsWicket(count: Int) throws {
        let event = row("retired", isWicket: false, count: count, status: "non_play_event")
        let balls = try Sample.snapshot([Sample.plain(0, 1), event, Sample.plain(0, 2)]).deliveries
        #expect(balls.map { $0.dismissals.map(\.kind) } == [[.retiredHurt], []])
    }

    @Test func anUnplayedRowKeepsItsPenalty() throws {
        let event = Sample.ball(key(1, 1), (0, 1), extras: 5, count: 0)
            .replacing(#""played""#, with: #""non_play_event""#)
        let extras = #","extra_runs":{"bye":0,"leg_bye":0,"penalty":5}"#
        let totals = Sample.innings((0, 1), runs: 5, extras: extras)
        let balls = try Sample.snapshot([Sample.plain(0, 1), event], totals: totals).deliveries
        #expect(balls.map(\.runs) == [DeliveryRuns(penalty: 5)])
    }

    /// As the one between two balls of a match of 2023.
    @Test func anEmptyUnplayedRowIsSkipped() throws {
        let event = Sample.ball(key(1, 1), (0, 1), count: 0).replacing(#""played""#, with: #""non_play_event""#)
        #expect(try Sample.snapshot([Sample.plain(0, 1), event]).deliveries.count == 1)
    }

    @Test(arguments: [
        (#""played""#, #""non_play_event""#), (#""played""#, #""bowler_ready""#),
    ])
    func runsOfAnUnplayedRowAreReported(part: String, other: String) throws {
        let ball = Sample.plain(0, 1, bat: 4).replacing(part, with: other)
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot([ball]) }
        #expect(error?.path == "balls:data.over.balls[0].ball_play_status")
    }

    @Test func aWicketOfAnUnplayedRowIsReported() throws {
        let error = #expect(throws: AdapterError.self) {
            try Sample.snapshot([row("bowled", isWicket: true, count: 1, status: "in_the_air")])
        }
        #expect(error == .unknownWord(path: "balls:data.over.balls[0].ball_play_status", word: "in_the_air"))
    }
}
