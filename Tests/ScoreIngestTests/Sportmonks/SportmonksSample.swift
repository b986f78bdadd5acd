// Builds small fixtures in the provider's format, so that a test states its subject in one line.

import Foundation
import MatchEngine
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// Fixtures of two sides, Reds (1) and Blues (2); Reds bat first with players 11 and 12 against bowler 21.
enum SportmonksSample {
    /// A row of balls; most tests set only the id of the score.
    static func ball(
        _ id: Int,
        label: Double = 0.1,
        scoreboard: String = "S1",
        score: Int = 82,
        batter: Int = 11,
        more: String = ""
    ) -> String {
        let team = scoreboard == "S2" || scoreboard == "S6" ? 2 : 1
        return #"""
            {"id":\#(id),"team_id":\#(team),"ball":\#(label),"scoreboard":"\#(scoreboard)",
            "batsman_one_on_creeze_id":11,"batsman_two_on_creeze_id":12,"batsman_id":\#(batter),
            "bowler_id":21,"score_id":\#(score),"updated_at":"2026-10-09T13:01:52.000000Z"\#(more)}
            """#
    }

    /// The eleven and a substitute, as far as tests need them.
    static let lineup = [
        #"{"id":11,"fullname":"Ann One","lineup":{"team_id":1,"substitution":false}}"#,
        #"{"id":12,"firstname":"Bea","lastname":"Two","lineup":{"team_id":1,"substitution":false}}"#,
        #"{"id":21,"fullname":"Xan Ex","lineup":{"team_id":2,"substitution":false}}"#,
        #"{"id":29,"fullname":"Yve Sub","lineup":{"team_id":2,"substitution":true}}"#,
    ]

    /// The squad of a team in the form of `/teams/{id}/squad/{season}`.
    static func squad(_ team: Int, _ players: [(id: Int, name: String)]) -> [UInt8] {
        let rows = players.map { #"{"resource":"players","id":\#($0.id),"fullname":"\#($0.name)"}"# }
        return Array(#"{"data":{"id":\#(team),"name":"x","squad":[\#(rows.joined(separator: ","))]}}"#.utf8)
    }

    /// A fixture; `more` begins with a comma and may repeat no field.
    static func fixture(
        type: String = "T20",
        status: String = "1st Innings",
        balls: [String] = [],
        runs: String = #"{"team_id":1,"inning":1,"score":0,"wickets":0,"overs":0}"#,
        lineup: [String] = SportmonksSample.lineup,
        more: String = ""
    ) -> [UInt8] {
        Array(
            #"""
            {"data":{"id":7,"localteam_id":1,"visitorteam_id":2,"starting_at":"2026-10-09T13:00:00.000000Z",
            "type":"\#(type)","status":"\#(status)","localteam":{"id":1,"name":"Reds","code":"RED"},
            "visitorteam":{"data":{"id":2,"name":"Blues","code":null}},
            "lineup":[\#(lineup.joined(separator: ","))],
            "runs":[\#(runs)],"balls":{"data":[\#(balls.joined(separator: ","))]}\#(more)}}
            """#.utf8
        )
    }

    /// A row of the table of scores.
    static func score(_ id: Int, _ name: String, _ fields: String = "") -> String {
        let given = fields.isEmpty ? "" : "," + fields
        let usual = [
            ("runs", "0"), ("four", "false"), ("six", "false"), ("bye", "0"), ("leg_bye", "0"), ("noball", "0"),
            ("noball_runs", "0"), ("is_wicket", "false"), ("ball", "true"), ("out", "false"),
        ]
        let rest = usual.filter { !fields.contains("\"\($0.0)\"") }.map { #","\#($0.0)":\#($0.1)"# }.joined()
        return #"{"id":\#(id),"name":"\#(name)"\#(given)\#(rest)}"#
    }

    /// A session with a table.
    static func session(_ scores: [String] = []) throws -> ProviderSession {
        let table = ProviderReplies([.scores: Array(#"{"data":[\#(scores.joined(separator: ","))]}"#.utf8)])
        return try SportmonksAdapter().session(table, ProviderCredentials(key: Secret("t")), at: .init(milliseconds: 0))
    }

    /// The snapshot of a fixture.
    static func snapshot(_ body: [UInt8], scores: [String] = []) throws -> MatchSnapshot {
        try SportmonksAdapter().snapshot(ProviderReplies([.match: body]), session(scores))
    }

    /// The meaning of a row of the table.
    static func meaning(_ row: String) throws -> SportmonksMeaning? {
        SportmonksMeaning(try ReplyJSON.read(SportmonksScore.self, from: Array(row.utf8)))
    }
}
