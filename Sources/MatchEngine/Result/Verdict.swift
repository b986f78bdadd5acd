// Derives the result that the balls alone prove (cricket.md C.8 to C.10); the feed's own result has precedence.

/// The result that the innings prove; nil where they prove none.
enum Verdict: Sendable, Hashable {
    case runs(Int, winner: Side)
    case wickets(Int, winner: Side, ballsLeft: Int?)
    case innings(Int, winner: Side)
    /// Level at the end, with the winner of the last super over that decided, if one did.
    case tie(superOverWinner: Side?)
    case draw

    /// Derives the result from innings whose limits, targets and ends are set.
    ///
    /// - Parameters:
    ///   - cards: The innings in order, super overs included.
    ///   - rules: The rules of the match.
    ///   - isOver: Whether the officials have ended the match.
    ///   - isDecided: Whether the officials state a margin; then a shortened innings decides too.
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
        // An innings that a feed only marks as closed may still get another target after rain.
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
        // Only a completed innings decides; one that ended for lack of time or by a feed's status does not.
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

    /// The winner of the first pair of super overs that is not level; nil without such a pair.
    private static func superOverWinner(_ innings: [InningsState]) -> Side? {
        for first in stride(from: 0, to: innings.count - 1, by: 2) {
            let (one, two) = (innings[first], innings[first + 1])
            if two.runs > one.runs { return two.info.batting }
            if two.isClosed && two.runs < one.runs { return one.info.batting }
        }
        return nil
    }
}
