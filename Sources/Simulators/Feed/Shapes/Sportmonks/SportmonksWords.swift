// Sportmonks' names and numbers of states, results and revised targets.

import MatchEngine

/// Finds the provider's words for what is shown.
enum SportmonksWords {
    /// The status word; what the provider has no word for keeps the word of the innings.
    static func status(of score: ShownScore) -> String {
        switch score.snapshot.status.status {
        case .scheduled, .lineups, .toss: "NS"
        case .tossDelayed, .startDelayed: "Delayed"
        case .inningsBreak, .superOverBreak: "Innings Break"
        case .lunch: "Lunch"
        case .tea: "Tea Break"
        case .dinner: "Dinner"
        case .stumps, .restDay: "Stump Day \(score.day)"
        case .rain, .badLight, .wetOutfield, .floodlight, .crowd, .pitch, .suspended: "Int."
        case .live, .review, .ballChange, .injury, .drinks, .strategicTimeout, .superOver, .resultPending:
            innings(number(of: score.snapshot.innings.last?.ordinal ?? 1, score.snapshot.info.format))
        case .result, .tied, .drawn, .noResult, .awarded: "Finished"
        case .abandoned, .abandonedNoBall: "Aban."
        case .postponed: "Postp."
        case .cancelled: "Cancl."
        }
    }

    private static func innings(_ number: Int) -> String {
        let ending = [1: "st", 2: "nd", 3: "rd"][number] ?? "th"
        return "\(number)\(ending) Innings"
    }

    /// The number of a scoreboard: super overs stand above the fourth.
    static func number(of ordinal: Int, _ format: Format) -> Int {
        format.isLimitedOvers && ordinal > 2 ? ordinal + 2 : ordinal
    }

    /// The sentence of a result; elsewhere an award has its name alone.
    static func result(of score: ShownScore) -> String? {
        guard score.snapshot.result != nil || score.snapshot.status.status == .noResult else { return nil }
        return score.resultSentence
    }

    /// The target of the side that bats last, when it is not simply one more than the other side's total.
    static func revisedTarget(of score: ShownScore) -> Target? {
        let chasing = score.snapshot.info.format.inningsPerMatch
        guard let given = score.snapshot.innings.first(where: { $0.ordinal == chasing })?.target else { return nil }
        let first = score.card(1)?.runs ?? 0
        let isPlain = given.runs == first + 1 && given.balls.map { $0 == score.snapshot.info.ballLimit } ?? true
        return isPlain && given.method == nil ? nil : given
    }

    /// Whether an innings may last as long as matches of its kind do.
    static func isUsualLimit(_ info: MatchInfo) -> Bool {
        info.format.ballLimit.map { $0 == info.ballLimit } ?? true
    }
}

extension MatchStatus {
    /// Whether the provider counts the match among those in play.
    var isInPlay: Bool { !isBeforeStart && !isFinal }
}
