// A batter's row of the scorecard.

/// What a batter has done in one innings.
public struct BatterLine: Sendable, Hashable {
    /// Where the batter is.
    public enum Status: Sendable, Hashable { case batting, out, retired, absent }

    /// Who bats.
    public let player: Player
    /// Place in the order of coming in, from 1.
    public let position: Int
    /// Runs off the bat.
    public internal(set) var runs = 0
    /// Balls faced: all but wides.
    public internal(set) var balls = 0
    /// Fours over the rope.
    public internal(set) var fours = 0
    /// Sixes over the rope.
    public internal(set) var sixes = 0
    /// Whether the batter is in.
    public internal(set) var status = Status.batting
    /// How the batter was dismissed or left.
    public internal(set) var dismissal: Dismissal?
    /// Who bowled the ball, when the bowler has the wicket.
    public internal(set) var dismissedBy: Player?
    /// `not out`, `c Kohli b Bumrah`, `retired hurt`.
    public internal(set) var howOut = "not out"

    init(player: Player, position: Int) {
        self.player = player
        self.position = position
    }

    /// Takes one ball onto the row.
    mutating func face(_ ball: BallRuns) {
        runs += ball.bat
        if ball.isFaced { balls += 1 }
        if ball.isFour { fours += 1 }
        if ball.isSix { sixes += 1 }
    }

    /// Runs for a hundred balls, `140.63`; nil before the first ball.
    public var strikeRate: String? {
        balls == 0 ? nil : Rate.text(runs: runs, balls: balls, ballsPerOver: 100)
    }
}
