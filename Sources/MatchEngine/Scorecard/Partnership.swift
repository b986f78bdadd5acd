// Stands between two batters, and the scores at which they ended (cricket.md C.11).

/// What two batters made together; a retirement or a changed pair begins another.
public struct Partnership: Sendable, Hashable {
    /// One batter's part.
    public struct Share: Sendable, Hashable {
        /// Index into the innings' batters; nil when the feed names nobody.
        public let batter: Int?
        /// Runs off that bat.
        public internal(set) var runs = 0
        /// Balls faced.
        public internal(set) var balls = 0
    }

    /// The wicket that it is for, from 1.
    public let wicket: Int
    /// Team runs with all extras.
    public internal(set) var runs = 0
    /// Balls other than wides.
    public internal(set) var balls = 0
    /// The batter named first on its first ball.
    public internal(set) var first: Share
    /// The other.
    public internal(set) var second: Share
    /// Whether the pair is parted.
    public internal(set) var isOver = false

    /// Runs that came off neither bat.
    public var extras: Int { runs - first.runs - second.runs }
}

/// A wicket at its score.
public struct FallOfWicket: Sendable, Hashable {
    /// The wicket, from 1.
    public let number: Int
    /// The score with the runs completed on that ball.
    public let runs: Int
    /// The ball's label.
    public let label: BallLabel
    /// Index into the innings' batters.
    public let batter: Int
}

/// The runs of an innings that no batter made.
public struct Extras: Sendable, Hashable {
    /// Byes.
    public internal(set) var byes = 0
    /// Leg byes.
    public internal(set) var legByes = 0
    /// Wides, with what was run on them.
    public internal(set) var wides = 0
    /// No-ball penalties.
    public internal(set) var noBalls = 0
    /// Penalties, on a ball, before and after the innings.
    public internal(set) var penalty = 0
    /// All of them.
    public var total: Int { byes + legByes + wides + noBalls + penalty }
}
