// Builds small matches and pages in the provider's format.

import MatchEngine
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A match of two sides, Reds (a) and Blues (b).
enum RoanuzSample {
    /// A row of balls of the first innings unless the key has another.
    static func ball(
        _ key: RoanuzBallKey,
        _ label: (Int, Int),
        type: String = "normal",
        bat: Int = 0,
        charged: Int = 0,
        extras: Int = 0,
        count: Int = 1,
        more: String = ""
    ) -> String {
        let innings = key.innings == 2 ? "b_1" : "a_1"
        return #"""
            {"key":"\#(key.number)","ball_type":"\#(type)","innings":"\#(innings)","overs":[\#(label.0),\#(label.1)],
            "batsman":{"player_key":"p1","ball_count":\#(count),"runs":\#(bat),"is_four":\#(bat == 4),"is_six":false},
            "bowler":{"player_key":"q1","ball_count":\#(count),"extras":\#(charged)},
            "team_score":{"runs":\#(bat + extras),"extras":\#(extras),"ball_count":\#(count)},
            "non_striker_key":"p2","entry_time":1698396721.288,"updated_time":1698396722.5,
            "ball_play_status":"played"\#(more)}
            """#
    }

    /// A plain ball of the first innings.
    static func plain(_ over: Int, _ ball: Int, bat: Int = 0, innings: Int = 1) -> String {
        Self.ball(RoanuzBallKey(innings: innings, over: over, ball: ball, again: 0), (over, ball), bat: bat)
    }

    /// A page of one over.
    ///
    /// The sample match has the time 1698396795.5.
    static func page(
        _ innings: String,
        _ over: Int,
        _ balls: [String],
        before: String? = nil,
        next: String? = nil,
        madeAt: Double? = nil,
        expires: Double? = nil
    ) -> [UInt8] {
        func text(_ key: String?) -> String { key.map { "\"\($0)\"" } ?? "null" }
        let cache =
            madeAt.map { #","cache":{"expires":\#($0 + 5),"max_age":5}"# }
            ?? expires.map { #","cache":{"expires":\#($0),"max_age":null}"# } ?? ""
        return Array(
            #"""
            {"data":{"over":{"index":{"innings":"\#(innings)","over_number":\#(over)},
            "balls":[\#(balls.joined(separator: ","))]},"previous_over_key":\#(text(before)),
            "next_over_key":\#(text(next))},"error":null\#(cache)}
            """#.utf8
        )
    }

    /// The totals of an innings.
    static func innings(_ overs: (Int, Int), runs: Int = 0, balls: Int? = nil, extras: String = "") -> String {
        let balls = balls ?? overs.0 * 6 + overs.1
        return #"{"overs":[\#(overs.0),\#(overs.1)],"score":{"runs":\#(runs),"balls":\#(balls)}\#(extras)}"#
    }

    /// The batting of p1 in the first innings by the card.
    static func card(runs: Int, balls: Int, isOut: Bool = false) -> String {
        let dismissal = isOut ? #"{"msg":"b Ex"}"# : "null"
        return #","score":{"1":{"batting":{"score":{"runs":\#(runs),"balls":\#(balls)},"dismissal":\#(dismissal)}}}"#
    }

    /// A match with its play; `more` is beside the play, `play` inside it, `card` beside p1's name.
    static func match(
        status: String = "in_play",
        format: String = "t20",
        order: [String] = ["a_1"],
        innings: [String: String] = [:],
        play: String = "",
        more: String = "",
        card: String = "",
        cache: String = #"{"expires":1698396800.5,"max_age":5}"#
    ) -> [UInt8] {
        let keys = order.map { "\"\($0)\"" }.joined(separator: ",")
        let totals = innings.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return Array(
            #"""
            {"data":{"key":"m1","name":"Reds vs Blues","play_status":"\#(status)","format":"\#(format)",
            "start_at":1698396700.0,"gender":"male","teams":{"a":{"key":"reds","code":"RED","name":"Reds"},
            "b":{"key":"blues","code":"BLU","name":"Blues"}},"players":{"p1":{"player":{"name":"Ann One"}\#(card)},
            "p2":{"player":{"name":"Bea Two"}},"q1":{"player":{"name":"Xan Ex"}},"q9":{"player":{"name":"Yve Sub"}}},
            "squad":{"a":{"player_keys":["p1","p2"],"playing_xi":["p1","p2"],"keeper":"p2"},
            "b":{"player_keys":["q1","q9"],"playing_xi":["q1"],"keeper":null}},
            "play":{"innings_order":[\#(keys)],"innings":{\#(totals)}\#(play)}\#(more)},
            "cache":\#(cache),"error":null,"sport":"cricket",
            "schema":{"major_version":"5.0","minor_version":"2"},"data_kind":"match"}
            """#.utf8
        )
    }

    /// A match of one over so far.
    static func snapshot(
        _ balls: [String],
        totals: String = RoanuzSample.innings((0, 1)),
        status: String = "in_play",
        play: String = "",
        more: String = ""
    ) throws -> MatchSnapshot {
        let match = match(status: status, innings: ["a_1": totals], play: play, more: more)
        return try RoanuzAdapter().snapshot(
            ProviderReplies([.match: match, .balls: page("a_1", 0, balls)]),
            ProviderSession()
        )
    }
}

extension RoanuzBallKey {
    /// The key of a ball; over from 0, ball from 1, repeat from 0.
    init(innings: Int, over: Int, ball: Int, again: Int) {
        let number = innings << 19 + over << 9 + ball << 6 + again
        guard let key = RoanuzBallKey(String(number)) else { preconditionFailure("\(number) is no key") }
        self = key
    }

    /// The occurrence of the label, from 0.
    var again: Int { Int(number & 0x3f) }
}
