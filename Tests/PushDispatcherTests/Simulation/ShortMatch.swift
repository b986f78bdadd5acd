// A match of a few overs, so that a simulated day has time to poll it from its first ball to its result.

import Providers
import ScoreTypes

/// A finished match between Reds and Blues, drawn ball by ball.
struct ShortMatch {
    private static let sides = ["Reds", "Blues"]
    private static let (playersOfSide, ballsOfOver) = (11, 6)

    /// The document as a feed has it after the match.
    let document: CricsheetDocument

    /// Draws a match of two to five overs a side.
    init(using chance: inout SplitMix64) throws {
        let overs = Int.random(in: 2...5, using: &chance)
        var innings: [Innings] = []
        for side in 0...1 {
            innings.append(Self.innings(side, overs, target: innings.first.map { $0.runs + 1 }, using: &chance))
        }
        document = try CricsheetDocument(json: Array(Self.text(innings, overs: overs).utf8))
    }

    private struct Innings {
        var (runs, wickets) = (0, 0)
        var overs: [[String]] = []
    }

    private static func player(_ side: Int, _ number: Int) -> String {
        "\(Array("ABCDEFGHIJK")[number]) \(sides[side])"
    }

    private enum Ball {
        case runs(Int), wide, wicket

        init(using chance: inout SplitMix64) {
            switch Int.random(in: 0...19, using: &chance) {
            case 0...4: self = .runs(0)
            case 5...12: self = .runs(1)
            case 13...15: self = .runs(2)
            case 16: self = .runs(6)
            case 17: self = .wide
            case 18: self = .wicket
            default: self = .runs(4)
            }
        }

        /// Runs for the side.
        var runs: Int {
            switch self {
            case .runs(let runs): runs
            case .wide: 1
            case .wicket: 0
            }
        }

        func json(_ striker: String, _ other: String, bowler: String) -> String {
            let (extras, more) =
                switch self {
                case .runs: (0, "")
                case .wide: (1, ",\"extras\":{\"wides\":1}")
                case .wicket: (0, ",\"wickets\":[{\"kind\":\"bowled\",\"player_out\":\"\(striker)\"}]")
                }
            return """
                {"batter":"\(striker)","non_striker":"\(other)","bowler":"\(bowler)",\
                "runs":{"batter":\(runs - extras),"extras":\(extras),"total":\(runs)}\(more)}
                """
        }
    }

    private static func innings(_ side: Int, _ overs: Int, target: Int?, using chance: inout SplitMix64) -> Innings {
        var innings = Innings()
        var (striker, other, next) = (0, 1, 2)
        for over in 0..<overs {
            innings.overs.append([])
            let bowler = player(1 - side, playersOfSide - 1 - over)
            var balls = 0
            while balls < ballsOfOver {
                let ball = Ball(using: &chance)
                innings.overs[over].append(ball.json(player(side, striker), player(side, other), bowler: bowler))
                innings.runs += ball.runs
                if let target, innings.runs >= target { return innings }
                if case .wide = ball { continue }
                balls += 1
                if case .wicket = ball {
                    innings.wickets += 1
                    guard next < playersOfSide else { return innings }
                    (striker, next) = (next, next + 1)
                } else if ball.runs == 1 {
                    swap(&striker, &other)
                }
            }
            swap(&striker, &other)
        }
        return innings
    }

    private static func text(_ innings: [Innings], overs: Int) -> String {
        let (first, second) = (innings[0].runs, innings[1].runs)
        let target = ",\"target\":{\"overs\":\(overs),\"runs\":\(first + 1)}"
        let outcome =
            if first == second {
                "{\"result\":\"tie\"}"
            } else if second > first {
                "{\"winner\":\"\(sides[1])\",\"by\":{\"wickets\":\(playersOfSide - 1 - innings[1].wickets)}}"
            } else {
                "{\"winner\":\"\(sides[0])\",\"by\":{\"runs\":\(first - second)}}"
            }
        let players = (0...1).map { side in
            let names = (0..<playersOfSide).map { "\"\(player(side, $0))\"" }
            return "\"\(sides[side])\":[\(names.joined(separator: ","))]"
        }
        let played = (0...1).map { side in
            let overs = innings[side].overs.enumerated().map {
                "{\"over\":\($0),\"deliveries\":[\($1.joined(separator: ","))]}"
            }
            let more = side == 1 ? target : ""
            return "{\"team\":\"\(sides[side])\",\"overs\":[\(overs.joined(separator: ","))]\(more)}"
        }
        return """
            {"meta":{"data_version":"1.1.0","created":"2026-01-01","revision":1},
            "info":{"balls_per_over":\(ballsOfOver),"dates":["2026-05-01"],"event":{"name":"Shire Cup"},
            "gender":"female","match_type":"T20","overs":\(overs),"team_type":"club",
            "players":{\(players.joined(separator: ","))},"toss":{"decision":"bat","winner":"\(sides[0])"},
            "season":"2026","teams":["\(sides[0])","\(sides[1])"],"venue":"Mill Lane","outcome":\(outcome)},
            "innings":[\(played.joined(separator: ","))]}
            """
    }
}
