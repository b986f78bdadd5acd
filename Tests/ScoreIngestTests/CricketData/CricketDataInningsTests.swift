// The provider has totals only: their titles give the batting side and the super overs.

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

@Suite struct CricketDataInningsTests {
    private static func snapshot(
        _ totals: [String],
        type: String = "t20",
        teams: String = #"["Reds","Blues"]"#,
        more: String = ""
    ) throws -> MatchSnapshot {
        let body = #"""
            {"status":"success","data":{"id":"m1","matchType":"\#(type)","status":"Live","teams":\#(teams),
            "matchStarted":true,"matchEnded":false,"score":[\#(totals.joined(separator: ","))]\#(more)}}
            """#
        return try CricketDataAdapter().snapshot(ProviderReplies([.match: Array(body.utf8)]), ProviderSession())
    }

    private static func total(_ title: String, _ runs: String = "1", _ wickets: String = "0", _ overs: String = "1")
        -> String
    {
        #"{"r":\#(runs),"w":\#(wickets),"o":\#(overs),"inning":"\#(title)"}"#
    }

    @Test("innings are in the order of the list, and all but the last are closed")
    func order() throws {
        let titles = ["Blues Inning 1", "REDS Inning 1", "Blues Inning 2"]
        let innings = try Self.snapshot(titles.map { Self.total($0) }, type: "test").innings
        #expect(innings.map(\.batting) == [.second, .first, .second] && innings.map(\.ordinal) == [1, 2, 3])
        #expect(innings.map(\.isClosed) == [true, true, false] && innings.allSatisfy { $0.superOver == nil })
    }

    @Test("the third and fourth innings of a limited match are its first super over")
    func superOvers() throws {
        let titles = ["Reds Inning 1", "Blues Inning 1", "Blues Inning 2", "Reds Inning 2"]
        #expect(try Self.snapshot(titles.map { Self.total($0) }).innings.map(\.superOver) == [nil, nil, 1, 1])
    }

    @Test(
        "numbers are read in every form, and the decimal of overs counts balls",
        arguments: [("20", "t20", 120), (#""19.6""#, "t20", 120), ("8.4", "odi", 52), ("10.3", "hundred", 53)]
    )
    func balls(overs: String, type: String, balls: Int) throws {
        let reported = try Self.snapshot([Self.total("Reds Inning 1", #""7""#, "2.0", overs)], type: type).innings[0]
            .reported
        #expect(reported == ReportedTotal(runs: 7, wickets: 2, balls: balls))
    }

    @Test("the title may have a team's name in another case, and the name may contain the word inning")
    func titles() throws {
        let teams = #"["Inning Lions","Blues"]"#
        let innings = try Self.snapshot([Self.total("inning lions Inning 1")], teams: teams).innings
        #expect(innings.map(\.batting) == [.first])
    }

    @Test(
        "an impossible total is an error that names its innings",
        arguments: [
            (#"{"r":-1,"w":0,"o":1,"inning":"Reds Inning 1"}"#, "match:data.score[0].r"),
            (#"{"r":1.5,"w":0,"o":1,"inning":"Reds Inning 1"}"#, "match:data.score[0].r"),
            (#"{"r":1,"w":11,"o":1,"inning":"Reds Inning 1"}"#, "match:data.score[0].w"),
            (#"{"r":1,"w":0,"o":1e9,"inning":"Reds Inning 1"}"#, "match:data.score[0].o"),
            (#"{"r":1,"w":0,"o":1,"inning":"Greens Inning 1"}"#, "match:data.score[0].inning"),
            (#"{"r":"x","w":0,"o":1,"inning":"Reds Inning 1"}"#, "match:data.score[0].r"),
            (#"{"w":0,"o":1,"inning":"Reds Inning 1"}"#, "match:data.score[0].r"),
        ]
    )
    func impossibleTotals(total: String, path: String) {
        let error = #expect(throws: AdapterError.self) { try Self.snapshot([total]) }
        #expect(error?.path == path)
    }

    @Test(
        "a match without two teams or a known type is an error that names the member",
        arguments: [
            (#"["Reds"]"#, "t20", "match:data.teams"), (#"["Reds","Reds"]"#, "t20", "match:data.teams"),
            (#"["Reds","Blues"]"#, "", "match:data.matchType"), (#"["Reds","Blues"]"#, "bees", "match:data.matchType"),
        ]
    )
    func impossibleMatches(teams: String, type: String, path: String) {
        let error = #expect(throws: AdapterError.self) { try Self.snapshot([], type: type, teams: teams) }
        #expect(error?.path == path)
    }

    @Test(
        "the toss names a side by its name or its short name",
        arguments: [
            ("reds", "bat", Toss(winner: .first, decision: .bat)),
            ("BLU", "Bowl", Toss(winner: .second, decision: .field)),
            ("Blues", "field", Toss(winner: .second, decision: .field)), ("Greens", "bat", nil), ("Reds", "swim", nil),
        ] as [(String, String, Toss?)]
    )
    func toss(winner: String, choice: String, toss: Toss?) throws {
        let more =
            #","tossWinner":"\#(winner)","tossChoice":"\#(choice)","teamInfo":[{"name":"Blues","shortname":"BLU"}]"#
        #expect(try Self.snapshot([], more: more).info.toss == toss)
    }
}
