// An entry of the `innings` of a Cricsheet file, with its balls by over.

public import ScoreTypes

/// An innings as Cricsheet writes it.
public struct CricsheetInnings: Codable, Sendable, Hashable {
    /// The batting side.
    public var team: String
    /// In order of play; absent when forfeited.
    public var overs: [CricsheetOver]?
    /// Names of those who could not bat.
    public var absentHurt: [String]?
    /// Whether the captain closed it.
    public var declared: Bool?
    /// Whether it was given up before its first ball.
    public var forfeited: Bool?
    /// Penalty runs outside its own balls.
    public var penaltyRuns: PenaltyRuns?
    /// Spans with fielding limits.
    public var powerplays: [PowerplaySpan]?
    /// Whether it breaks a tie.
    public var superOver: Bool?
    /// The target of the side.
    public var target: TargetScore?

    private enum CodingKeys: String, CodingKey {
        case team, overs, absentHurt = "absent_hurt", declared, forfeited, penaltyRuns = "penalty_runs", powerplays,
            superOver = "super_over", target
    }

    /// Runs given to a side outside its own balls.
    public struct PenaltyRuns: Codable, Sendable, Hashable {
        /// Given before the innings.
        public var pre: Int?
        /// Given after the innings.
        public var post: Int?
    }

    /// A powerplay by over and delivery, such as 0.1 to 5.7; the decimal counts wides and no-balls.
    public struct PowerplaySpan: Codable, Sendable, Hashable {
        /// The first delivery.
        public var from: Double
        /// The last delivery.
        public var to: Double
        /// `mandatory`, `batting` or `fielding`.
        public var type: String
    }

    /// A target set by officials.
    public struct TargetScore: Codable, Sendable, Hashable {
        /// In how many overs; 8.4 is eight overs and four balls.
        public var overs: Double?
        /// How many runs win.
        public var runs: Int?
    }
}

/// The deliveries of one over.
public struct CricsheetOver: JSONRow, JSONReadable, Encodable, Sendable, Hashable {
    /// The over, from 0.
    public var over: Int
    /// In order of play, wides and no-balls too.
    public var deliveries: [CricsheetDelivery]

    /// Reads an over.
    ///
    /// - Throws: `JSONError` that names the place.
    public init(json: JSONElement) throws {
        over = try json.read("over")
        deliveries = try json.read("deliveries")
    }
}
