// Some feeds state the score and no balls; the engine displays that score and derives nothing beyond it.

/// The total of an innings as a feed without balls states it; it applies where it includes more than the known balls.
public struct ReportedTotal: Sendable, Hashable, Codable {
    /// Runs, with all extras and penalties.
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

    /// Whether play has begun; a feed may list an innings at 0/0 before its first ball.
    public var isBegun: Bool { runs > 0 || wickets > 0 || balls > 0 }

    /// Whether it is newer than another total: more balls, or as many balls and no number lower.
    public func isAhead(of other: ReportedTotal) -> Bool {
        balls == other.balls ? self != other && !isBehind(other) : balls > other.balls
    }

    /// Whether it looks like an old copy of another total: fewer balls, or as many balls and fewer runs or wickets.
    ///
    /// With more balls a lower number is a correction.
    public func isBehind(_ other: ReportedTotal) -> Bool {
        balls == other.balls ? runs < other.runs || wickets < other.wickets : balls < other.balls
    }
}
