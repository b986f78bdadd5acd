// Matches written by the tests, in Cricsheet's format.

public import MatchEngine
import Providers

/// Builds documents of a match between Reds and Blues.
public enum CricsheetSample {
    /// One ball as JSON.
    public static func ball(
        _ runs: Int = 0,
        batter: String = "A One",
        nonStriker: String = "B Two",
        bowler: String = "X Ten",
        extras: [String: Int] = [:],
        more: String = ""
    ) -> String {
        let sum = extras.values.reduce(0, +)
        let parts = extras.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return """
            {"batter":"\(batter)","non_striker":"\(nonStriker)","bowler":"\(bowler)",\
            "runs":{"batter":\(runs),"extras":\(sum),"total":\(runs + sum)}\
            \(extras.isEmpty ? "" : ",\"extras\":{\(parts)}")\(more)}
            """
    }

    /// An innings as JSON from the balls of its overs.
    public static func innings(_ team: String = "Reds", overs: [[String]] = [], more: String = "") -> String {
        let list = overs.enumerated().map { "{\"over\":\($0),\"deliveries\":[\($1.joined(separator: ","))]}" }
        return "{\"team\":\"\(team)\",\"overs\":[\(list.joined(separator: ","))]\(more)}"
    }

    /// A document as bytes.
    public static func document(
        type: String = "T20",
        teamType: String = "club",
        ballsPerOver: Int = 6,
        overs: String = "20",
        event: String = "Shire Cup",
        info: String = "",
        innings: [String] = [],
        live: String? = nil
    ) -> [UInt8] {
        let text = """
            {"meta":{"data_version":"1.1.0","created":"2026-01-01","revision":1},
            "info":{"balls_per_over":\(ballsPerOver),"dates":["2026-05-01"],"event":{"name":"\(event)"},
            "gender":"female","match_type":"\(type)","overs":\(overs),"team_type":"\(teamType)",
            "players":{"Reds":["A One","B Two"],"Blues":["X Ten"]},
            "registry":{"people":{"A One":"aaaa1111","X Ten":"cccc3333"}},
            "season":"2026","teams":["Reds","Blues"],"venue":"Mill Lane"\(info)},
            "innings":[\(innings.joined(separator: ","))]\(live.map { ",\"live\":\($0)" } ?? "")}
            """
        return Array(text.utf8)
    }

    /// The adapter's view of a document in play with one innings.
    public static func snapshot(overs: [[String]], live: String = #"{"state":"live"}"#) throws -> MatchSnapshot {
        try CricsheetAdapter().snapshot(document(innings: [innings(overs: overs)], live: live))
    }
}
