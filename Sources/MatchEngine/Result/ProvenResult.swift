// Derives the result that the balls alone prove (cricket.md C.8 to C.10); the feed's own result has precedence.

/// The result that the innings prove.
struct ProvenResult: Sendable, Hashable {
    /// By runs, by wickets, by an innings, a tie or a draw.
    let kind: MatchResult.Kind
    /// The winner, of a tie that of the super over that decided; nil for a draw and for a tie that is not broken.
    let winner: Side?
    /// Legal balls left in the chase; nil unless a limited innings was won by wickets.
    let ballsLeft: Int?

    /// Whether the scores are level at the end and no super over has decided.
    var isUnbrokenTie: Bool { kind == .tie && winner == nil }

    private init(_ kind: MatchResult.Kind, winner: Side? = nil, ballsLeft: Int? = nil) {
        self.kind = kind
        self.winner = winner
        self.ballsLeft = ballsLeft
    }

    /// Derives the result from innings whose limits, targets and ends are set; nil where they prove none.
    ///
    /// - Parameters:
    ///   - cards: The innings in order, super overs included.
    ///   - rules: The rules of the match.
    ///   - isOver: Whether the officials have ended the match.
    ///   - isDecided: Whether the officials state a margin; then a shortened innings decides too.
    init?(cards: [InningsState], rules: RuleSet, isOver: Bool, isDecided: Bool) {
        let ordinary = cards.filter { !$0.isSuperOver && ($0.hasBegun || $0.isClosed) }
        let result =
            rules.hasTwoInnings
            ? Self.ofTwoInnings(ordinary, isOver: isOver) : Self.ofOneInnings(ordinary, isDecided: isDecided)
        guard let result else { return nil }
        self = result
        if kind == .tie { self.init(.tie, winner: Self.superOverWinner(cards.filter(\.isSuperOver))) }
    }

    private static func ofOneInnings(_ innings: [InningsState], isDecided: Bool) -> ProvenResult? {
        guard innings.count == 2, innings[0].isClosed, let target = innings[1].target else { return nil }
        let chase = innings[1]
        let side = chase.info.batting
        if chase.runs >= target.runs {
            if isDecided && chase.battedOnAfterTarget {
                return ProvenResult(.runs(chase.runs - target.runs + 1), winner: side)
            }
            return ProvenResult(.wickets(wicketsInHand(chase)), winner: side, ballsLeft: chase.ballsLeft)
        }
        // An innings that a feed only marks as closed may still get another target after rain.
        guard chase.end == .allOut || chase.end == .limitReached || isDecided && chase.isClosed else { return nil }
        let margin = target.runs - 1 - chase.runs
        return margin == 0 ? ProvenResult(.tie) : ProvenResult(.runs(margin), winner: side.opponent)
    }

    private static func ofTwoInnings(_ innings: [InningsState], isOver: Bool) -> ProvenResult? {
        if let won = wonInTwoInnings(innings) { return won }
        return isOver && !innings.isEmpty ? ProvenResult(.draw) : nil
    }

    private static func wonInTwoInnings(_ innings: [InningsState]) -> ProvenResult? {
        guard let last = innings.last, innings.count >= 3 else { return nil }
        let side = last.info.batting
        let ours = innings.filter { $0.info.batting == side }
        let theirs = innings.filter { $0.info.batting != side }
        let lead = ours.reduce(0) { $0 + $1.runs } - theirs.reduce(0) { $0 + $1.runs }
        // Only a completed innings decides; one that ended for lack of time or by a feed's status does not.
        let isComplete = last.end == .allOut || last.end == .forfeited
        if innings.count == 3 {
            let isDecided = ours.count == 2 && theirs.count == 1 && theirs[0].isClosed && isComplete && lead < 0
            return isDecided ? ProvenResult(.innings(-lead), winner: side.opponent) : nil
        }
        if lead > 0 && innings.count == 4 && ours.count == 2 {
            return ProvenResult(.wickets(wicketsInHand(last)), winner: side)
        }
        guard innings.count == 4, isComplete, lead <= 0 else { return nil }
        return lead == 0 ? ProvenResult(.tie) : ProvenResult(.runs(-lead), winner: side.opponent)
    }

    private static func wicketsInHand(_ card: InningsState) -> Int { max(0, RuleSet.lastWicket - card.wickets) }

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
