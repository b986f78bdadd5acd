// The codes of EntitySport: numbers for the status, names and sentences for dismissals.

import MatchEngine

/// The provider's vocabulary.
enum EntitySportWords {
    /// `status`, `game_state` and what the latter is called.
    static func state(_ status: MatchStatus) -> (status: Int, state: Int, text: String) {
        switch status {
        case .scheduled, .lineups: (1, 0, "Default")
        case .toss: (1, 2, "Toss")
        case .tossDelayed, .startDelayed: (1, 4, "Play Delayed")
        case .live, .superOver, .review, .injury, .ballChange: (3, 3, "Play Ongoing")
        case .drinks, .strategicTimeout: (3, 5, "Drinks Break")
        case .inningsBreak, .superOverBreak, .resultPending: (3, 6, "Innings Break")
        case .stumps, .restDay: (3, 7, "Day Break")
        case .lunch, .dinner: (3, 8, "Lunch Break")
        case .tea: (3, 9, "Tea Break")
        case .rain, .badLight, .wetOutfield, .floodlight, .crowd, .pitch, .suspended: (3, 4, "Play Delayed")
        case .result, .tied, .drawn, .awarded: (2, 0, "Default")
        case .noResult, .abandoned, .abandonedNoBall, .postponed, .cancelled: (4, 0, "Default")
        }
    }

    /// `status_str` of each `status`, from 1.
    static let statuses = ["Scheduled", "Completed", "Live", "Abandoned, canceled, no result"]

    /// `format` and `format_str`.
    static func format(_ format: Format) -> (number: Int, text: String) {
        switch format {
        case .odi: (1, "ODI")
        case .test: (2, "Test")
        case .t20i: (3, "T20I")
        case .listA: (4, "List A")
        case .firstClass: (5, "First Class")
        case .t20: (6, "T20")
        case .t10: (17, "T10")
        case .hundred: (18, "T100")
        }
    }

    /// The code of an innings' end; 0 for one that has none.
    static func result(_ card: InningsState) -> Int {
        if card.info.isDeclared || card.info.isForfeited { return 2 }
        switch card.end {
        case .allOut: return 1
        case .targetReached: return 3
        case .limitReached: return 4
        default: return 0
        }
    }

    /// `dismissal` and `how_out` of a row: `c X b Y`, `runout (X / Y)`.
    static func dismissal(_ dismissal: Dismissal, bowler: String) -> (code: String, howOut: String) {
        let names = dismissal.fielders.map(fielder)
        return switch dismissal.kind {
        case .bowled: ("bowled", "b \(bowler)")
        case .lbw: ("lbw", "lbw b \(bowler)")
        case .caught: ("caught", (names.first.map { "c \($0)" } ?? "caught") + " b \(bowler)")
        case .caughtAndBowled: ("caughtandbowled", "c & b \(bowler)")
        case .stumped: ("stumped", (names.first.map { "st \($0)" } ?? "stumped") + " b \(bowler)")
        case .hitWicket: ("hitwicket", "hit wicket b \(bowler)")
        case .runOut: ("runout", names.isEmpty ? "runout" : "runout (\(names.joined(separator: " / ")))")
        case .obstructingTheField: ("obstructingthefield", "obstructing the field")
        case .hitTheBallTwice: ("hit the ball twice", "hit the ball twice")
        case .timedOut: ("timedout", "timed out")
        case .handledTheBall: ("handled the ball", "handled the ball")
        case .retiredOut: ("retired out", "retired out")
        case .retiredHurt: ("retiredhurt", "retired hurt")
        case .retiredNotOut: ("retired not out", "retired not out")
        case .other: ("other", "out")
        }
    }

    private static func fielder(_ fielder: Fielder) -> String {
        guard fielder.isSubstitute else { return fielder.name ?? "sub" }
        return fielder.name.map { "sub (\($0))" } ?? "sub"
    }

    /// `1lb`, `4`, `w`.
    static func score(_ ball: Delivery) -> String {
        let runs = ball.runs
        if runs.noBalls > 0 { return "\(runs.noBalls + runs.bat + runs.byes + runs.legByes)nb" }
        if runs.wides > 0 { return "\(runs.wides + runs.bat)wd" }
        if runs.legByes > 0 { return "\(runs.legByes)lb" }
        if runs.byes > 0 { return "\(runs.byes)b" }
        let isOut = ball.dismissals.contains { $0.kind != .retiredHurt && $0.kind != .retiredNotOut }
        return isOut ? (runs.bat > 0 ? "\(runs.bat)w" : "w") : String(runs.bat)
    }
}
