// The texts of a result (cricket.md C.9), long for an alert, short for a line.

internal import LiveSurface

extension MatchResult {
    /// `Chennai Super Kings won by 5 wickets (with 12 balls remaining) (DLS method)`.
    ///
    /// - Parameter name: The name of a side as it is printed.
    /// - Returns: One sentence without a full stop.
    public func text(_ name: (Side) -> String) -> String { sentence(name).english }

    /// The same sentence as a key of an app's table; a rare one, such as a tie by a method, is literal.
    func sentence(_ name: (Side) -> String) -> NotificationText {
        let who = winner.map(name) ?? "Match"
        switch kind {
        case .runs(let margin):
            let keys: [NotificationKey] =
                margin == 1 ? [.wonByRun, .wonByRunMethod] : [.wonByRuns, .wonByRunsMethod]
            return NotificationText(keys[methodName == nil ? 0 : 1], [who] + Self.several(margin) + methodArgument)
        case .wickets(let margin):
            let (length, one) = (ballsLeft.map { $0 == 1 ? 1 : 2 } ?? 0, margin == 1 ? 0 : 1)
            let key = Self.wonByWickets[one][methodName == nil ? 0 : 1][length]
            let balls = ballsLeft.map(Self.several) ?? []
            return NotificationText(key, [who] + Self.several(margin) + balls + methodArgument)
        default:
            let text = plain(name)
            return methodName.map { NotificationText.literal("\(text.english) (\($0) method)") } ?? text
        }
    }

    /// By wickets (one, several), method (none, one) and balls remaining (unknown, one, several).
    private static let wonByWickets: [[[NotificationKey]]] = [
        [
            [.wonByWicket, .wonByWicketBall, .wonByWicketBalls],
            [.wonByWicketMethod, .wonByWicketBallMethod, .wonByWicketBallsMethod],
        ],
        [
            [.wonByWickets, .wonByWicketsBall, .wonByWicketsBalls],
            [.wonByWicketsMethod, .wonByWicketsBallMethod, .wonByWicketsBallsMethod],
        ],
    ]

    private var methodArgument: [String] { methodName.map { [$0] } ?? [] }

    /// `CSK won by 5 wickets (DLS)`.
    ///
    /// - Parameter name: The name of a side as it is printed.
    /// - Returns: One sentence without a full stop.
    public func shortText(_ name: (Side) -> String) -> String {
        plain(name).english + (methodName.map { " (\($0))" } ?? "")
    }

    /// One or two words for the smallest presentations: `won`, `tied`, `drawn`.
    var label: String {
        switch kind {
        case .tie: winner == nil ? "tied" : "won"
        case .draw: "drawn"
        case .noResult:
            switch status {
            case .abandoned, .abandonedNoBall: "abandoned"
            case .postponed: "postponed"
            case .cancelled: "cancelled"
            default: hasBalls ? "no result" : "abandoned"
            }
        default: winner == nil ? "ended" : "won"
        }
    }

    private var methodName: String? {
        let isDecidedByPlay = kind != .awarded && kind != .fewerWickets && kind != .noResult
        guard let method, !method.isEmpty, isDecidedByPlay else { return nil }
        return Clip.text(method, EngineLimits.Text.method)
    }

    /// The sentence without method and remaining balls.
    private func plain(_ name: (Side) -> String) -> NotificationText {
        let who = winner.map(name) ?? "Match"
        switch kind {
        case .runs(let margin): return Self.won(who, by: margin, .wonByRun, .wonByRuns)
        case .wickets(let margin): return Self.won(who, by: margin, .wonByWicket, .wonByWickets)
        case .innings(let margin): return Self.won(who, by: margin, .wonByInningsAndRun, .wonByInningsAndRuns)
        case .fewerWickets: return NotificationText(.wonByFewerWickets, who)
        case .awarded: return winner == nil ? NotificationText(.awarded) : NotificationText(.awardedTo, who)
        case .won: return winner == nil ? NotificationText(.over) : NotificationText(.won, who)
        case .tie: return winner == nil ? NotificationText(.tied) : tieBreakText(who)
        case .draw: return NotificationText(.drawn)
        case .noResult: return NotificationText(withoutResult)
        }
    }

    private static func won(
        _ who: String,
        by margin: Int,
        _ one: NotificationKey,
        _ several: NotificationKey
    ) -> NotificationText {
        NotificationText(margin == 1 ? one : several, [who] + Self.several(margin))
    }

    /// The argument of a number that the key of `1` does not have.
    private static func several(_ number: Int) -> [String] { number == 1 ? [] : [String(number)] }

    private var withoutResult: NotificationKey {
        switch status {
        case .cancelled: .cancelled
        case .postponed: .postponed
        case .abandonedNoBall: .abandonedWithoutBall
        case .abandoned: hasBalls ? .abandoned : .abandonedWithoutBall
        default: hasBalls ? .noResult : .abandonedWithoutBall
        }
    }

    private func tieBreakText(_ who: String) -> NotificationText {
        switch tieBreak {
        case "superOver": NotificationText(.tiedSuperOver, who)
        case "bowlOut": NotificationText(.tiedBowlOut, who)
        case "boundaryCount": NotificationText(.tiedBoundaryCount, who)
        default: .literal("Match tied (\(who) won the tie-break)")
        }
    }
}
