// The mark of one ball; small and flat, since a Test has three thousand.

/// One delivery as a scorer marks it.
public struct BallMark: Sendable, Hashable {
    /// The kind of ball, which selects the first characters of the mark.
    enum Kind: UInt8 { case runs, wide, noBall, byes, legByes, penalty, wicket }
    let kind: Kind
    /// All runs of the ball.
    let runs: Int16
    /// The over, from 0.
    let over: Int32
    /// Whether the ball counts towards the over.
    public let isLegal: Bool
    /// Whether the ball reached the boundary off the bat.
    public let isBoundary: Bool
    /// Whether the ball has runs beside the penalty of a wide or no-ball.
    private let hasMore: Bool

    /// Marks a delivery.
    init(_ parts: BallRuns, over: Int, isLegal: Bool, isWicket: Bool, noBallPenalty: Int = 1) {
        self.isLegal = isLegal
        isBoundary = parts.isFour || parts.isSix
        // The feed's number is believed where it is lower; a higher one has byes or runs among the no-balls.
        hasMore = parts.total > (parts.noBalls > 0 ? min(parts.noBalls, noBallPenalty) : 1)
        self.over = Int32(truncatingIfNeeded: over)
        runs = Int16(truncatingIfNeeded: min(parts.total, Int(Int16.max)))
        kind =
            if isWicket {
                .wicket
            } else if parts.noBalls > 0 {
                .noBall
            } else if parts.wides > 0 {
                .wide
            } else if parts.legByes > 0 {
                .legByes
            } else if parts.byes > 0 {
                .byes
            } else if parts.penalty > 0 {
                .penalty
            } else {
                .runs
            }
    }

    /// Runs that the side gained.
    var total: Int { Int(runs) }

    /// `.`, `1`, `4`, `W`, `wd`, `wd3`, `nb5`, `b1`, `lb2`, `p5`; the number is the runs that the side gained.
    public var text: String {
        switch kind {
        case .wicket: "W"
        case .runs: runs == 0 ? "." : String(runs)
        case .wide: hasMore ? "wd\(runs)" : "wd"
        case .noBall: hasMore ? "nb\(runs)" : "nb"
        case .byes: "b\(runs)"
        case .legByes: "lb\(runs)"
        case .penalty: "p\(runs)"
        }
    }

    /// Text for the minimal presentation: `W`, `4` or `6`; nil for other balls.
    var flash: String? {
        if kind == .wicket { return "W" }
        return isBoundary && kind == .runs ? String(runs) : nil
    }
}

/// The runs of a delivery, limited so that sums of invalid numbers cannot overflow.
struct BallRuns {

    let bat: Int
    let wides: Int
    let noBalls: Int
    let byes: Int
    let legByes: Int
    let penalty: Int
    let isFour: Bool
    let isSix: Bool

    init(_ runs: DeliveryRuns, isAllRun: Bool) {
        bat = Self.clamped(runs.bat)
        wides = Self.clamped(runs.wides)
        noBalls = Self.clamped(runs.noBalls)
        byes = Self.clamped(runs.byes)
        legByes = Self.clamped(runs.legByes)
        penalty = Self.clamped(runs.penalty)
        isFour = bat == 4 && !isAllRun
        isSix = bat == 6 && !isAllRun
    }

    /// Runs that the side gains.
    var total: Int { bat + wides + noBalls + byes + legByes + penalty }
    /// Runs charged to the bowler (Law 18): off the bat, wides, no-balls.
    var charged: Int { bat + wides + noBalls }
    /// Whether a batter faced the ball: not a wide; the call of no-ball overrides that of wide (Law 21.13).
    var isFaced: Bool { wides == 0 || noBalls > 0 }
    /// Runs that the batters completed, which decide who is on strike; a boundary counts as even.
    var ran: Int { (isFour || isSix ? 0 : bat) + byes + legByes + max(0, wides - 1) }

    static func clamped(_ runs: Int) -> Int { min(max(runs, 0), EngineLimits.runsOfBallPart) }
    static func clampedOver(_ over: Int) -> Int { min(max(over, 0), EngineLimits.overNumber) }
}
