// Each `play_status` of Roanuz has a `MatchStatus`.

internal import MatchEngine
internal import ScoreTypes

/// Reads `play_status`.
enum RoanuzStatus {
    private static let words: [String: MatchStatus] = [
        "scheduled": .scheduled, "pre_match": .scheduled, "in_play": .live, "toss_delayed": .tossDelayed,
        "start_delayed": .startDelayed, "start_delay": .startDelayed,
        "drinks_break": .drinks, "lunch_break": .lunch, "tea_break": .tea, "dinner_break": .dinner,
        "innings_break": .inningsBreak, "strategic_timeout": .strategicTimeout, "stumps": .stumps,
        "rest_day": .restDay, "review": .review, "rain_delay": .rain, "bad_light": .badLight,
        "wet_outfield": .wetOutfield, "crowd_trouble": .crowd, "bad_pitch_condition": .pitch,
        "floodlight_failure": .floodlight, "play_suspended_unknown": .suspended, "ball_change": .ballChange,
        "player_injured": .injury, "super_over": .superOver, "super_over_break": .superOverBreak,
        "result": .result, "abandoned": .abandoned, "canceled": .cancelled, "cancelled": .cancelled,
        "postponed": .postponed,
    ]

    /// The status of a value alone; nil for an unknown one.
    static func word(_ word: String?) -> MatchStatus? { word.flatMap { words[$0] } }

    /// The status of a listed match: most entries have only whether it has begun or is over.
    static func listed(_ match: RoanuzMatch) -> MatchStatus? {
        if let word = word(match.playStatus) { return word }
        switch match.status {
        case "not_started": return .scheduled
        case "started": return .live
        case "completed": return .result
        default: return nil
        }
    }

    /// The status of a match; with an unknown value, which is shown, it follows from balls and result.
    static func report(
        of match: RoanuzMatch,
        innings: [InningsInfo],
        balls: [Delivery],
        result: ProviderResult?,
        chase: RoanuzChase?
    ) -> StatusReport {
        let begun = Set(balls.map(\.innings) + innings.filter { $0.reported?.isBegun == true }.map(\.ordinal))
        let last = innings.last { begun.contains($0.ordinal) }
        let day = match.play?.dayNumber.flatMap { (1...9).contains($0) ? $0 : nil }
        let reported = match.play?.live?.session?.value ?? match.play?.session
        let session = reported?.whole.flatMap { (1...4).contains($0) ? $0 : nil }
        func report(_ status: MatchStatus, note: String? = nil, isUnknown: Bool = false) -> StatusReport {
            StatusReport(status: status, note: note, day: day, session: session, isUnknown: isUnknown)
        }
        guard let text = match.playStatus, let word = word(text) else {
            let note = match.playStatus.map(SafeText.clean)
            let isUnknown = match.playStatus != nil
            if let result { return report(MatchStatus(ended: result), note: note, isUnknown: isUnknown) }
            let implied = last.map { $0.superOver == nil ? MatchStatus.live : .superOver } ?? .scheduled
            return report(implied, note: note, isUnknown: isUnknown)
        }
        switch word {
        case .scheduled: return report(before(match))
        case .live: return report(innings.last?.superOver == nil ? .live : .superOver)
        // The value is stale for some balls of the next innings, so the number of innings does not decide.
        case .inningsBreak: return report(chase?.isTied == true ? .superOverBreak : .inningsBreak)
        case .abandoned: return report(begun.isEmpty ? .abandonedNoBall : .abandoned)
        case .result: return report(MatchStatus(ended: result))
        default: return report(word)
        }
    }

    /// Before the match there is one value; the toss and the teams decide.
    private static func before(_ match: RoanuzMatch) -> MatchStatus {
        if match.toss?.winner != nil { return .toss }
        let hasSides = Side.allCases.allSatisfy { match.squad?[$0].playingXi?.isEmpty == false }
        return match.playStatus == "pre_match" && hasSides ? .lineups : .scheduled
    }
}
