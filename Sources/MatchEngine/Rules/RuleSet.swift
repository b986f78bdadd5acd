// The numbers of a format, a competition and a season, validated once, so that no fold divides by a feed's zero.

/// The limits and rules of a match (cricket.md C.3, C.6, C.14, C.15).
///
/// The facts that a feed states have precedence; the rules supply those that it omits.
public struct RuleSet: Sendable, Hashable {
    /// Legal balls of an over (Law 17.1).
    public static let usualBallsPerOver = 6
    /// Legal balls of an over that a feed may state: 4 in old matches and 10 in one-end games are on record.
    public static let ballsPerOverRange = 1...20
    /// Wickets that end an innings (Law 13.3).
    public static let lastWicket = 10
    /// Wickets that end an innings of a super over.
    public static let lastWicketOfSuperOver = 2
    /// Balls after which the fielding side may take a new ball in a match of two innings a side: eighty overs of six
    /// (Law 4.4).
    static let ballsToNewBall = 480

    /// The format.
    public let format: Format
    /// Legal balls in an over, 1 to 20.
    public let ballsPerOver: Int
    /// Legal balls of an innings; nil when only time limits it.
    public let ballLimit: Int?
    /// Runs that a no-ball costs: 1, or 2 in English men's domestic cricket and The Hundred up to 2025.
    public let noBallPenalty: Int
    /// After which no-balls the next ball is a free hit.
    public let freeHit: FreeHitPolicy
    /// The tie-break procedure.
    public let tieProcedure: TieProcedure
    /// Deficit in runs of the side batting second from which the follow-on may be enforced; nil where there is none.
    public let followOnMargin: Int?
    /// How runs and wickets are written.
    public let scoreStyle: ScoreStyle
    /// The table of the first powerplay.
    let powerplay: PowerplayRule

    /// Derives the rules from a match's facts.
    ///
    /// - Parameters:
    ///   - info: The facts of the match.
    ///   - scoreStyle: How runs and wickets are written.
    public init(_ info: MatchInfo, scoreStyle: ScoreStyle = .runsWickets) {
        self.scoreStyle = scoreStyle
        format = info.format
        ballsPerOver = Self.ballsPerOverRange.contains(info.ballsPerOver) ? info.ballsPerOver : info.format.ballsPerOver
        ballLimit = info.ballLimit.flatMap { (1...EngineLimits.ballsOfInnings).contains($0) ? $0 : nil }
        let competition = Competition(info)
        noBallPenalty = competition.noBallPenalty
        freeHit = competition.freeHit
        tieProcedure = competition.tieProcedure
        followOnMargin = info.format.isLimitedOvers ? nil : Self.followOnMargin(days: competition.days ?? .max)
        powerplay = competition.powerplay
    }

    /// Whether each side bats twice (Law 13.1).
    public var hasTwoInnings: Bool { !format.isLimitedOvers }

    /// Whether balls are counted and displayed instead of overs, as in The Hundred.
    public var countsBalls: Bool { format == .hundred }

    /// Legal balls after which the bowling end changes; ten in The Hundred (cricket.md C.7).
    var ballsPerEnd: Int { countsBalls ? 10 : ballsPerOver }

    /// Legal balls of an innings of a super over: one over.
    public var superOverBalls: Int { ballsPerOver }

    /// Most legal balls of one bowler in an innings: a fifth of it in whole overs, rounded up.
    ///
    /// - Parameter limit: Legal balls of the innings; the format's own when nil.
    /// - Returns: Legal balls; nil without a limit.
    public func bowlerQuota(limit: Int? = nil) -> Int? {
        guard format.isLimitedOvers, let balls = limit ?? ballLimit else { return nil }
        if countsBalls { return (balls + 4) / 5 }
        let overs = (balls + ballsPerOver - 1) / ballsPerOver
        return (overs + 4) / 5 * ballsPerOver
    }

    /// Length of the first powerplay.
    ///
    /// - Parameter limit: Legal balls of the innings; the format's own when nil.
    /// - Returns: Legal balls; nil where there is no powerplay.
    public func powerplayBalls(limit: Int? = nil) -> Int? {
        (limit ?? ballLimit).flatMap { powerplay.balls(ofInnings: $0, ballsPerOver: ballsPerOver) }
    }

    /// Deficit that permits the follow-on (Law 14.1): 200 runs in five days or more, 150 in three or four, 100 in two,
    /// 75 in one.
    static func followOnMargin(days: Int) -> Int {
        switch days {
        case ...1: 75
        case 2: 100
        case 3...4: 150
        default: 200
        }
    }
}

/// After which no-balls the next ball is a free hit, on which the bowler can take no wicket (cricket.md C.15).
public enum FreeHitPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    case never
    /// Feeds do not say which no-balls are foot faults, so no free hit is inferred.
    case footFaults
    case allNoBalls
}

/// The procedure when the scores are level at the end (cricket.md C.10).
public enum TieProcedure: String, Sendable, Hashable, Codable, CaseIterable {
    /// The tie stands.
    case stands
    case bowlOut
    /// One super over; if it is level too, the count of boundaries decides.
    case superOverThenBoundaries
    /// Super overs until one is not level.
    case superOvers
}
