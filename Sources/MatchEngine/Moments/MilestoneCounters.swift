// Counters beside the scorecard, so that an ordinary ball costs the milestones a few comparisons.

/// The counters of an innings' milestones.
struct MilestoneCounters: Sendable {
    /// A position in the innings, in balls called, at which something is due.
    struct Mark: Sendable {
        /// In the order of marks on one ball.
        enum Kind: Int, Sendable { case powerplayEnds, powerplayBegins, lastOver, newBall }
        let balls: Int
        let kind: Kind
    }

    /// Whether each side bats twice.
    let isOfTwoInnings: Bool
    /// Balls called at which the next mark is due; `Int.max` when none is left.
    private(set) var nextMark = Int.max
    /// The over in progress, as called.
    var over = -1
    /// Wickets of the over credited to the bowler.
    var wicketsInOver = 0
    /// Sixes of the over.
    var sixesInOver = 0
    /// Successive balls that one batter faced and hit for six.
    var sixesRunning = 0
    /// The batter who hit them, as an index into the batters.
    var hitter: Int?
    /// The bowler of the over when it counts as a maiden so far.
    var maidenBowler: Int?
    /// Whether the maiden was announced.
    var isMaidenAnnounced = false
    /// Score at the beginning of the powerplay in progress.
    var powerplayStart = (runs: 0, wickets: 0, balls: 0)
    /// Powerplays that have ended.
    var powerplays = 0
    /// Reviews so far.
    var reviews = 0
    /// Replacements so far.
    var replacements = 0
    /// Marks still due, the nearest last.
    private var marks: [Mark] = []

    init(_ info: InningsInfo, rules: RuleSet) {
        isOfTwoInnings = rules.hasTwoInnings
        guard info.superOver == nil else { return }
        marks = Self.marks(of: info, rules: rules)
            .sorted { ($0.balls, $0.kind.rawValue) > ($1.balls, $1.kind.rawValue) }
        nextMark = marks.last?.balls ?? .max
    }

    /// Removes the next mark that has been reached, and returns it.
    mutating func passMark(at balls: Int) -> Mark? {
        guard balls >= nextMark else { return nil }
        let mark = marks.popLast()
        nextMark = marks.last?.balls ?? .max
        return mark
    }

    private static func marks(of info: InningsInfo, rules: RuleSet) -> [Mark] {
        let perOver = rules.ballsPerOver
        guard rules.format.isLimitedOvers else { return [Mark(balls: RuleSet.ballsToNewBall, kind: .newBall)] }
        let given = info.target?.balls.flatMap { (1...EngineLimits.ballsOfInnings).contains($0) ? $0 : nil }
        guard let limit = given ?? rules.ballLimit else { return [] }
        var marks: [Mark] = []
        if limit > perOver { marks.append(Mark(balls: limit - perOver, kind: .lastOver)) }
        for span in spans(of: info, rules: rules, limit: limit) {
            // A powerplay that begins with the innings needs no mark: its score starts at 0/0.
            if span.lowerBound > 0 { marks.append(Mark(balls: span.lowerBound, kind: .powerplayBegins)) }
            marks.append(Mark(balls: span.upperBound, kind: .powerplayEnds))
        }
        return marks
    }

    /// Powerplays in balls called: as the feed states them, else by the format's table (cricket.md C.6).
    private static func spans(of info: InningsInfo, rules: RuleSet, limit: Int) -> [ClosedRange<Int>] {
        let perOver = rules.ballsPerOver
        if info.powerplays.isEmpty {
            return rules.powerplayBalls(limit: limit).map { [0...$0] } ?? []
        }
        return info.powerplays.prefix(EngineLimits.powerplays).compactMap { span in
            let labels = [span.first, span.last]
            guard
                labels.allSatisfy({ (0...EngineLimits.overNumber).contains($0.over) && (0...perOver).contains($0.ball) }
                )
            else { return nil }
            let from = span.first.over * perOver + max(0, span.first.ball - 1)
            let to = span.last.over * perOver + span.last.ball
            return from < to ? from...to : nil
        }
    }
}
