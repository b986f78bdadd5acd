// One ball of a Cricsheet file.

public import ScoreTypes

/// A ball bowled as Cricsheet writes it.
public struct CricsheetDelivery: JSONReadable, Encodable, Sendable, Hashable {
    /// On strike.
    public var batter: String
    /// Bowling.
    public var bowler: String
    /// At the other end.
    public var nonStriker: String
    /// Runs of the ball.
    public var runs: Runs
    /// Extras by kind.
    public var extras: Extras?
    /// Wickets and retirements, in the order in which they happened.
    public var wickets: [Wicket]?
    /// A decision that the third umpire reviewed.
    public var review: CricsheetReview?
    /// Replacements of players.
    public var replacements: CricsheetReplacements?

    private enum CodingKeys: String, CodingKey {
        case batter, bowler, nonStriker = "non_striker", runs, extras, wickets, review, replacements
    }

    /// Reads a ball.
    ///
    /// - Throws: `JSONError` that names the place.
    public init(json: JSONElement) throws {
        batter = try json.read("batter")
        bowler = try json.read("bowler")
        nonStriker = try json.read("non_striker")
        runs = try json.read("runs")
        extras = try json.read("extras")
        wickets = try json.read("wickets")
        review = try json.member("review")?.decode(CricsheetReview.self)
        replacements = try json.member("replacements")?.decode(CricsheetReplacements.self)
    }

    /// Runs of one ball.
    public struct Runs: JSONReadable, Encodable, Sendable, Hashable {
        /// Off the bat.
        public var batter: Int
        /// All else.
        public var extras: Int
        /// Both together.
        public var total: Int
        /// Whether four or six were run without the ball reaching the rope.
        public var nonBoundary: Bool?

        private enum CodingKeys: String, CodingKey {
            case batter, extras, total, nonBoundary = "non_boundary"
        }

        /// Reads the runs.
        ///
        /// - Throws: `JSONError` that names the place.
        public init(json: JSONElement) throws {
            batter = try json.read("batter")
            extras = try json.read("extras")
            total = try json.read("total")
            nonBoundary = try json.read("non_boundary")
        }
    }

    /// Extras of one ball.
    public struct Extras: JSONReadable, Encodable, Sendable, Hashable {
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

        /// Reads the extras.
        ///
        /// - Throws: `JSONError` that names the place.
        public init(json: JSONElement) throws {
            byes = try json.read("byes")
            legbyes = try json.read("legbyes")
            noballs = try json.read("noballs")
            penalty = try json.read("penalty")
            wides = try json.read("wides")
        }

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
    public struct Wicket: JSONReadable, Encodable, Sendable, Hashable {
        /// The fielders, in order.
        public var fielders: [FielderName]?
        /// `caught`, `run out`, `retired hurt` ….
        public var kind: String
        /// The batter who is out; one published file misspells the key, so it may be absent.
        public var playerOut: String?

        private enum CodingKeys: String, CodingKey {
            case fielders, kind, playerOut = "player_out"
        }

        /// Reads a wicket.
        ///
        /// - Throws: `JSONError` that names the place.
        public init(json: JSONElement) throws {
            fielders = try json.read("fielders")
            kind = try json.read("kind")
            playerOut = try json.read("player_out")
        }

        /// Describes a wicket.
        public init(kind: String, playerOut: String?, fielders: [FielderName]? = nil) {
            self.kind = kind
            self.playerOut = playerOut
            self.fielders = fielders
        }
    }

    /// A fielder; a substitute may have no name.
    public struct FielderName: JSONReadable, Encodable, Sendable, Hashable {
        /// The name.
        public var name: String?
        /// Whether the fielder is a substitute.
        public var substitute: Bool?

        /// Reads a fielder.
        ///
        /// - Throws: `JSONError` that names the place.
        public init(json: JSONElement) throws {
            name = try json.read("name")
            substitute = try json.read("substitute")
        }
    }
}
