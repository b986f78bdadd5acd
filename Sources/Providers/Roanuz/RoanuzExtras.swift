// A row has no kind for its extras; the type of the ball and the totals of the innings give it.

internal import MatchEngine

/// The extras of an innings that are not yet assigned to balls.
struct RoanuzExtras {
    private static let penaltyRuns = 5
    private var byes = 0
    private var legByes = 0
    private var penalty = 0

    init(_ totals: RoanuzPlay.Innings.Extras?, of rows: ArraySlice<RoanuzPageRow>, total: Int?) {
        guard let totals else { return }
        byes = Self.clamped(totals.bye)
        legByes = Self.clamped(totals.legBye)
        let onBalls = rows.reduce(0) { sum, row in
            let runs = row.delivery.runs
            return sum + runs.bat + runs.wides + runs.noBalls + row.uncharged
        }
        // The difference between total and balls was awarded between innings.
        let awarded = max(0, (total.map { Self.clamped($0) } ?? onBalls) - onBalls)
        penalty = max(0, Self.clamped(totals.penalty) - awarded)
        for row in rows where row.type == .normal || row.type == .wide { penalty -= row.uncharged }
        // Byes and leg byes are assigned to their own balls first; the remainder may be on no-balls.
        for row in rows {
            if row.type == .bye { byes -= row.uncharged }
            if row.type == .legBye { legByes -= row.uncharged }
        }
    }

    /// Runs of a scorecard, moved into the range of an innings; nil counts as 0.
    private static func clamped(_ runs: Int?) -> Int { min(max(0, runs ?? 0), AdapterLimits.runsOfInnings) }

    mutating func spend(_ count: Int, on type: RoanuzBallType, into runs: inout DeliveryRuns) {
        switch type {
        case .normal, .wide: runs.penalty = count
        case .bye:
            runs.penalty = hiddenPenalty(in: count, excess: -byes)
            runs.byes = count - runs.penalty
            byes += runs.penalty
        case .legBye:
            runs.penalty = hiddenPenalty(in: count, excess: -legByes)
            runs.legByes = count - runs.penalty
            legByes += runs.penalty
        case .noBall: spendOnNoBall(count, into: &runs)
        }
    }

    /// Penalty runs counted as byes: the innings has fewer byes than its balls.
    ///
    /// They are awarded in fives (Law 41), so a single leg bye includes none.
    private mutating func hiddenPenalty(in count: Int, excess: Int) -> Int {
        let hidden = min(count, max(0, excess), max(0, penalty)) / Self.penaltyRuns * Self.penaltyRuns
        penalty -= hidden
        return hidden
    }

    private mutating func spendOnNoBall(_ count: Int, into runs: inout DeliveryRuns) {
        runs.legByes = min(count, max(0, legByes))
        legByes -= runs.legByes
        runs.penalty = min(count - runs.legByes, max(0, count - runs.legByes - max(0, byes)), max(0, penalty))
        penalty -= runs.penalty
        runs.byes = count - runs.legByes - runs.penalty
        byes -= runs.byes
    }
}
