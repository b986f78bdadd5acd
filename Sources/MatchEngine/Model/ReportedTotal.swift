// Some feeds know the score and none of the balls; what they know has to be shown, and nothing beyond it made up.

/// The total of an innings as a feed without balls states it; counts where it tells more than the balls that are known.
public struct ReportedTotal: Sendable, Hashable, Codable {
    /// Runs with all extras and penalties.
    public let runs: Int
    /// Wickets fallen.
    public let wickets: Int
    /// Legal balls bowled, by called overs.
    public let balls: Int

    /// States a total.
    public init(runs: Int, wickets: Int, balls: Int) {
        self.runs = runs
        self.wickets = wickets
        self.balls = balls
    }

    /// Whether it tells that play has begun: a feed lists an innings at 0/0 before its first ball.
    public var isBegun: Bool { runs > 0 || wickets > 0 || balls > 0 }

    /// Whether it tells more than another: more balls, or as many and nothing less.
    public func isAhead(of other: ReportedTotal) -> Bool {
        balls == other.balls ? self != other && !isBehind(other) : balls > other.balls
    }

    /// Whether it is behind another: fewer runs, wickets or balls, as in an older copy of the reply.
    public func isBehind(_ other: ReportedTotal) -> Bool {
        runs < other.runs || wickets < other.wickets || balls < other.balls
    }
}
