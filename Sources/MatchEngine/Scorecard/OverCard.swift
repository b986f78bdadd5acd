// One over, ball by ball; the fold keeps a small mark of each ball, and the record has its players.

/// The balls of one over.
public struct OverCard: Sendable, Hashable {
    /// One ball.
    public struct Ball: Sendable, Hashable {
        /// Its printed position, `12.3`.
        public let label: BallLabel
        /// Its mark, `4` or `W`.
        public let mark: BallMark
        /// The ball as it is recorded.
        public let delivery: Delivery
    }

    /// Overs before this one.
    public let number: Int
    /// The balls in order, at least one.
    public let balls: [Ball]
    /// Whether no ball is expected any more: a later over has begun, it has all its balls, or the innings is over.
    public let isComplete: Bool

    /// Runs that the side gained in the over.
    public var runs: Int { balls.reduce(0) { $0 + $1.mark.total } }
    /// Wickets that fell in the over.
    public var wickets: Int { balls.count { $0.mark.kind == .wicket } }
}

extension MatchReplica {
    /// An over of an innings.
    ///
    /// - Parameters:
    ///   - number: Overs of the innings before it.
    ///   - ordinal: `InningsInfo.ordinal` of the innings.
    /// - Returns: The over; nil when no ball of it is known.
    public func over(_ number: Int, ofInnings ordinal: Int) -> OverCard? {
        guard let card = state.innings.first(where: { $0.info.ordinal == ordinal }) else { return nil }
        var balls: [OverCard.Ball] = []
        var legal = 0
        var hasLater = false
        for (mark, delivery) in zip(card.balls, record.deliveries.lazy.filter { $0.innings == ordinal }) {
            guard mark.over == number else {
                hasLater = hasLater || !balls.isEmpty
                continue
            }
            if mark.isLegal { legal += 1 }
            let label = BallLabel(over: number, ball: mark.isLegal ? legal : legal + 1)
            balls.append(OverCard.Ball(label: label, mark: mark, delivery: delivery))
        }
        guard !balls.isEmpty else { return nil }
        let isComplete = hasLater || legal >= card.ballsPerOver || card.isClosed
        return OverCard(number: number, balls: balls, isComplete: isComplete)
    }
}
