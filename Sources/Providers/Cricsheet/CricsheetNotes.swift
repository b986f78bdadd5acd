// Reviews and replacements of a Cricsheet file.

/// A review as Cricsheet writes it.
public struct CricsheetReview: Codable, Sendable, Hashable {
    /// The side that requested the review.
    public var by: String
    /// The batter who is reviewed.
    public var batter: String?
    /// `upheld`, `struck down`, in two files `technical failure`.
    public var decision: String?
    /// Whether the decision stood as umpire's call.
    public var umpiresCall: Bool?

    private enum CodingKeys: String, CodingKey {
        case by, batter, decision, umpiresCall = "umpires_call"
    }
}

/// The replacements made before a ball as Cricsheet writes them.
public struct CricsheetReplacements: Codable, Sendable, Hashable {
    /// For the rest of the match.
    public var match: [Entry]?
    /// In a role, such as an over completed by another bowler.
    public var role: [Entry]?

    /// One player for another.
    public struct Entry: Codable, Sendable, Hashable {
        /// The player who comes in.
        public var incoming: String
        /// The player who goes out.
        public var outgoing: String?
        /// The team of the player; absent for roles.
        public var team: String?
        /// `bowler` or `batter`, for roles.
        public var role: String?
        /// `concussion_substitute`, `impact_player`, `injury` ….
        public var reason: String?

        private enum CodingKeys: String, CodingKey {
            case incoming = "in", outgoing = "out", team, role, reason
        }
    }
}
