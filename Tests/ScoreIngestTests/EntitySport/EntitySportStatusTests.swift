// Two numbers and a sentence give the status; the table is the provider's.

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

private typealias Sample = EntitySportSample

@Suite struct EntitySportStatusTests {
    private static let ball = [Sample.ball(1, batter: 11)]

    @Test(
        "a match in play has the status of its state",
        arguments: [
            (0, MatchStatus.live), (1, .live), (2, .live), (3, .live), (4, .suspended), (5, .drinks),
            (6, .inningsBreak), (7, .stumps), (8, .lunch), (9, .tea),
        ]
    )
    func inPlay(state: Int, status: MatchStatus) throws {
        let report = try Sample.snapshot(state: state, balls: Self.ball).status
        #expect(report.status == status && !report.isUnknown)
    }

    @Test(
        "before the first ball the states of a match in play are those of the toss and a late start",
        arguments: [(1, MatchStatus.toss), (2, .toss), (4, .startDelayed), (3, .live)]
    )
    func beforeTheFirstBall(state: Int, status: MatchStatus) throws {
        #expect(try Sample.snapshot(state: state).status.status == status)
    }

    @Test(
        "an unstarted match is scheduled, at the toss or late",
        arguments: [(0, MatchStatus.scheduled), (2, .toss), (4, .startDelayed), (9, .scheduled)]
    )
    func anUnstartedMatch(state: Int, status: MatchStatus) throws {
        #expect(try Sample.snapshot(status: 1, state: state).status.status == status)
    }

    @Test("a super over has its own status and break")
    func superOver() throws {
        let deciding = #""number":1,"status":3,"batting_team_id":2,"issuperover":"true""#
        #expect(try Sample.snapshot(state: 3, card: deciding).status.status == .superOver)
        #expect(try Sample.snapshot(state: 6, card: deciding).status.status == .superOverBreak)
    }

    @Test(
        "a finished match has the status of its sentence",
        arguments: [
            ("Reds won by 4 runs", MatchStatus.result), ("Match tied", .tied),
            ("Match tied (Reds won the super over)", .result), ("Match drawn", .drawn), ("No result", .noResult),
            ("", .result),
        ]
    )
    func finished(sentence: String, status: MatchStatus) throws {
        let more = #","status_note":"\#(sentence)","winning_team_id":"1""#
        #expect(try Sample.snapshot(status: 2, state: 0, balls: Self.ball, more: more).status.status == status)
    }

    @Test("a cancelled match has no result with balls, and was abandoned without one")
    func cancelled() throws {
        #expect(try Sample.snapshot(status: 4, state: 0, balls: Self.ball).status.status == .noResult)
        #expect(try Sample.snapshot(status: 4, state: 0).status.status == .abandonedNoBall)
    }

    @Test("an unknown state counts as play, is reported, and shows the provider's note")
    func unknownState() throws {
        let more = #","status_note":"Bees stopped play","game_state_str":"Bees""#
        let report = try Sample.snapshot(state: 17, balls: Self.ball, more: more).status
        #expect(report.status == .live && report.isUnknown && report.note == "Bees stopped play")
        #expect(try Sample.snapshot(state: 3, balls: Self.ball, more: more).status.note == nil)
    }

    @Test("an unknown status is an error")
    func unknownStatus() {
        #expect(throws: AdapterError.unknownWord(path: "match:response.status", word: "9.0")) {
            try Sample.snapshot(status: 9)
        }
    }
}
