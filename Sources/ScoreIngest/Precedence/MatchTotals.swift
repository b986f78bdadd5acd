// The reports of two feeds are compared where both have seen the same number of balls, and only there.

internal import MatchEngine

/// Runs, wickets and balls of each innings, as one feed reports them.
struct MatchTotals: Sendable, Hashable {
    /// By ordinal.
    private(set) var innings: [Int: ReportedTotal] = [:]

    /// Adds up balls; a reported total that is ahead of an innings' balls replaces their sum.
    init(_ deliveries: [Delivery], _ frames: [InningsInfo] = []) {
        for (ordinal, balls) in deliveries.byInnings {
            let known = innings[ordinal]
            var (runs, wickets, legal) = (known?.runs ?? 0, known?.wickets ?? 0, known?.balls ?? 0)
            for ball in balls {
                runs &+= ball.runs.bat &+ ball.runs.wides &+ ball.runs.noBalls
                runs &+= ball.runs.byes &+ ball.runs.legByes &+ ball.runs.penalty
                wickets &+= ball.dismissals.count { $0.kind.countsAsWicket }
                legal &+= ball.isLegal ? 1 : 0
            }
            innings[ordinal] = ReportedTotal(runs: runs, wickets: wickets, balls: legal)
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
