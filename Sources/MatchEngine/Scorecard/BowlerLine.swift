// A bowler's row of the scorecard (cricket.md C.11).

/// A bowler's figures in one innings.
public struct BowlerLine: Sendable, Hashable {
    /// The bowler.
    public let player: Player
    /// Legal balls bowled.
    public internal(set) var balls = 0
    /// Complete overs without runs charged to the bowler.
    public internal(set) var maidens = 0
    /// Runs charged: off the bat, wides, no-ball penalties.
    public internal(set) var runs = 0
    /// Wickets credited.
    public internal(set) var wickets = 0
    /// Legal balls without runs charged.
    public internal(set) var dots = 0
    /// Number of wides bowled.
    public internal(set) var wideCount = 0
    /// Runs of the wides.
    public internal(set) var wideRuns = 0
    /// Number of no-balls bowled.
    public internal(set) var noBallCount = 0
    /// Penalty runs of the no-balls.
    public internal(set) var noBallRuns = 0

    /// Adds one ball.
    mutating func deliver(_ ball: BallRuns, isLegal: Bool) {
        runs += ball.charged
        if isLegal {
            balls += 1
            if ball.charged == 0 { dots += 1 }
        }
        if ball.wides > 0 {
            if !ball.isFaced { wideCount += 1 }
            wideRuns += ball.wides
        }
        if ball.noBalls > 0 {
            noBallCount += 1
            noBallRuns += ball.noBalls
        }
    }

    /// Wickets and runs, `3/17`.
    public var figures: String { "\(wickets)/\(runs)" }

    /// Overs bowled, from legal balls.
    public func overs(ballsPerOver: Int) -> Overs { Overs(balls: balls, ballsPerOver: ballsPerOver) }

    /// Runs an over, `6.80`.
    public func economy(ballsPerOver: Int) -> String { Rate.text(runs: runs, balls: balls, ballsPerOver: ballsPerOver) }
}
