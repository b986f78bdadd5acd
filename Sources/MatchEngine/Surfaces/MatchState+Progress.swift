// The share of a match that has been played, from balls bowled and balls due, for progress bars.

extension MatchState {
    /// Overs due in a day of a match of two innings a side.
    static let oversOfDay = 90
    /// Seconds per ball at fifteen overs an hour, the rate of the playing conditions.
    static let secondsOfBall = 40

    /// Share of the match that has been played, 0 to 1 in thousandths; 1 when the match is over.
    public var progress: Double {
        if phase == .over { return 1 }
        let (bowled, due) = balls
        guard due > 0, bowled > 0 else { return 0 }
        return Double(min(1000, bowled.multipliedClamped(by: 1000) / due)) / 1000
    }

    /// Seconds of play still due, at fifteen overs an hour; 0 when the match is over.
    public var estimatedSeconds: Int {
        if phase == .over { return 0 }
        let (bowled, due) = balls
        return max(0, due - bowled) * Self.secondsOfBall
    }

    /// Balls bowled and balls due, without super overs.
    private var balls: (bowled: Int, due: Int) {
        let cards = innings.filter { !$0.isSuperOver }
        let bowled = cards.reduce(0) { $0 + $1.ballsCalled }
        guard !rules.hasTwoInnings else {
            return (bowled, rules.format.days * Self.oversOfDay * rules.ballsPerOver)
        }
        // A completed innings is due what it had; one that has not begun is due its limit.
        let played = cards.reduce(0) { $0 + ($1.isClosed ? $1.ballsCalled : $1.limit ?? ballsOfInnings) }
        let toCome = max(0, 2 - cards.count) * ballsOfInnings
        return (bowled, played + toCome)
    }

    private var ballsOfInnings: Int { rules.ballLimit ?? (rules.format.oversPerInnings ?? 0) * rules.ballsPerOver }
}
