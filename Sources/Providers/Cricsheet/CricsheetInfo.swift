// The `info` object of a Cricsheet file: teams, format, venue and result.

/// The match information in Cricsheet's format.
public struct CricsheetInfo: Codable, Sendable, Hashable {
    /// Legal balls in an over.
    public var ballsPerOver: Int?
    /// Days of play as `yyyy-mm-dd`.
    public var dates: [String]?
    /// The league or tour.
    public var event: Event?
    /// `male` or `female`.
    public var gender: String?
    /// `Test`, `MDM`, `ODI`, `ODM`, `T20`, `IT20`.
    public var matchType: String
    /// The result; absent while the match is in play.
    public var outcome: Outcome?
    /// Overs that each side may bat; absent when only time limits them.
    public var overs: Int?
    /// Names of the players of the match.
    public var playerOfMatch: [String]?
    /// Names of those named to play, by team.
    public var players: [String: [String]]?
    /// Ids of people.
    public var registry: Registry?
    /// The season; files hold it as text or as a number.
    public var season: FlexibleText?
    /// `international` or `club`.
    public var teamType: String?
    /// The two sides.
    public var teams: [String]
    /// The toss; absent before it.
    public var toss: Toss?
    /// The ground.
    public var venue: String?

    private enum CodingKeys: String, CodingKey {
        case ballsPerOver = "balls_per_over", dates, event, gender, matchType = "match_type", outcome, overs,
            playerOfMatch = "player_of_match", players, registry, season, teamType = "team_type", teams, toss, venue
    }

    /// The competition that a match belongs to.
    public struct Event: Codable, Sendable, Hashable {
        /// Its name.
        public var name: String?
    }

    /// How the match ended.
    public struct Outcome: Codable, Sendable, Hashable {
        /// The margin.
        public var by: Margin?
        /// The side that won the bowl-out after a tie.
        public var bowlOut: String?
        /// The side that won the super over after a tie.
        public var eliminator: String?
        /// `D/L`, `VJD`, `Awarded`, `Lost fewer wickets`.
        public var method: String?
        /// `draw`, `no result` or `tie` when no side won.
        public var result: String?
        /// The side that won.
        public var winner: String?

        private enum CodingKeys: String, CodingKey {
            case by, bowlOut = "bowl_out", eliminator, method, result, winner
        }
    }

    /// The margin of a win.
    public struct Margin: Codable, Sendable, Hashable {
        /// Innings to spare; always 1.
        public var innings: Int?
        /// Runs to spare.
        public var runs: Int?
        /// Wickets to spare.
        public var wickets: Int?
    }

    /// Ids of people by name.
    public struct Registry: Codable, Sendable, Hashable {
        /// Cricsheet's id for each name in the file.
        public var people: [String: String]?
    }

    /// The toss.
    public struct Toss: Codable, Sendable, Hashable {
        /// `bat` or `field`.
        public var decision: String?
        /// Whether the visiting side chose without a toss.
        public var uncontested: Bool?
        /// The side that chose.
        public var winner: String
    }
}
