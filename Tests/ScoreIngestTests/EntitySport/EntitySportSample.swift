// Builds small replies in the provider's format, so that a test states its subject in one line.

import MatchEngine
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A match of Reds (1) and Blues (2) over twenty overs; Reds bat first with players 11, 12 and 13 against bowler 21.
enum EntitySportSample {
    /// A row of the batting card.
    static func row(_ id: Int, _ runs: Int, _ balls: Int, out: String = "Not out", position: String = "") -> String {
        let dismissal = out == "Not out" ? "" : "bowled"
        return #"""
            {"batsman_id":"\#(id)","batting":"\#(!position.isEmpty)","position":"\#(position)","runs":"\#(runs)",
            "balls_faced":"\#(balls)","how_out":"\#(out)","dismissal":"\#(dismissal)"}
            """#
    }

    /// A ball as recorded commentaries have it.
    static func ball(_ label: Int, batter: Int, score: String = "0", out: Bool = false) -> String {
        let wicket = out ? #","wicket_batsman_id":"\#(batter)","how_out":"b Ex""# : ""
        return #"""
            {"event":"\#(out ? "wicket" : "ball")","batsman_id":\#(batter),"bowler_id":21,"over":"0",
            "ball":"\#(label)","score":\#(score)\#(wicket)}
            """#
    }

    /// The members of the first innings.
    static func innings(_ score: String, _ rows: [String], status: Int = 3) -> String {
        #"""
        "number":1,"status":\#(status),"result":0,"batting_team_id":1,"scores_full":"\#(score)",
        "batsmen":[\#(rows.joined(separator: ","))]
        """#
    }

    /// The snapshot of a card and balls; `more` begins with a comma and adds fields of the
    /// match.
    static func snapshot(
        status: Int = 3,
        state: Int = 3,
        card: String = innings("0/0 (0 ov)", []),
        commentaryInnings: String? = nil,
        balls: [String] = [],
        format: String = #""format_str":"T20""#,
        more: String = ""
    ) throws -> MatchSnapshot {
        func reply(_ content: String) -> [UInt8] {
            Array(#"{"status":"ok","response":{\#(content)},"modified":"2026-10-09 13:01:52"}"#.utf8)
        }
        let match = #"""
            "match_id":7,\#(format),"status":\#(status),"game_state":\#(state),
            "teama":{"team_id":1,"name":"Reds","short_name":"RED"},
            "teamb":{"team_id":2,"name":"Blues","short_name":"BLU"},"innings":[{\#(card)}]\#(more)
            """#
        let commentary = #""inning":{\#(commentaryInnings ?? card)},"commentaries":[\#(balls.joined(separator: ","))]"#
        let replies = ProviderReplies([
            EntitySportAdapter.card: reply(match), EntitySportAdapter.balls(1): reply(commentary),
        ])
        return try EntitySportAdapter().snapshot(replies, ProviderSession())
    }
}
