// What the balls alone prove about who has won (cricket.md C.8 to C.10); the feed's own result stands above it.

/// The outcome that the innings prove; nil where nothing is proven yet.
enum Verdict: Sendable, Hashable {
    case runs(Int, winner: Side)
    case wickets(Int, winner: Side, ballsLeft: Int?)
    case innings(Int, winner: Side)
    /// Level at the end; with the winner of the last super over that decided, when one did.
    case tie(superOverWinner: Side?)
    case draw

    /// Judges framed innings; `isOver` tells that officials have ended the match, `isDecided` that they did not give it
    /// up: then even an innings that was cut short decides.
    init?(cards: [InningsState], rules: RuleSet, isOver: Bool, isDecided: Bool) {
        let ordinary = cards.filter { !$0.isSuperOver && ($0.hasBegun || $0.isClosed) }
        let verdict =
            rules.hasTwoInnings
            ? Self.ofTwoInnings(ordinary, isOver: isOver) : Self.ofOneInnings(ordinary, isDecided: isDecided)
        guard let verdict else { return nil }
        self = verdict
        if case .tie = verdict { self = .tie(superOverWinner: Self.superOverWinner(cards.filter(\.isSuperOver))) }
    }

    private static func ofOneInnings(_ innings: [InningsState], isDecided: Bool) -> Verdict? {
        guard innings.count == 2, innings[0].isClosed, let target = innings[1].target else { return nil }
        let chase = innings[1]
        let side = chase.info.batting
        if chase.runs >= target.runs {
            if isDecided && chase.wentOnBehindTarget { return .runs(chase.runs - target.runs + 1, winner: side) }
            return .wickets(max(0, RuleSet.lastWicket - chase.wickets), winner: side, ballsLeft: chase.ballsLeft)
        }
        // An innings that a feed only calls closed may yet get another target: rain does both.
        guard chase.end == .allOut || chase.end == .limitReached || isDecided && chase.isClosed else { return nil }
        let short = target.runs - 1 - chase.runs
        return short == 0 ? .tie(superOverWinner: nil) : .runs(short, winner: side.opponent)
    }

    private static func ofTwoInnings(_ innings: [InningsState], isOver: Bool) -> Verdict? {
        if let won = wonInTwoInnings(innings) { return won }
        return isOver && !innings.isEmpty ? .draw : nil
    }

    private static func wonInTwoInnings(_ innings: [InningsState]) -> Verdict? {
        guard let last = innings.last, innings.count >= 3 else { return nil }
        let side = last.info.batting
        let ours = innings.filter { $0.info.batting == side }
        let theirs = innings.filter { $0.info.batting != side }
        let lead = ours.reduce(0) { $0 + $1.runs } - theirs.reduce(0) { $0 + $1.runs }
        // Only an innings that was played out decides; one that time or a feed's word has ended does not.
        let isComplete = last.end == .allOut || last.end == .forfeited
        if innings.count == 3 {
            let isDecided = ours.count == 2 && theirs.count == 1 && theirs[0].isClosed && isComplete && lead < 0
            return isDecided ? .innings(-lead, winner: side.opponent) : nil
        }
        if lead > 0 && innings.count == 4 && ours.count == 2 {
            return .wickets(max(0, RuleSet.lastWicket - last.wickets), winner: side, ballsLeft: nil)
        }
        guard innings.count == 4, isComplete else { return nil }
        return lead == 0 ? .tie(superOverWinner: nil) : lead < 0 ? .runs(-lead, winner: side.opponent) : nil
    }

    /// Looks at super overs in pairs; the first pair that is not level decides.
    private static func superOverWinner(_ innings: [InningsState]) -> Side? {
        for first in stride(from: 0, to: innings.count - 1, by: 2) {
            let (one, two) = (innings[first], innings[first + 1])
            if two.runs > one.runs { return two.info.batting }
            if two.isClosed && two.runs < one.runs { return one.info.batting }
        }
        return nil
    }
}
