// How much of a match is played: balls bowled over balls due, the number that progress bars draw.

extension MatchState {
    /// Overs due in a day of such a match.
    static let oversOfDay = 90
    /// Seconds that a ball takes at fifteen overs an hour, the rate that playing conditions ask for.
    static let secondsOfBall = 40

    /// From 0 to 1 in thousandths; 1 when the match is over.
    public var progress: Double {
        if phase == .over { return 1 }
        let (bowled, due) = balls
        guard due > 0, bowled > 0 else { return 0 }
        return Double(min(1000, bowled.multipliedFully(by: 1000) / due)) / 1000
    }

    /// Playing time still due at fifteen overs an hour; 0 when the match is over.
    public var estimatedSeconds: Int {
        if phase == .over { return 0 }
        let (bowled, due) = balls
        return max(0, due - bowled) * Self.secondsOfBall
    }

    /// Balls bowled and due, super overs left out.
    private var balls: (bowled: Int, due: Int) {
        let cards = innings.filter { !$0.isSuperOver }
        let bowled = cards.reduce(0) { $0 + $1.ballsCalled }
        guard !rules.hasTwoInnings else {
            return (bowled, rules.format.days * Self.oversOfDay * rules.ballsPerOver)
        }
        // A closed innings is due no more than it had; one that has not begun is due what its limit says.
        let played = cards.reduce(0) { $0 + ($1.isClosed ? $1.ballsCalled : $1.limit ?? ballsOfInnings) }
        let toCome = max(0, 2 - cards.count) * ballsOfInnings
        return (bowled, played + toCome)
    }

    private var ballsOfInnings: Int { rules.ballLimit ?? (rules.format.oversPerInnings ?? 0) * rules.ballsPerOver }
}

extension Int {
    /// The product, or the largest number that there is.
    fileprivate func multipliedFully(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
