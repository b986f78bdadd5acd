// The numbers of a format, a competition and a season, checked once, so that no fold divides by a feed's zero.

/// The limits by which a match is folded, judged and drawn (cricket.md C.3, C.6, C.14, C.15).
///
/// What a feed says of a ball is believed over all of them: they tell what to expect where a feed is silent.
public struct RuleSet: Sendable, Hashable {
    /// Legal balls of an over (Law 17.1).
    public static let usualBallsPerOver = 6
    /// Legal balls that a feed may claim for an over: recorded are 4 in old matches to 10 in one-end games.
    public static let ballsPerOverRange = 1...20
    /// Most balls an innings may be said to have; beyond it a limit is taken as none.
    static let ballLimitMax = 100_000
    /// Wickets that end an innings.
    public static let lastWicket = 10
    /// Wickets that end an innings of a super over.
    public static let lastWicketOfSuperOver = 2
    /// Balls after which the fielding side may take a new ball in a match of two innings a side: eighty overs of six.
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
    /// What follows a tie.
    public let tieProcedure: TieProcedure
    /// The runs by which the side batting second must be behind for the follow-on; nil where there is none.
    public let followOnMargin: Int?
    /// How runs and wickets are written.
    public let scoreStyle: ScoreStyle
    /// How long the first powerplay lasts.
    let powerplay: PowerplayRule

    /// Reads the rules out of a match's frame.
    public init(_ info: MatchInfo, scoreStyle: ScoreStyle = .runsWickets) {
        self.scoreStyle = scoreStyle
        format = info.format
        ballsPerOver = Self.ballsPerOverRange.contains(info.ballsPerOver) ? info.ballsPerOver : info.format.ballsPerOver
        ballLimit = info.ballLimit.flatMap { (1...Self.ballLimitMax).contains($0) ? $0 : nil }
        let competition = Competition(info)
        noBallPenalty = competition.noBallPenalty
        freeHit = competition.freeHit
        tieProcedure = competition.tieProcedure
        followOnMargin = info.format.isLimitedOvers ? nil : Self.followOnMargin(days: competition.days)
        powerplay = competition.powerplay
    }

    /// Whether each side bats twice.
    public var hasTwoInnings: Bool { !format.isLimitedOvers }

    /// Whether balls are counted and printed, not overs.
    public var countsBalls: Bool { format == .hundred }

    /// Legal balls after which the ends change; ten in The Hundred (cricket.md C.7).
    var ballsPerEnd: Int { countsBalls ? 10 : ballsPerOver }

    /// Legal balls of an innings of a super over: one over.
    public var superOverBalls: Int { ballsPerOver }

    /// Most legal balls of one bowler in an innings: a fifth of it in whole overs, rounded up.
    ///
    /// - Parameter limit: legal balls of the innings; the format's own when nil.
    /// - Returns: legal balls; nil without a limit.
    public func bowlerQuota(limit: Int? = nil) -> Int? {
        guard format.isLimitedOvers, let balls = limit ?? ballLimit else { return nil }
        if countsBalls { return (balls + 4) / 5 }
        let overs = (balls + ballsPerOver - 1) / ballsPerOver
        return (overs + 4) / 5 * ballsPerOver
    }

    /// How long the first powerplay lasts.
    ///
    /// - Parameter limit: legal balls of the innings; the format's own when nil.
    /// - Returns: legal balls; nil where there is no powerplay.
    public func powerplayBalls(limit: Int? = nil) -> Int? {
        (limit ?? ballLimit).flatMap { powerplay.balls(ofInnings: $0, ballsPerOver: ballsPerOver) }
    }

    /// Law 14: 200 runs in five days or more, 150 in three or four, 100 in two, 75 in one.
    static func followOnMargin(days: Int) -> Int {
        switch days {
        case ...1: 75
        case 2: 100
        case 3...4: 150
        default: 200
        }
    }
}

/// After which no-balls the striker cannot be out by the bowler's doing on the next ball.
public enum FreeHitPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    case never
    /// Feeds do not say which no-balls were foot faults, so no free hit is inferred.
    case footFaults
    case allNoBalls
}

/// What follows when the scores are level at the end.
public enum TieProcedure: String, Sendable, Hashable, Codable, CaseIterable {
    /// The tie stands.
    case stands
    case bowlOut
    /// One super over; if that is level too, boundaries decide.
    case superOverThenBoundaries
    /// Super overs until one decides.
    case superOvers
}
