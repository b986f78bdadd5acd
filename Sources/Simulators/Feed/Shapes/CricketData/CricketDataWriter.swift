// One match as CricketData writes it, alone or in a list.

import MatchEngine
import ScoreTypes

/// Writes a match.
struct CricketDataWriter {
    let match: ShownMatch
    let score: ShownScore

    /// Writes the members.
    func write(to json: inout JSONWriter) {
        let info = score.snapshot.info
        json.field("id", match.id.text)
        json.field("name", "\(score.team(.first)) vs \(score.team(.second))")
        json.field("matchType", Self.word(info.format))
        json.field("status", sentence)
        json.field("venue", info.venue ?? "")
        let start = ShapeTime.iso(match.startsAt)
        json.field("date", String(start.prefix(10)))
        json.field("dateTimeGMT", String(start.prefix(19)))
        json.strings("teams", Side.allCases.map(score.team))
        json.objects("teamInfo", Side.allCases) { side, json in
            json.field("name", score.team(side))
            json.field("shortname", score.state.abbreviations[side])
        }
        json.objects("score", score.state.innings.filter(\.hasBegun), write)
        if let toss = info.toss {
            json.field("tossWinner", score.team(toss.winner))
            json.field("tossChoice", toss.decision == .bat ? "bat" : "bowl")
        }
        if match.status.isFinal, let winner = score.state.result?.winner {
            json.field("matchWinner", score.team(winner))
        }
        json.field("bbbEnabled", false)
        json.field("matchStarted", !match.status.isBeforeStart)
        json.field("matchEnded", match.status.isFinal)
    }

    private func write(_ card: InningsState, _ json: inout JSONWriter) {
        let team = score.team(card.info.batting)
        let number = score.state.innings.filter { $0.info.batting == card.info.batting }.prefix {
            $0.info.ordinal <= card.info.ordinal
        }.count
        json.field("r", card.runs)
        json.field("w", card.wickets)
        json.key("o")
        // The part behind the point counts balls.
        json.raw(Array(card.overs.text.utf8))
        json.field("inning", "\(team) Inning \(number)")
    }

    /// The status as a sentence of the provider.
    private var sentence: String {
        if match.status.isFinal { return score.resultSentence ?? "Match ended" }
        switch match.status {
        case .scheduled, .lineups: return "Match not started"
        case .toss: return "Toss done"
        case .tossDelayed, .startDelayed: return "Match delayed"
        case .inningsBreak, .superOverBreak: return "Innings Break"
        case .stumps: return "Stumps"
        case .lunch: return "Lunch"
        case .tea: return "Tea Break"
        case .dinner: return "Dinner"
        case .drinks: return "Drinks"
        case .rain: return "Match delayed by rain"
        case .badLight: return "Bad light stops play"
        case .wetOutfield: return "Wet outfield"
        case .superOver: return "Super Over in progress"
        default: return "In progress"
        }
    }

    private static func word(_ format: Format) -> String {
        switch format {
        case .test: "test"
        case .firstClass: "first-class"
        case .odi: "odi"
        case .listA: "list-a"
        case .t20i, .t20: "t20"
        case .t10: "t10"
        case .hundred: "hundred"
        }
    }
}
