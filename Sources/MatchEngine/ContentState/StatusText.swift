// Texts for a status, long for a sentence and short for the Dynamic Island (cricket.md C.17).

/// How a status is displayed.
struct StatusText {
    /// At the start of a line: `Tea`, `Bad light`.
    let head: String
    /// In the narrowest presentation, at most ten characters.
    let short: String

    init(_ status: MatchStatus) {
        (head, short) =
            switch status {
            case .scheduled: ("Upcoming", "Upcoming")
            case .lineups: ("Teams are in", "Teams")
            case .toss: ("Toss", "Toss")
            case .tossDelayed: ("Toss delayed", "Delayed")
            case .startDelayed: ("Start delayed", "Delayed")
            case .live: ("Live", "Live")
            case .drinks: ("Drinks", "Drinks")
            case .inningsBreak: ("Innings break", "Break")
            case .lunch: ("Lunch", "Lunch")
            case .tea: ("Tea", "Tea")
            case .dinner: ("Dinner", "Dinner")
            case .stumps: ("Stumps", "Stumps")
            case .restDay: ("Rest day", "Rest day")
            case .strategicTimeout: ("Strategic timeout", "Timeout")
            case .review: ("Review", "Review")
            case .rain: ("Rain", "Rain")
            case .badLight: ("Bad light", "Bad light")
            case .wetOutfield: ("Wet outfield", "Wet")
            case .floodlight: ("Floodlight failure", "Lights")
            case .crowd: ("Crowd trouble", "Stopped")
            case .pitch: ("Pitch unfit", "Stopped")
            case .injury: ("Injury", "Injury")
            case .ballChange: ("Ball change", "Break")
            case .suspended: ("Play suspended", "Stopped")
            case .superOverBreak: ("Super over next", "Super over")
            case .superOver: ("Super over", "Super over")
            case .resultPending: ("Result awaited", "Awaited")
            case .result: ("Result", "Result")
            case .tied: ("Match tied", "tied")
            case .drawn: ("Match drawn", "drawn")
            case .noResult: ("No result", "no result")
            case .abandoned, .abandonedNoBall: ("Abandoned", "abandoned")
            case .postponed: ("Postponed", "postponed")
            case .cancelled: ("Cancelled", "cancelled")
            case .awarded: ("Awarded", "awarded")
            }
    }

    /// Within a sentence: `tea`, `bad light`.
    var inSentence: String { head.prefix(1).lowercased() + head.dropFirst() }
}
