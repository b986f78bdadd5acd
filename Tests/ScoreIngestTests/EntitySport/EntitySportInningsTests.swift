// The card lists the innings in any order, and marks declared, forfeited and tie-breaking ones by numbers.

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

private typealias Sample = EntitySportSample

@Suite struct EntitySportInningsTests {
    /// A card of several innings; each has a commentary without balls but for the first, which has one.
    private static func innings(_ cards: [String], format: String = "Test") throws -> [InningsInfo] {
        func reply(_ content: String) -> [UInt8] { Array(#"{"status":"ok","response":{\#(content)}}"#.utf8) }
        let match = #"""
            "match_id":7,"format_str":"\#(format)","status":3,"game_state":3,"teama":{"team_id":1,"name":"Reds"},
            "teamb":{"team_id":"2","name":"Blues"},"innings":[\#(cards.map { "{\($0)}" }.joined(separator: ","))]
            """#
        var replies = ProviderReplies([EntitySportAdapter.card: reply(match)])
        for number in 1...cards.count {
            let card = cards.first { $0.hasPrefix(#""number":\#(number),"#) } ?? ""
            let balls = number == 1 ? Sample.ball(1, batter: 11) : ""
            replies[EntitySportAdapter.balls(number)] = reply(#""inning":{\#(card)},"commentaries":[\#(balls)]"#)
        }
        return try EntitySportAdapter().snapshot(replies, ProviderSession()).innings
    }

    private static func card(_ number: Int, _ team: Int, _ more: String = "") -> String {
        #""number":\#(number),"batting_team_id":\#(team)\#(more)"#
    }

    @Test("innings are in order of their numbers, and all but the last are closed")
    func order() throws {
        let innings = try Self.innings([Self.card(3, 1), Self.card(1, 1), Self.card(2, 2)])
        #expect(innings.map(\.ordinal) == [1, 2, 3])
        #expect(innings.map(\.batting) == [.first, .second, .first])
        #expect(innings.map(\.isClosed) == [true, true, false])
        #expect(innings.allSatisfy { $0.superOver == nil })
    }

    @Test("a third innings of a limited match is a super over, and so is one that is marked")
    func superOvers() throws {
        let cards = (1...4).map { Self.card($0, $0 % 2 == 1 ? 1 : 2) }
        #expect(try Self.innings(cards, format: "T20").map(\.superOver) == [nil, nil, 1, 1])
        let marked = [Self.card(1, 1), Self.card(2, 2, #","issuperover":"true""#)]
        #expect(try Self.innings(marked, format: "T20").map(\.superOver) == [nil, 1])
    }

    @Test("result 2 is a declaration with balls and a forfeit without")
    func declarations() throws {
        let innings = try Self.innings([Self.card(1, 1, #","result":"2""#), Self.card(2, 2, #","result":2"#)])
        #expect(innings.map(\.isDeclared) == [true, false] && innings.map(\.isForfeited) == [false, true])
    }

    @Test("a declared innings with a total and no balls is shown by its total")
    func totalWithoutBalls() throws {
        let total = #","result":2,"equations":{"runs":"487","wickets":6,"overs":"130.2"}"#
        let innings = try Self.innings([Self.card(1, 1, total), Self.card(2, 2, total), Self.card(3, 1)])
        #expect(innings.map(\.isForfeited) == [false, false, false])
        #expect(innings.map(\.isDeclared) == [true, true, false])
        #expect(innings.map(\.reported) == [nil, ReportedTotal(runs: 487, wickets: 6, balls: 782), nil])
        func snapshot(status: Int) throws -> MatchSnapshot {
            try Sample.snapshot(status: status, card: Self.card(1, 1, total), format: #""format_str":"Test""#)
        }
        #expect(try snapshot(status: 3).replica.state.innings[0].score == "487/6d")
        #expect(try snapshot(status: 4).status.status == .noResult)
    }

    @Test("an innings that is declared with penalty runs alone is forfeited")
    func penaltiesWithoutBalls() throws {
        let awarded = #","result":2,"extra_runs":{"penalty":5},"equations":{"runs":5,"wickets":0,"overs":"0"}"#
        let innings = try Self.innings([Self.card(1, 1), Self.card(2, 2, awarded), Self.card(3, 1)])
        #expect(innings[1].isForfeited && innings[1].reported == nil && innings[1].penaltyBefore == 5)
    }

    @Test("target, overs and penalty runs are in the card")
    func target() throws {
        let more = #","target":"121","max_over":"8.4","extra_runs":{"penalty":"5"}"#
        let innings = try Self.innings([Self.card(1, 1), Self.card(2, 2, more)], format: "T20")
        #expect(innings[1].target == Target(runs: 121, balls: 52))
        #expect(innings[1].penaltyBefore == 5 && innings[0].target == nil)
    }

    @Test(
        "an innings that cannot be read is an error that names it",
        arguments: [
            (card(99, 1), "reply balls.99"),
            (card(1, 3), "match:response.innings[0].batting_team_id"),
            (#""number":1"#, "card:response.innings[0].batting_team_id"),
            (#""number":1,"batting_team_id":"x""#, "card:response.innings[0].batting_team_id"),
            (card(1, 1, #","batsmen":[{}]"#), "card:response.innings[0].batsmen[0].batsman_id"),
        ]
    )
    func errors(card: String, path: String) {
        let error = #expect(throws: AdapterError.self) {
            try Sample.snapshot(card: card)
        }
        #expect(error?.path == path)
    }
}
