// Facts of an innings beside its balls: the batting side, the target, how the innings ended.

/// The score to reach, as the officials set it; a revised target is never computed here (cricket.md C.5).
public struct Target: Sendable, Hashable, Codable {
    /// Runs with which the side wins; 0 beside a method means that the officials revised the target and the feed lacks
    /// it.
    public let runs: Int
    /// Legal balls in which to reach it; nil without a limit.
    public let balls: Int?
    /// The method of a revision as the feed names it: `DLS`, `D/L`, `VJD`.
    public let method: String?
    /// Makes a target.
    public init(runs: Int, balls: Int? = nil, method: String? = nil) {
        self.runs = runs
        self.balls = balls
        self.method = method
    }
}

/// The batters at the crease as the feed states them, which may be known before the next ball.
public struct Crease: Sendable, Hashable, Codable {
    /// The batter who faces the next ball; nil when the feed does not say.
    public var striker: Player?
    /// The batter at the other end; nil when the feed does not say.
    public var nonStriker: Player?
    /// Makes the pair of batters.
    public init(striker: Player? = nil, nonStriker: Player? = nil) {
        self.striker = striker
        self.nonStriker = nonStriker
    }
}

/// The facts of one innings.
public struct InningsInfo: Sendable, Hashable, Codable {
    /// Number of the innings in the match, from 1, super overs included.
    public var ordinal: Int
    /// The batting side.
    public var batting: Side
    /// Number of the super over, from 1; nil for an ordinary innings.
    public var superOver: Int?
    /// The score to reach; nil when the feed states none.
    public var target: Target?
    /// Whether the captain declared the innings closed (Law 15.1).
    public var isDeclared: Bool
    /// Whether the captain forfeited the innings (Law 15.2).
    public var isForfeited: Bool
    /// Whether the feed says that the innings is over, for any reason.
    public var isClosed: Bool
    /// Players who could not bat; each counts as a wicket for the end of the innings.
    public var absent: [Player]
    /// Penalty runs awarded to the batting side before this innings began.
    public var penaltyBefore: Int
    /// Penalty runs awarded to the batting side after this innings had ended.
    public var penaltyAfter: Int
    /// Powerplays, by the labels of their first and last ball; empty when the feed states none.
    public var powerplays: [Powerplay]
    /// The batters at the crease; nil when only the balls show it.
    public var crease: Crease?
    /// The total that a feed without balls states, beside which the balls of another feed may be known; nil otherwise.
    public var reported: ReportedTotal?

    /// Makes the facts of an innings.
    public init(
        ordinal: Int,
        batting: Side,
        superOver: Int? = nil,
        target: Target? = nil,
        isDeclared: Bool = false,
        isForfeited: Bool = false,
        isClosed: Bool = false,
        absent: [Player] = [],
        penaltyBefore: Int = 0,
        penaltyAfter: Int = 0,
        powerplays: [Powerplay] = [],
        crease: Crease? = nil,
        reported: ReportedTotal? = nil
    ) {
        self.ordinal = ordinal
        self.batting = batting
        self.superOver = superOver
        self.target = target
        self.isDeclared = isDeclared
        self.isForfeited = isForfeited
        self.isClosed = isClosed
        self.absent = absent
        self.penaltyBefore = penaltyBefore
        self.penaltyAfter = penaltyAfter
        self.powerplays = powerplays
        self.crease = crease
        self.reported = reported
    }
}

/// A powerplay, by the labels of its first and last ball (cricket.md C.6).
public struct Powerplay: Sendable, Hashable, Codable {
    /// The feed's name for it, such as `mandatory`.
    public let kind: String
    /// Label of the first ball.
    public let first: BallLabel
    /// Label of the last ball.
    public let last: BallLabel
    /// Makes a powerplay.
    public init(kind: String, first: BallLabel, last: BallLabel) {
        self.kind = kind
        self.first = first
        self.last = last
    }
}

/// The printed position of a ball, `12.3`: neither an identity nor an order nor a decimal (cricket.md E 1, 2).
public struct BallLabel: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// Overs before this one.
    public let over: Int
    /// Number in the over from 1; a wide or no-ball has the number of the legal ball that replaces it.
    public let ball: Int
    /// Makes a label.
    public init(over: Int, ball: Int) {
        self.over = over
        self.ball = ball
    }
    /// Orders by over, then by ball.
    public static func < (left: BallLabel, right: BallLabel) -> Bool {
        (left.over, left.ball) < (right.over, right.ball)
    }
    /// `over.ball`.
    public var description: String { "\(over).\(ball)" }
}
