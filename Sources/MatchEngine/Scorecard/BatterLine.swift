// A batter's row of the scorecard (cricket.md C.11).

/// A batter's score in one innings.
public struct BatterLine: Sendable, Hashable {
    /// Whether the batter is in.
    public enum Status: Sendable, Hashable { case batting, out, retired, absent }

    /// The batter.
    public let player: Player
    /// Position in the order in which the batters came in, from 1.
    public let position: Int
    /// Runs off the bat.
    public internal(set) var runs = 0
    /// Balls faced: all but wides.
    public internal(set) var balls = 0
    /// Fours that reached the boundary.
    public internal(set) var fours = 0
    /// Sixes that cleared the boundary.
    public internal(set) var sixes = 0
    /// Whether the batter is in.
    public internal(set) var status = Status.batting
    /// The dismissal or retirement.
    public internal(set) var dismissal: Dismissal?
    /// The bowler to whom the wicket is credited.
    public internal(set) var dismissedBy: Player?
    /// `not out`, `c Kohli b Bumrah`, `retired hurt`.
    public internal(set) var howOut = "not out"

    /// Adds one ball that the batter faced or that was called wide.
    mutating func face(_ ball: BallRuns) {
        runs += ball.bat
        if ball.isFaced { balls += 1 }
        if ball.isFour { fours += 1 }
        if ball.isSix { sixes += 1 }
    }

    /// Runs per hundred balls, `140.63`; nil before the first ball.
    public var strikeRate: String? {
        balls == 0 ? nil : Rate.text(runs: runs, balls: balls, ballsPerOver: 100)
    }
}
