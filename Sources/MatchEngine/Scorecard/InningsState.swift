// The scorecard of one innings: totals, rows, partnerships, position in the over.

/// The reason why an innings is over.
public enum InningsEnd: String, Sendable, Hashable, Codable {
    case allOut, limitReached, targetReached, declared, forfeited
    /// The feed says so, or a later innings has begun, and the balls show no reason.
    case closed
    /// The match ended while the innings was open.
    case matchOver
}

/// The scorecard of one innings.
public struct InningsState: Sendable, Hashable {
    /// The facts of the innings as the feed states them.
    public internal(set) var info: InningsInfo
    /// Legal balls of an over.
    public internal(set) var ballsPerOver: Int
    /// How runs and wickets are written.
    let style: ScoreStyle
    /// Total of the side, penalty runs before and, once its balls are folded, after the innings included.
    public internal(set) var runs = 0
    /// Wickets fallen; absent batters are not counted.
    public internal(set) var wickets = 0
    /// Legal balls.
    public internal(set) var legalBalls = 0
    /// All balls bowled.
    public internal(set) var deliveries = 0
    /// Extras.
    public internal(set) var extras = Extras()
    /// Batters in the order in which they came in; absent batters last.
    public internal(set) var batters: [BatterLine] = []
    /// Bowlers in the order in which they came on.
    public internal(set) var bowlers: [BowlerLine] = []
    /// Partnerships in order; the last may be unbroken.
    public internal(set) var partnerships: [Partnership] = []
    /// Falls of wicket in order.
    public internal(set) var falls: [FallOfWicket] = []
    /// Every ball in order.
    public internal(set) var balls: [BallMark] = []
    /// Overs that the umpire called before the one in progress.
    public internal(set) var oversCalled = 0
    /// Legal balls of the over in progress.
    public internal(set) var legalInOver = 0
    /// Indices of the batters at the crease: the striker of the last ball, then the non-striker.
    var pair: (Int?, Int?) {
        get { (creaseOne, creaseTwo) }
        set { (creaseOne, creaseTwo) = newValue }
    }
    private var creaseOne: Int?
    private var creaseTwo: Int?
    /// Index of the batter who faces next; nil while unknown.
    public internal(set) var onStrike: Int?
    /// Whether `onStrike` is derived from the last ball and not stated by the feed (cricket.md C.7).
    public internal(set) var isStrikeInferred = true
    /// Index of the bowler of the over in progress, or of the last one.
    public internal(set) var bowler: Int?
    /// The last ball bowled.
    var lastBall: DeliveryKey?
    /// Whether the next ball is a free hit, as derived from the balls (cricket.md C.15).
    public internal(set) var isFreeHitDue = false
    /// Moments of this innings in match order.
    public var moments: [Moment] { before + played + after }
    /// Moments before its first ball; separate from those of its balls, which are shared and never copied.
    var before: [Moment] = []
    /// Moments of its balls.
    var played: [Moment] = []
    /// Its end, or the newest boundary.
    var after: [Moment] = []

    /// Legal balls that it may last; nil without a limit.
    public internal(set) var limit: Int?
    /// Whether the limit is the length of the innings, and not only the longest one that it may have.
    public internal(set) var isLimitCertain = true
    /// Legal balls of its first powerplay by the rules; nil where there is none, or where the feed states spans.
    public internal(set) var powerplayBalls: Int?
    /// The score to reach; nil without a target.
    public internal(set) var target: Target?
    /// Why it is over; nil while it is open.
    public internal(set) var end: InningsEnd?
    /// Whether the side follows on (Law 14).
    public internal(set) var isFollowOn = false

    init(_ info: InningsInfo, rules: RuleSet) {
        self.info = info
        ballsPerOver = rules.ballsPerOver
        style = rules.scoreStyle
        extras.penalty = BallRuns.clamped(info.penaltyBefore)
        runs = extras.penalty
    }

    /// Indices of the batters at the crease, at most two, the earlier in the batting order first.
    public var atCrease: [Int] { Set([creaseOne, creaseTwo].compactMap { $0 }).sorted() }

