// Roanuz' names of states, formats, dismissals and results.

import MatchEngine

extension MatchStatus {
    /// The provider's word.
    var roanuzWord: String {
        switch self {
        case .scheduled: "scheduled"
        case .lineups, .toss: "pre_match"
        case .tossDelayed: "toss_delayed"
        case .startDelayed: "start_delayed"
        case .live, .resultPending: "in_play"
        case .drinks: "drinks_break"
        case .inningsBreak: "innings_break"
        case .lunch: "lunch_break"
        case .tea: "tea_break"
        case .dinner: "dinner_break"
        case .stumps: "stumps"
        case .restDay: "rest_day"
        case .strategicTimeout: "strategic_timeout"
        case .review: "review"
        case .rain: "rain_delay"
        case .badLight: "bad_light"
        case .wetOutfield: "wet_outfield"
        case .floodlight: "floodlight_failure"
        case .crowd: "crowd_trouble"
        case .pitch: "bad_pitch_condition"
        case .injury: "player_injured"
        case .ballChange: "ball_change"
        case .suspended: "play_suspended_unknown"
        case .superOverBreak: "super_over_break"
        case .superOver: "super_over"
        case .result, .tied, .drawn, .noResult, .awarded: "result"
        case .abandoned, .abandonedNoBall: "abandoned"
        case .postponed: "postponed"
        case .cancelled: "canceled"
        }
    }
}

extension Format {
    /// The provider's word, which is one for internationals and leagues.
    var roanuzWord: String {
        switch self {
        case .test: "test"
        case .firstClass: "first_class"
        case .odi, .listA: "oneday"
        case .t20i, .t20: "t20"
        case .t10: "t10"
        case .hundred: "100-ball"
        }
    }
}

extension DismissalKind {
    /// The provider's name; one for all retirements: another field says whether a wicket fell.
    var roanuzWord: String {
        switch self {
        case .bowled: "bowled"
        case .lbw: "lbw"
        case .caught, .caughtAndBowled: "caught"
        case .stumped: "stumped"
        case .hitWicket: "hit_wicket"
        case .runOut, .other: "run_out"
        case .obstructingTheField: "obstructing_the_field"
        case .hitTheBallTwice: "hit_ball_twice"
        case .timedOut: "timed_out"
        case .handledTheBall: "handled_the_ball"
        case .retiredOut, .retiredHurt, .retiredNotOut: "retired"
        }
    }
}

extension ProviderResult {
    /// The provider's word; where overs are limited, scores that stay level are called a draw.
    func roanuzWord(in format: Format) -> String {
        switch kind {
        case .runs: "runs"
        case .wickets: "wickets"
        case .innings: "innings"
        case .fewerWickets, .won: "won"
        case .awarded: "awarded"
        case .tie where tieBreakWinner != nil: "tie_breaker"
        case .tie: format.isLimitedOvers ? "draw" : "tie"
        case .draw: "draw"
        case .noResult: "no_result"
        }
    }
}

extension Side {
    /// `a` or `b`.
    var roanuzLetter: String { self == .first ? "a" : "b" }
}
