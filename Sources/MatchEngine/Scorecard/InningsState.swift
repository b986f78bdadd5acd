// One innings as its balls tell it: totals, card, stands, place in the over.

/// Why an innings is over.
public enum InningsEnd: String, Sendable, Hashable, Codable {
    case allOut, limitReached, targetReached, declared, forfeited
    /// The feed says so, or a later innings has begun, and the balls do not tell why.
    case closed
    /// The match ended while it was open.
    case matchOver
}

/// The scorecard of one innings.
public struct InningsState: Sendable, Hashable {
    /// The feed's frame of it.
    public internal(set) var info: InningsInfo
    /// Legal balls in an over.
    public internal(set) var ballsPerOver: Int
    /// How its score is written.
    let style: ScoreStyle
    /// Team total, penalties before and after included.
    public internal(set) var runs = 0
    /// Wickets fallen; absent batters are not among them.
    public internal(set) var wickets = 0
    /// Balls that counted.
    public internal(set) var legalBalls = 0
    /// All balls bowled.
    public internal(set) var deliveries = 0
    /// Runs that no batter made.
    public internal(set) var extras = Extras()
    /// In the order of coming in; absent batters last.
    public internal(set) var batters: [BatterLine] = []
    /// In the order of coming on.
    public internal(set) var bowlers: [BowlerLine] = []
    /// Stands in order; the last may be unbroken.
    public internal(set) var partnerships: [Partnership] = []
    /// Wickets in order.
    public internal(set) var falls: [FallOfWicket] = []
    /// Every ball in order.
    public internal(set) var balls: [BallMark] = []
    /// Overs that the umpire called before the present one.
    public internal(set) var oversCalled = 0
    /// Legal balls of the present over.
    public internal(set) var legalInOver = 0
    /// Indices of those at the crease in the order of the last ball: its striker, its non-striker.
    var pair: (Int?, Int?) {
        get { (creaseOne, creaseTwo) }
        set { (creaseOne, creaseTwo) = newValue }
    }
    private var creaseOne: Int?
    private var creaseTwo: Int?
    /// Index of who faces next; nil while unknown.
    public internal(set) var onStrike: Int?
    /// Whether `onStrike` is worked out from the last ball and not the feed's own word (cricket.md C.7).
    public internal(set) var isStrikeInferred = true
    /// Index of who bowls or bowled last.
    public internal(set) var bowler: Int?
    /// The ball bowled last.
    var lastBall: DeliveryKey?
    /// Whether the next ball is a free hit, as far as balls tell.
    public internal(set) var isFreeHitDue = false
    /// Moments of this innings in match order.
    public var moments: [Moment] { before + played + after }
    /// Moments that its frame brought, kept apart from those of its balls, which are shared and never copied.
    var before: [Moment] = []
    /// Moments that its balls brought.
    var played: [Moment] = []
    /// Its end, or the boundary just hit.
    var after: [Moment] = []

    /// Legal balls that it may last; nil without a limit.
    public internal(set) var limit: Int?
    /// Legal balls of its first powerplay by the rules; nil where there is none, or where the feed names spans.
    public internal(set) var powerplayBalls: Int?
    /// What it has to reach; nil when nothing is set.
    public internal(set) var target: Target?
    /// Why it is over; nil while it is open.
    public internal(set) var end: InningsEnd?
    /// Whether the side was made to bat again.
    public internal(set) var isFollowOn = false

    init(_ info: InningsInfo, rules: RuleSet) {
        self.info = info
        ballsPerOver = rules.ballsPerOver
        style = rules.scoreStyle
        extras.penalty = BallRuns.clamped(info.penaltyBefore) + BallRuns.clamped(info.penaltyAfter)
        runs = extras.penalty
    }

    /// Indices of those at the crease, at most two, the earlier in the order first.
    public var atCrease: [Int] { Set([creaseOne, creaseTwo].compactMap { $0 }).sorted() }

