// The status is a sentence beside the names of teams, which must not be read as weather.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct CricketDataStatusTests {
    /// A match of two teams with a sentence; `more` begins with a comma.
    private static func snapshot(
        _ sentence: String,
        teams: (String, String) = ("Bahrain", "Oman"),
        shorts: (String, String) = ("BRN", "OMA"),
        isOver: Bool = false,
        chase: String = #""r":121,"w":3,"o":18.2"#,
        more: String = ""
    ) throws -> MatchSnapshot {
        let body = #"""
            {"status":"success","data":{"id":"m1","matchType":"t20","status":"\#(sentence)",
            "teams":["\#(teams.0)","\#(teams.1)"],"teamInfo":[{"name":"\#(teams.0)","shortname":"\#(shorts.0)"},
            {"name":"\#(teams.1)","shortname":"\#(shorts.1)"}],"matchStarted":true,"matchEnded":\#(isOver),
            "score":[{"r":120,"w":6,"o":20,"inning":"\#(teams.0) Inning 1"},
            {\#(chase),"inning":"\#(teams.1) Inning 1"}]\#(more)}}
            """#
        return try CricketDataAdapter().snapshot(ProviderReplies([.match: Array(body.utf8)]), ProviderSession())
    }

    @Test(
        "names and parts of words are no pauses",
        arguments: [
            ("Bahrain opt to bat", "Bahrain", MatchStatus.live), ("Bahrain need 12 runs in 9 balls", "Bahrain", .live),
            ("Rain Dinner need 12 runs", "Rain Dinner", .live), ("Delays need 12 runs", "Delays", .live),
            ("BAHRAIN opt to bowl", "Bahrain", .live), ("Bahrain restrained to 120", "Bahrain", .live),
            ("Rain stops play", "Bahrain", .rain), ("Bahrain 20/1 - rain.", "Bahrain", .rain),
            ("Play delayed due to wet outfield", "Bahrain", .wetOutfield), ("Match delayed", "Bahrain", .suspended),
            ("Delay", "Bahrain", .suspended), ("Tea Break, day 2", "Bahrain", .tea),
            ("Day 1: Stumps - Bahrain lead", "Bahrain", .stumps), ("Innings Break", "Bahrain", .inningsBreak),
        ]
    )
    func words(sentence: String, team: String, status: MatchStatus) throws {
        #expect(try Self.snapshot(sentence, teams: (team, "Oman")).status.status == status)
    }

    @Test("a winner who does not play is ignored, and the totals decide")
    func anUnknownWinnerIsLeftToTheTotals() throws {
        let unknown = try Self.snapshot("Hosts won by 7 wkts", isOver: true)
        #expect(unknown.result == nil)
        #expect(unknown.status.status == .result)
        #expect(unknown.replica.state.result?.winner == .second)
        let short = try Self.snapshot("OMA won by 7 wkts", isOver: true)
        #expect(short.result == ProviderResult(kind: .wickets(7), winner: .second))
    }

    @Test("a field and a sentence that name two winners give no winner")
    func contradictingWinnersAreIgnored() throws {
        let both = try Self.snapshot("Oman won by 7 wkts", isOver: true, more: #","matchWinner":"Bahrain""#)
        #expect(both.result == nil)
    }

    private static let isCutShort = #""r":60,"w":2,"o":7"#

    @Test(
        "an unknown end states no result beside incomplete totals",
        arguments: [
            ("Match called off due to rain", MatchStatus.noResult), ("Match over", .resultPending),
            ("", .resultPending), ("Hosts won by 7 runs", .resultPending), ("Oman won by 7 runs", .result),
        ]
    )
    func anUnknownEndStatesNoResult(sentence: String, status: MatchStatus) throws {
        let snapshot = try Self.snapshot(sentence, isOver: true, chase: Self.isCutShort)
        #expect(snapshot.status.status == status)
        #expect(snapshot.replica.state.result?.winner == (status == .result ? .second : nil))
    }

    @Test("an unknown winner by a method has no margin by totals, also after two complete innings")
    func anUnknownWinnerByAMethodHasNoMargin() throws {
        for chase in [Self.isCutShort, #""r":61,"w":10,"o":15"#, #""r":121,"w":3,"o":18.2"#] {
            let unknown = try Self.snapshot("S. Oman won by 5 runs (DLS method)", isOver: true, chase: chase)
            #expect(unknown.result == nil)
            #expect(unknown.status.status == .resultPending)
            #expect(unknown.replica.state.result == nil && unknown.replica.state.proven == nil)
        }
        let known = try Self.snapshot("Oman won by 5 runs (DLS method)", isOver: true, chase: Self.isCutShort)
        #expect(known.result == ProviderResult(kind: .runs(5), winner: .second, method: "DLS"))
    }

    @Test("a field names the winner when no sentence does")
    func aFieldNamesTheWinner() throws {
        let reported = try Self.snapshot("Match over", isOver: true, more: #","matchWinner":"Oman""#)
        #expect(reported.result == ProviderResult(kind: .won, winner: .second))
        #expect(reported.status.status == .result)
    }

    @Test(
        "a sentence of an unknown kind is an unknown status, and is shown",
        arguments: [
            ("Bees everywhere", true), ("Players leave the field", true), ("Elephant", true),
            ("Bahrain opt to bat", false), ("Oman need 12 runs in 9 balls", false), ("Bahrain 20/1", false),
            ("Oman trail by 45 runs", false), ("Oman lead by 4", false), ("Bahrain won the toss", false), ("", false),
            ("Day 2: 2nd Session", false), ("Match started", false), ("Live", false), ("Super Over", false),
            ("Scores level", false), ("Oman require 9 from 6", false), ("Rain stops play", false),
            ("Oman chose to field", false), ("Bahrain innings in progress", false), ("Innings Break", false),
        ]
    )
    func unknownSentences(sentence: String, isUnknown: Bool) throws {
        let status = try Self.snapshot(sentence).status
        #expect(status.isUnknown == isUnknown)
        if isUnknown { #expect(status.note == sentence && status.status == .live) }
    }

    @Test(
        "words for play that has stopped",
        arguments: [
            ("Play stopped - floodlight failure", MatchStatus.floodlight), ("Play suspended", .suspended),
            ("Match interrupted", .suspended), ("Bees have stopped play", .suspended),
        ]
    )
    func playHasStopped(sentence: String, status: MatchStatus) throws {
        #expect(try Self.snapshot(sentence).status.status == status)
    }
}
