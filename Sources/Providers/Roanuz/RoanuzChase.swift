// Whether both sides have made the same decides between a break, a super over and a tie; the totals tell.

internal import MatchEngine

/// The second innings of a match of limited overs, by the totals that the provider has of it.
struct RoanuzChase: Sendable {
    /// Whether the side has made what the other one did, or one less than its target.
    let isLevel: Bool
    /// Whether it bats no more: it is called complete, its overs are bowled, or ten are out.
    let isComplete: Bool

    /// Reads the totals; nil for a match without a limit, or before there is a second innings.
    init?(_ match: RoanuzMatch, _ order: [String], _ info: MatchInfo) {
        let ordinary = order.prefix { RoanuzInningsKey($0)?.isSuperOver == false }
        guard info.format.isLimitedOvers, ordinary.count == 2, let totals = match.play?.innings,
            let first = totals[order[0]]?.score?.runs, let second = totals[order[1]], let runs = second.score?.runs
        else { return nil }
        let target = match.play?.target
        let asked = target?.runs.flatMap { $0 > 0 ? $0 - 1 : nil }
        isLevel = runs == asked ?? first
        let limit = target?.balls.flatMap { $0 > 0 ? $0 : nil } ?? info.ballLimit
        let isBowled = limit.map { second.score?.balls ?? 0 >= $0 } ?? false
        isComplete = second.isCompleted?.value == true || isBowled || second.wickets ?? 0 >= RuleSet.lastWicket
    }

    /// Whether a super over may follow.
    var isTied: Bool { isLevel && isComplete }
}
