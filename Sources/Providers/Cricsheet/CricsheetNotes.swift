// What a Cricsheet file writes beside the runs of a ball: reviews and replacements.

/// A review as Cricsheet writes it.
public struct CricsheetReview: Sendable, Hashable {
    /// The side that asked.
    public var by: String
    /// The batter whom it is about.
    public var batter: String?
    /// `upheld`, `struck down`, in two files `technical failure`.
    public var decision: String?
    /// Who had decided.
    public var umpire: String?
    /// Whether it stood by the umpire's call.
    public var umpiresCall: Bool?
    /// What was reviewed: `wicket`, in the files since 2021.
    public var type: String?
}

/// The replacements made before a ball as Cricsheet writes them.
public struct CricsheetReplacements: Sendable, Hashable {
    /// For the rest of the match.
    public var match: [Entry]?
    /// In a task: an over ended by another bowler.
    public var role: [Entry]?

    /// One player for another.
    public struct Entry: Sendable, Hashable {
        /// Who comes.
        public var incoming: String
        /// Who goes.
        public var outgoing: String?
        /// Whose player it is; absent for roles.
        public var team: String?
        /// `bowler` or `batter`, for roles.
        public var role: String?
        /// `concussion_substitute`, `impact_player`, `injury` ….
        public var reason: String?
    }
}