    /// Whether the innings is over.
    public var isClosed: Bool { end != nil }
    /// Whether it is the innings of a super over.
    public var isSuperOver: Bool { info.superOver != nil }
    /// Whether the innings has begun: a ball, a declaration, a forfeiture or a reported total.
    public var hasBegun: Bool {
        deliveries > 0 || info.isDeclared || info.isForfeited || info.reported?.isBegun == true
    }
    /// Whether the total is the feed's own, because it includes more than the known balls.
    ///
    /// Batters at the crease, bowler and last ball are unknown then.
    public private(set) var isReported = false

    /// Legal balls by called overs, which are displayed and compared with the limit (cricket.md C.3).
    public var ballsCalled: Int { oversCalled * ballsPerOver + min(legalInOver, ballsPerOver) }
    /// The same, as overs and balls.
    public var overs: Overs { Overs(balls: ballsCalled, ballsPerOver: ballsPerOver) }
    /// Legal balls left; nil without a limit, and where a shorter one may apply that the feed does not state.
    public var ballsLeft: Int? { isLimitCertain ? limit.map { max(0, $0 - ballsCalled) } : nil }
    /// Wickets that end the innings.
    public var lastWicket: Int { isSuperOver ? RuleSet.lastWicketOfSuperOver : RuleSet.lastWicket }
    /// Wickets still to fall; absent batters count as fallen.
    public var wicketsLeft: Int { max(0, lastWicket - wickets - info.absent.count) }
    /// Whether the next ball belongs to a powerplay, by the feed's spans, else by the rules (cricket.md C.6).
    public var isPowerplay: Bool {
        guard !isClosed, !isSuperOver else { return false }
        if let powerplayBalls { return ballsCalled < powerplayBalls }
        let next = BallLabel(over: overs.overs, ball: overs.balls + 1)
        return info.powerplays.contains { $0.first <= next && next <= $0.last }
    }
    /// Runs an over so far, `6.96`; `0.00` before the first legal ball.
    public var runRate: String { Rate.text(runs: runs, balls: ballsCalled, ballsPerOver: ballsPerOver) }
    /// The unbroken partnership.
    public var partnership: Partnership? { partnerships.last.flatMap { $0.isOver || isReported ? nil : $0 } }

    /// Whether the side batted on after reaching a revised target.
    ///
    /// The target was a par score at which play had stopped, and the margin is counted in runs above it (cricket.md
    /// C.5).
    var battedOnAfterTarget: Bool {
        guard !isReported, let target, target.method != nil, let last = balls.last else { return false }
        return runs - last.total >= target.runs
    }

    /// Whether a wicket fell on the last ball.
    var lastBallTookWicket: Bool { !isReported && balls.last?.kind == .wicket }

    /// Adds the penalty runs awarded after the innings, which are in the score of no ball and no wicket of it
    /// (cricket.md C.11).
    mutating func addPenaltyAfter() {
        let awarded = BallRuns.clamped(info.penaltyAfter)
        extras.penalty += awarded
        runs += awarded
    }

    /// Adopts the feed's own total where it includes more than the known balls.
    mutating func takeReported() {
        let folded = ReportedTotal(runs: runs, wickets: wickets, balls: ballsCalled)
        guard let total = info.reported, total.isBegun, deliveries == 0 || total.isAhead(of: folded) else { return }
        isReported = true
        pair = (nil, nil)
        onStrike = nil
        bowler = nil
        isFreeHitDue = false
        let balls = min(max(0, total.balls), EngineLimits.ballsOfInnings)
        runs = min(max(0, total.runs), EngineLimits.reportedRuns)
        wickets = min(max(0, total.wickets), RuleSet.lastWicket)
        legalBalls = balls
        oversCalled = balls / ballsPerOver
        legalInOver = balls % ballsPerOver
    }

    /// `87/6`; `294` when all out, `487/6d` when declared, `forf` when forfeited (cricket.md C.16).
    public var score: String {
        if info.isForfeited && deliveries == 0 { return "forf" }
        if end == .allOut { return String(runs) }
        return style.text(runs: runs, wickets: wickets) + (info.isDeclared ? "d" : "")
    }

    /// The last six balls, or all balls of a longer over in progress, at most ten; oldest first.
    public var recent: [BallMark] {
        guard !isReported, let over = balls.last?.over else { return [] }
        let present = balls.suffix(10).reversed().prefix { $0.over == over }.count
        return Array(balls.suffix(max(6, present)))
    }
}
