// What a feed says about an innings beside its balls: who bats, the target, how it was closed.

/// What a side has to reach, as officials set it; never computed here when revised (cricket.md C.5).
public struct Target: Sendable, Hashable, Codable {
    /// Runs with which the side wins; 0 beside a method: officials have set another target, and the feed not told it.
    public let runs: Int
    /// Balls in which to reach it, when the innings is limited.
    public let balls: Int?
    /// `DLS`, `D/L`, `VJD`: the name the feed gives to a revision.
    public let method: String?
    /// Sets a target.
    public init(runs: Int, balls: Int? = nil, method: String? = nil) {
        self.runs = runs
        self.balls = balls
        self.method = method
    }
}

/// Who is in now, as the feed says it; known before the next ball tells it.
public struct Crease: Sendable, Hashable, Codable {
    /// Who faces the next ball; nil when the feed does not say.
    public let striker: Player?
    /// Who stands at the other end; nil when the feed does not say.
    public let nonStriker: Player?
    /// Describes the crease.
    public init(striker: Player? = nil, nonStriker: Player? = nil) {
        self.striker = striker
        self.nonStriker = nonStriker
    }
}

/// The frame of one innings.
public struct InningsInfo: Sendable, Hashable, Codable {
    /// 1 for the first innings of the match, counting super overs too.
    public var ordinal: Int
    /// Who bats.
    public var batting: Side
    /// nil for an ordinary innings; 1 for the first super over, 2 for the second.
    public var superOver: Int?
    /// What the side has to reach; nil when it sets the score.
    public var target: Target?
    /// Closed by the batting captain.
    public var isDeclared: Bool
    /// Given up before a ball.
    public var isForfeited: Bool
    /// The feed's own word that the innings is over (its limit reached, abandoned, conceded …).
    public var isClosed: Bool
    /// Those who could not bat; each uses up a wicket's place.
    public var absent: [Player]
    /// Penalty runs given to this side before this innings began.
    public var penaltyBefore: Int
    /// Penalty runs given to this side after this innings had ended.
    public var penaltyAfter: Int
    /// Spans of legal balls in a powerplay, from and to, counted from 0; empty when the feed names none.
    public var powerplays: [Powerplay]
    /// Who is in now; nil when only balls tell.
    public var crease: Crease?
    /// The total of a feed that has no balls, beside which those of another may be known; nil of one that has.
    public var reported: ReportedTotal?

    /// Describes one innings.
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

/// A phase with fielding limits, by the labels of its first and last ball.
public struct Powerplay: Sendable, Hashable, Codable {
    /// The feed's word, such as `mandatory`.
    public let kind: String
    /// Label of the first ball as (over from 0, ball from 1).
    public let first: BallLabel
    /// Label of the last ball.
    public let last: BallLabel
    /// Describes one phase.
    public init(kind: String, first: BallLabel, last: BallLabel) {
        self.kind = kind
        self.first = first
        self.last = last
    }
}

/// The printed place of a ball, `12.3`: a label, neither an identity nor an order nor a decimal (cricket.md E 1, 2).
public struct BallLabel: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// Overs before this one.
    public let over: Int
    /// 1 for the first legal ball of the over; wides and no-balls carry the number of the ball that replaces them.
    public let ball: Int
    /// Joins over (from 0) and ball (from 1).
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
