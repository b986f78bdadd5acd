// The word for a break may stay when play has begun again, and must not end the innings that has begun.

internal import MatchEngine

/// What the word for a break between innings means beside the balls.
enum SportmonksBreak {
    /// Balls of a later innings of a match that only time limits, below which the word is of the break before it.
    ///
    /// Ten overs take longer than a break, and hardly an innings was declared so soon; one that was is told as closed
    /// by the innings after it.
    static let fewBalls = 60

    /// What goes on by the word and the balls: a break, the wait for a super over, or play.
    ///
    /// - Parameters:
    ///   - info: The frame of the match.
    ///   - open: The frames of its innings, the newest not closed.
    ///   - deliveries: Its balls.
    /// - Returns: The status.
    static func status(_ info: MatchInfo, _ open: [InningsInfo], _ deliveries: [Delivery]) -> MatchStatus {
        // Before the first innings there is no break that the word could be left over from.
        guard let newest = deliveries.last?.innings, newest > 1 else { return .inningsBreak }
        let state = MatchReplica(MatchSnapshot(info: info, innings: open, deliveries: deliveries)).state
        guard let card = state.innings.first(where: { $0.info.ordinal == newest }) else { return .inningsBreak }
        if !card.isClosed {
            if info.format.isLimitedOvers { return card.isSuperOver ? .superOver : .live }
            return card.deliveries < fewBalls ? .live : .inningsBreak
        }
        // Level totals at the end of a chase, and after it of a super over, are a tie that is still to be broken.
        let isTied = state.proven.map { $0.kind == .tie && $0.winner == nil } ?? false
        return isTied && info.format.isLimitedOvers ? .superOverBreak : .inningsBreak
    }
}
