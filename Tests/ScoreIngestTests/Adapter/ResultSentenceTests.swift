// Sentences of results in the wording of feeds.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct ResultSentenceTests {
    @Test(arguments: [
        ("India won by 6 wickets", ProviderResult.Kind.wickets(6), "india"),
        (
            "Royal Challengers Bangalore won by 2 wickets (With 0 ball remaining)", .wickets(2),
            "royal challengers bangalore"
        ),
        ("South Africa won by 1 run", .runs(1), "south africa"),
        ("Sri Lanka won by an innings and 38 runs.", .innings(38), "sri lanka"),
        ("Hyderabad (India) won by 2 runs (VJD method)", .runs(2), "hyderabad (india)"),
        ("Durham won by losing fewer wickets", .fewerWickets, "durham"),
        ("Match awarded to Kent", .awarded, "kent"),
        ("Essex won", .won, "essex"),
        ("Essex won by forfeit", .awarded, "essex"),
        ("Essex won by 6 wkts", .wickets(6), "essex"), ("Essex won by 1 wkt", .wickets(1), "essex"),
        ("Essex won by 99999999999999999999 runs", .won, "essex"),
    ])
    func wins(sentence: String, kind: ProviderResult.Kind, winner: String) {
        let read = ResultSentence(sentence)
        #expect(read.kind == kind)
        #expect(read.winner == winner)
    }

    @Test(arguments: [
        ("Match tied", ProviderResult.Kind.tie, String?.none, String?.none),
        ("Match tied (Reds won the Super Over)", .tie, "reds", "superOver"),
        ("Match tied (Reds (India) won the one-over eliminator)", .tie, "reds (india)", "superOver"),
        ("Match tied (Reds won the bowl-out)", .tie, "reds", "bowlOut"),
        ("Match tied (Reds won on boundary count)", .tie, "reds", "boundaryCount"),
        ("Match drawn", .draw, nil, nil), ("No result", .noResult, nil, nil),
        ("Match abandoned without a ball bowled", .noResult, nil, nil),
        ("Abandoned due to rain", .noResult, nil, nil), ("Match called off due to rain.", .noResult, nil, nil),
        ("The match was washed out", .noResult, nil, nil), ("Wet outfield: no play possible", .noResult, nil, nil),
        ("Match ended without result", .noResult, nil, nil), ("Play abandoned: match drawn", .draw, nil, nil),
        ("Match ends in a draw", .draw, nil, nil), ("Match ended in a tie", .tie, nil, nil),
    ])
    func ends(sentence: String, kind: ProviderResult.Kind, winner: String?, tieBreak: String?) {
        let read = ResultSentence(sentence)
        #expect(read.kind == kind)
        #expect(read.tieBreakWinner == winner)
        #expect(read.tieBreak == tieBreak)
    }

    @Test(arguments: [
        ("India won by 6 runs (D/L method)", "D/L"), ("India won by 6 runs (DLS)", "DLS"),
        ("India won by 5 wickets (with 3 balls remaining) (DLS method)", "DLS"), ("Target 80 (VJD method)", "VJD"),
        ("Hyderabad (India) won by 2 runs", nil),
    ])
    func methods(sentence: String, method: String?) {
        #expect(ResultSentence(sentence).method == method)
    }

    @Test(arguments: [
        "", " ", "Day 5: washed out", "2nd session abandoned due to rain", "Rain stops play",
        "Target 183 runs", "((((", ")", "won", "Essex won the toss and elected to bat",
        String(repeating: "(", count: 100_000),
    ])
    func otherSentencesHaveNoResult(sentence: String) {
        #expect(ResultSentence(sentence).kind == nil)
    }
}

/// Recorded sentences name a side by the end of its name, or by its country alone.
@Suite struct ResultSideTests {
    private static let islands = ["Barbados Tridents", "St Kitts and Nevis Patriots"]

    @Test(arguments: [
        ("Patriots won by 10 wickets (with 78 balls remaining)", Side?.some(.second)),
        ("Tridents won by 29 runs", .first), ("St Kitts and Nevis won by 3 runs", .second),
        ("BT won by 3 runs", .first),
        ("BARBADOS TRIDENTS won by 3 runs", .first), ("Dents won by 3 runs", nil), ("And won by 3 runs", nil),
        ("St Kitts and Nevis Patriots won by 3 runs", .second), ("Stars won by 3 runs", nil),
    ])
    func aSideMatchesPartOfItsName(sentence: String, side: Side?) {
        #expect(ResultSentence(sentence, teams: Self.islands, shortNames: ["BT", "STKNP"]).winningSide == side)
    }

    @Test(arguments: [
        ("Knight Riders won by 3 runs", Side?.none), ("Kolkata won by 3 runs", .first),
        ("Trinbago Knight Riders won by 3 runs", .second), ("", nil),
    ])
    func aCommonPartOfBothNamesMatchesNeither(sentence: String, side: Side?) {
        let teams = ["Kolkata Knight Riders", "Trinbago Knight Riders"]
        #expect(ResultSentence(sentence, teams: teams, shortNames: [nil, nil]).winningSide == side)
    }

    @Test func aFullNameMatchesOnlyItsSide() {
        let teams = ["India", "India A"]
        #expect(ResultSentence("INDIA won by 3 runs", teams: teams, shortNames: [nil, nil]).winningSide == .first)
        #expect(ResultSentence("India A won by 3 runs", teams: teams, shortNames: [nil, nil]).winningSide == .second)
        let tie = ResultSentence("Match tied (IND A won the Super Over)", teams: teams, shortNames: ["IND", "IND A"])
        #expect(tie.tieBreakSide == .second)
    }
}

@Suite struct ISO8601Tests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64?.some(0)), ("2026-10-09T13:01:52.000000Z", 1_791_550_912_000),
        ("2024-02-29 23:59:60", 1_709_251_200_000), ("2026-10-09T13:01:52.5+05:30", 1_791_531_112_500),
        ("2026-10-09T13:01:52+0530", 1_791_531_112_000), ("2026-10-09T13:01:52-05", 1_791_568_912_000),
        ("2026-10-09 13:01", 1_791_550_860_000), ("2026-10-09T13:01Z", 1_791_550_860_000),
        ("2026-10-09T13:01+05:30", 1_791_531_060_000), ("2026-10-09T13:01:5", nil), ("2026-10-09T13:01:", nil),
        ("2026-10-09T13:01:52+053", nil), ("2026-10-09T13:01:52+0x30", nil), ("2026-10-09T13:01.5", nil),
        ("1900-03-01T00:00:00Z", -2_203_891_200_000), ("2026-10-09T13:01:52.", nil), ("2026-13-09T13:01:52Z", nil),
        ("2026-10-09", nil), ("", nil), ("2026-10-09T13:01:52.000000Zjunk", nil), ("２０26-10-09T13:01:52Z", nil),
    ])
    func times(text: String, milliseconds: Int64?) {
        #expect(ISO8601.milliseconds(text) == milliseconds)
    }

    @Test func days() {
        #expect(ISO8601.day(0) == "1970-01-01")
        #expect(ISO8601.day(20_735) == "2026-10-09")
        #expect(ISO8601.day(-1) == "1969-12-31")
    }
}
