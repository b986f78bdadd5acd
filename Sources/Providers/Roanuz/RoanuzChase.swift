// Whether the totals are level decides between a break, a super over and a tie.

internal import MatchEngine
internal import ScoreTypes

/// The second innings of a limited match, by the provider's totals.
struct RoanuzChase: Sendable {
    /// Whether the totals are level: the side has as many runs as the other, or one less than its target.
    let isLevel: Bool
    /// Whether the innings is over: it is marked complete, its overs are bowled, or ten wickets fell.
    let isComplete: Bool

    /// Reads the totals; nil for a match without a limit, and before the second innings.
    init?(_ match: RoanuzMatch, _ order: [String], _ info: MatchInfo) {
        let ordinary = order.prefix { RoanuzInningsKey($0)?.isSuperOver == false }
        guard info.format.isLimitedOvers, ordinary.count == 2, let totals = match.play?.innings,
            let first = totals[order[0]]?.score?.runs, let second = totals[order[1]], let runs = second.score?.runs
        else { return nil }
        let target = match.play?.target
        let level = target?.runs.flatMap { $0 > 0 ? $0 - 1 : nil }
        isLevel = runs == level ?? first
        let limit = target?.balls.flatMap { $0 > 0 ? $0 : nil } ?? info.ballLimit
        let isBowled = limit.map { second.score?.balls ?? 0 >= $0 } ?? false
        isComplete = second.isCompleted?.value == true || isBowled || second.wickets ?? 0 >= RuleSet.lastWicket
    }

    /// Whether a super over may follow.
    var isTied: Bool { isLevel && isComplete }
}
