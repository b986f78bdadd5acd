// The teams distinguish an international from a league match; the replacements distinguish a player from a

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzFrameTests {
    /// Key, name and country of a side.
    typealias Team = (key: String, name: String, country: String)

    private func format(_ word: String, _ a: Team, _ b: Team, association: String? = nil) throws -> Format {
        func team(_ team: Team) -> String {
            #"{"key":"\#(team.key)","code":"","name":"\#(team.name)","country_code":"\#(team.country)"}"#
        }
        let body = association.map { #","association":{"code":"\#($0)"}"# } ?? ""
        let sides = #""teams":{"a":\#(team(a)),"b":\#(team(b))}\#(body)"#
        let match = String(decoding: Sample.match(format: word), as: UTF8.self).replacing(
            #""teams":{"a":{"key":"reds","code":"RED","name":"Reds"},"# + "\n"
                + #""b":{"key":"blues","code":"BLU","name":"Blues"}}"#,
            with: sides
        )
        #expect(match.contains(sides))
        return try RoanuzAdapter().snapshot(ProviderReplies([.match: Array(match.utf8)]), ProviderSession()).info.format
    }

    private static let pakistan: Team = ("pak", "Pakistan", "PAK")
    private static let southAfrica: Team = ("rsa", "South Africa", "ZAF")

    /// A side's key is not its country's code.
    @Test(arguments: [
        (southAfrica, Format.odi), (("eng", "England", "GBR"), .odi), (("win", "West Indies", "WIN"), .odi),
        (("rsa_w", "South Africa Women", "ZAF"), .odi), (("rsa_a", "South Africa A", "ZAF"), .listA),
        (("rsa_u19", "South Africa U19", "ZAF"), .listA), (("lions", "Lions", "ZAF"), .listA),
        (("pak_a", "Pakistan A", "PAK"), .listA), (("gsl", "Gibraltar", "GIB"), .listA),
        (("gib", "Gibraltar", "GIB"), .odi), (("caxi", "Cricket Australia XI", "AUS"), .listA),
        (("rsa", "South Africa", ""), .listA),
    ])
    func nationsPlayInternationals(_ other: Team, _ expected: Format) throws {
        #expect(try format("oneday", Self.pakistan, other) == expected)
        #expect(try format("t20", other, Self.pakistan) == (expected == .odi ? .t20i : .t20))
    }

    /// Matches of the International Cricket Council are internationals, except those of its juniors.
    @Test func matchesOfTheCouncilAreInternationals() throws {
        let (one, two): (Team, Team) = (("x1", "Eswatini", "SWZ"), ("x2", "Lesotho", "LSO"))
        #expect(try format("t20", one, two, association: "ICC") == .t20i)
        #expect(try format("t20", one, two, association: "BCCI") == .t20)
        let juniors: Team = ("x3", "Lesotho Under-19s", "LSO")
        #expect(try format("oneday", one, juniors, association: "ICC") == .listA)
    }

    /// A catch by q9, who is in the squad and not in the eleven.
    private func dismissal(replacements: String?) throws -> (dismissal: Dismissal?, info: MatchInfo) {
        let wicket = #","wicket":{"player_key":"p1","wicket_type":"caught"},"fielders":[{"player_key":"q9"}]"#
        let ball = Sample.ball(RoanuzBallKey(innings: 1, over: 0, ball: 1, again: 0), (0, 1), more: wicket)
        let list = replacements.map { #","replacements":\#($0)"# } ?? ""
        let match = String(decoding: Sample.match(innings: ["a_1": Sample.innings((0, 1))]), as: UTF8.self)
            .replacing(#""keeper":null}"#, with: #""keeper":null\#(list)}"#)
        let replies = ProviderReplies([.match: Array(match.utf8), .balls: Sample.page("a_1", 0, [ball])])
        let snapshot = try RoanuzAdapter().snapshot(replies, ProviderSession())
        return (snapshot.deliveries.first?.dismissals.first, snapshot.info)
    }

    @Test func aReplacementPlayerIsNoSubstitute() throws {
        let concussion =
            #"[{"player_in":"q9","in_innings":true,"player_out":"q1","replacement_reason":"concussion_substitute"}]"#
        let (dismissal, info) = try dismissal(replacements: concussion)
        #expect(dismissal?.fielders == [Fielder(name: "Yve Sub", isSubstitute: false)])
        #expect(info.teams[1].players.map(\.name) == ["Xan Ex", "Yve Sub"])
    }

    @Test(arguments: [nil, "[]", "null", #"[{"player_in":null,"player_out":"q1"}]"#, #"[{"player_in":""}]"#])
    func aFielderOutsideTheElevenIsASubstitute(replacements: String?) throws {
        let (dismissal, info) = try dismissal(replacements: replacements)
        #expect(dismissal?.fielders == [Fielder(name: "Yve Sub", isSubstitute: true)])
        #expect(info.teams[1].players.map(\.name) == ["Xan Ex"])
    }

    @Test func replacementsAreCounted() throws {
        let many = (0...100).map { #"{"player_in":"r\#($0)"}"# }.joined(separator: ",")
        let error = #expect(throws: AdapterError.self) { try dismissal(replacements: "[\(many)]") }
        #expect(error?.path == "match:data.squad")
    }
}