    /// Whether it is over.
    public var isClosed: Bool { end != nil }
    /// Whether it is a super over's.
    public var isSuperOver: Bool { info.superOver != nil }
    /// Whether anything of it has happened.
    public var hasBegun: Bool {
        deliveries > 0 || info.isDeclared || info.isForfeited || info.reported?.isBegun == true
    }
    /// Whether its total is the feed's own, which tells more than the balls that are known, if any: then nobody knows
    /// who is in, who bowls, or what was bowled last.
    public private(set) var isReported = false

    /// Balls by called overs: the count that is shown and that a limit is held against (cricket.md C.3).
    public var ballsCalled: Int { oversCalled * ballsPerOver + min(legalInOver, ballsPerOver) }
    /// The same as overs and balls.
    public var overs: Overs { Overs(balls: ballsCalled, ballsPerOver: ballsPerOver) }
    /// Balls left to the limit; nil without one.
    public var ballsLeft: Int? { limit.map { max(0, $0 - ballsCalled) } }
    /// Wickets that end it.
    public var lastWicket: Int { isSuperOver ? RuleSet.lastWicketOfSuperOver : RuleSet.lastWicket }
    /// Wickets still to fall, with the places of absent batters used up.
    public var wicketsLeft: Int { max(0, lastWicket - wickets - info.absent.count) }
    /// Whether the next ball belongs to a powerplay: by the feed's spans, else by the rules.
    public var isPowerplay: Bool {
        guard !isClosed, !isSuperOver else { return false }
        if let powerplayBalls { return ballsCalled < powerplayBalls }
        let next = BallLabel(over: overs.overs, ball: overs.balls + 1)
        return info.powerplays.contains { $0.first <= next && next <= $0.last }
    }
    /// Runs an over so far, `6.96`.
    public var runRate: String { Rate.text(runs: runs, balls: ballsCalled, ballsPerOver: ballsPerOver) }
    /// The unbroken stand.
    public var partnership: Partnership? { partnerships.last.flatMap { $0.isOver || isReported ? nil : $0 } }

    /// Whether the side batted on after passing a revised target: then it was a par score at which play had stopped,
    /// and the margin is counted in runs above it (cricket.md C.5).
    var wentOnBehindTarget: Bool {
        guard !isReported, let target, target.method != nil, let last = balls.last else { return false }
        return runs - last.total >= target.runs
    }

    /// Whether a wicket fell on the last ball.
    var lastBallTookWicket: Bool { !isReported && balls.last?.kind == .wicket }

    /// Takes over the feed's own total where balls tell less.
    mutating func takeReported() {
        let folded = ReportedTotal(runs: runs, wickets: wickets, balls: ballsCalled)
        guard let total = info.reported, total.isBegun, deliveries == 0 || total.isAhead(of: folded) else { return }
        isReported = true
        pair = (nil, nil)
        onStrike = nil
        bowler = nil
        isFreeHitDue = false
        let balls = min(max(0, total.balls), RuleSet.ballLimitMax)
        runs = min(max(0, total.runs), Self.reportedRunsMax)
        wickets = min(max(0, total.wickets), RuleSet.lastWicket)
        legalBalls = balls
        oversCalled = balls / ballsPerOver
        legalInOver = balls % ballsPerOver
    }

    /// Most runs that a feed may state for an innings: a hundred times the most ever made.
    private static let reportedRunsMax = 99_999

    /// `87/6`; `294` when all are out, `487/6d` when declared, `forf` when forfeited.
    public var score: String {
        if info.isForfeited && deliveries == 0 { return "forf" }
        if end == .allOut { return String(runs) }
        return style.text(runs: runs, wickets: wickets) + (info.isDeclared ? "d" : "")
    }

    /// The last six balls, or all of a present over that is longer, at most ten; oldest first.
    public var recent: [BallMark] {
        guard !isReported, let over = balls.last?.over else { return [] }
        let present = balls.suffix(10).reversed().prefix { $0.over == over }.count
        return Array(balls.suffix(max(6, present)))
    }
}
