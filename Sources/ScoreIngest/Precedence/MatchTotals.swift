// The reports of two feeds are compared where both have seen the same number of balls, and only there.

internal import MatchEngine

/// Runs, wickets and balls of each innings, as one feed reports them.
struct MatchTotals: Sendable, Hashable {
    /// By ordinal.
    private(set) var innings: [Int: ReportedTotal] = [:]

    /// Adds up balls; a reported total that is ahead of an innings' balls replaces their sum.
    init(_ deliveries: [Delivery], _ frames: [InningsInfo] = []) {
        for ball in deliveries {
            let (sum, runs) = (innings[ball.innings], ball.runs)
            innings[ball.innings] = ReportedTotal(
                runs: (sum?.runs ?? 0) &+ runs.bat &+ runs.wides &+ runs.noBalls &+ runs.byes &+ runs.legByes
                    &+ runs.penalty,
                wickets: (sum?.wickets ?? 0) &+ ball.dismissals.count { $0.kind.countsAsWicket },
                balls: (sum?.balls ?? 0) &+ (ball.isLegal ? 1 : 0)
            )
        }
        for frame in frames {
            guard let total = frame.reported, total.isBegun else { continue }
            if innings[frame.ordinal].map(total.isAhead) ?? true { innings[frame.ordinal] = total }
        }
    }

    /// Whether these totals have seen less of the match than others.
    func isBehind(_ other: MatchTotals) -> Bool {
        let (mine, theirs) = (innings.keys.max() ?? 0, other.innings.keys.max() ?? 0)
        if mine != theirs { return mine < theirs }
        return (innings[mine]?.balls ?? 0) < (other.innings[mine]?.balls ?? 0)
    }

    /// The differences of two totals, in innings with as many balls in both.
    func disagreements(with other: MatchTotals) -> Set<Disagreement> {
        var found: Set<Disagreement> = []
        for (ordinal, mine) in innings {
            guard let theirs = other.innings[ordinal], theirs.balls == mine.balls else { continue }
            if mine.runs != theirs.runs { found.insert(.runs) }
            if mine.wickets != theirs.wickets { found.insert(.wickets) }
        }
        return found
    }
}

/// A difference between the reports of two feeds.
enum Disagreement: String, Sendable, Hashable, CaseIterable {
    case runs, wickets
    /// They name other sides: an alias is missing, or is wrong.
    case sides
}
