// One ball of a Cricsheet file.

internal import MatchEngine

/// A ball bowled as Cricsheet writes it.
public struct CricsheetDelivery: Sendable, Hashable {
    /// On strike.
    public var batter: String
    /// Bowling.
    public var bowler: String
    /// At the other end.
    public var nonStriker: String
    /// Runs of the ball.
    public var runs: Runs
    /// Runs that the bat did not make, by kind.
    public var extras: Extras?
    /// Wickets and retirements, in the order in which they happened.
    public var wickets: [Wicket]?
    /// A decision that was put to the third umpire.
    public var review: CricsheetReview?
    /// Players who came for others.
    public var replacements: CricsheetReplacements?

    /// Runs of one ball.
    public struct Runs: Sendable, Hashable {
        /// Off the bat.
        public var batter: Int
        /// All else.
        public var extras: Int
        /// Both together.
        public var total: Int
        /// Whether four or six were run without the ball reaching the rope.
        public var nonBoundary: Bool?
    }

    /// Extras of one ball.
    public struct Extras: Sendable, Hashable {
        /// Run without touching bat or body.
        public var byes: Int?
        /// Run off the body.
        public var legbyes: Int?
        /// The penalty of a no-ball.
        public var noballs: Int?
        /// Given to the batting side by the umpires.
        public var penalty: Int?
        /// The penalty of a wide and what was run on it.
        public var wides: Int?

        /// Joins the kinds.
        public init(
            byes: Int? = nil,
            legbyes: Int? = nil,
            noballs: Int? = nil,
            penalty: Int? = nil,
            wides: Int? = nil
        ) {
            self.byes = byes
            self.legbyes = legbyes
            self.noballs = noballs
            self.penalty = penalty
            self.wides = wides
        }
    }

    /// One wicket or retirement.
    public struct Wicket: Sendable, Hashable {
        /// Those who took part, in order.
        public var fielders: [FielderName]?
        /// `caught`, `run out`, `retired hurt` ….
        public var kind: String
        /// Who is out; one published file misspells the key, so it may be absent.
        public var playerOut: String?

        /// Describes a wicket.
        public init(kind: String, playerOut: String?, fielders: [FielderName]? = nil) {
            self.kind = kind
            self.playerOut = playerOut
            self.fielders = fielders
        }
    }

    /// A fielder; a substitute may have no name.
    public struct FielderName: Sendable, Hashable {
        /// The name.
        public var name: String?
        /// Whether he or she fields for another.
        public var substitute: Bool?
    }
}
