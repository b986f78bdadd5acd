// Partnerships of two batters, and the scores at which wickets fell (cricket.md C.11).

/// The runs that two batters made together; a retirement or another pair begins a new one.
public struct Partnership: Sendable, Hashable {
    /// One batter's part.
    public struct Share: Sendable, Hashable {
        /// Index into the innings' batters; nil when the feed names no batter.
        public let batter: Int?
        /// Runs off the bat.
        public internal(set) var runs = 0
        /// Balls faced.
        public internal(set) var balls = 0
    }

    /// Number of the wicket that it is for, from 1.
    public let wicket: Int
    /// Runs of the side, with all extras.
    public internal(set) var runs = 0
    /// Balls other than wides.
    public internal(set) var balls = 0
    /// The striker of its first ball.
    public internal(set) var first: Share
    /// The non-striker of its first ball.
    public internal(set) var second: Share
    /// Whether the pair is separated.
    public internal(set) var isOver = false

    /// Runs that were scored by neither batter.
    public var extras: Int { runs - first.runs - second.runs }
}

/// The score at which a wicket fell.
public struct FallOfWicket: Sendable, Hashable {
    /// Number of the wicket, from 1.
    public let number: Int
    /// Runs of the side, with those completed on that ball.
    public let runs: Int
    /// Label of the ball.
    public let label: BallLabel
    /// Index into the innings' batters.
    public let batter: Int
}

/// The extras of an innings (Law 18.3).
public struct Extras: Sendable, Hashable {
    /// Byes.
    public internal(set) var byes = 0
    /// Leg byes.
    public internal(set) var legByes = 0
    /// Wides, with the runs completed on them.
    public internal(set) var wides = 0
    /// No-ball penalties.
    public internal(set) var noBalls = 0
    /// Penalty runs: on a ball, before and after the innings.
    public internal(set) var penalty = 0
    /// The sum.
    public var total: Int { byes + legByes + wides + noBalls + penalty }
}
