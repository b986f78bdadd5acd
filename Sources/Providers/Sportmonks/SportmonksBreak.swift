// The status of a break may be stale after play has resumed, and must not close the new innings.

internal import MatchEngine

/// The meaning of the status `Innings Break`, given the balls.
enum SportmonksBreak {
    /// In a match without a limit of overs, a break before this many balls of a later innings is the break before it.
    ///
    /// Ten overs take longer than a break, and hardly an innings is declared so soon; such an innings is closed by the
    /// next one.
    static let fewBalls = 60

    /// The status by value and balls: a break, the wait for a super over, or play; the newest innings is not closed.
    static func status(_ info: MatchInfo, _ open: [InningsInfo], _ deliveries: [Delivery]) -> MatchStatus {
        // Before the first innings the status cannot be stale.
        guard let newest = deliveries.last?.innings, newest > 1 else { return .inningsBreak }
        let state = MatchReplica(MatchSnapshot(info: info, innings: open, deliveries: deliveries)).state
        guard let card = state.innings.first(where: { $0.info.ordinal == newest }) else { return .inningsBreak }
        if !card.isClosed {
            if info.format.isLimitedOvers { return card.isSuperOver ? .superOver : .live }
            return card.deliveries < fewBalls ? .live : .inningsBreak
        }
        // Level totals at the end of a chase or of a super over are a tie that is still to be broken.
        let isTied = state.proven.map { $0.kind == .tie && $0.winner == nil } ?? false
        return isTied && info.format.isLimitedOvers ? .superOverBreak : .inningsBreak
    }
}
