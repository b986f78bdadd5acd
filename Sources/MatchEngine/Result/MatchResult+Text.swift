// The texts of a result (cricket.md C.9), long for an alert, short for a line.

extension MatchResult {
    /// `Chennai Super Kings won by 5 wickets (with 12 balls remaining) (DLS method)`.
    ///
    /// - Parameter name: The name of a side as it is printed.
    /// - Returns: One sentence without a full stop.
    public func text(_ name: (Side) -> String) -> String {
        let balls = ballsLeft.map { $0 == 1 ? " (with 1 ball remaining)" : " (with \($0) balls remaining)" } ?? ""
        let suffix = methodName.map { " (\($0) method)" } ?? ""
        return sentence(name) + balls + suffix
    }

    /// `CSK won by 5 wickets (DLS)`.
    ///
    /// - Parameter name: The name of a side as it is printed.
    /// - Returns: One sentence without a full stop.
    public func shortText(_ name: (Side) -> String) -> String {
        sentence(name) + (methodName.map { " (\($0))" } ?? "")
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

    private func sentence(_ name: (Side) -> String) -> String {
        let who = winner.map(name) ?? "Match"
        switch kind {
        case .runs(let margin): return "\(who) won by \(Self.counted(margin, "run"))"
        case .wickets(let margin): return "\(who) won by \(Self.counted(margin, "wicket"))"
        case .innings(let margin): return "\(who) won by an innings and \(Self.counted(margin, "run"))"
        case .fewerWickets: return "\(who) won by losing fewer wickets"
        case .awarded: return winner == nil ? "Match awarded" : "Match awarded to \(who)"
        case .won: return winner == nil ? "Match over" : "\(who) won"
        case .tie: return "Match tied" + (winner.map { " (\(name($0)) won \(tieBreakName))" } ?? "")
        case .draw: return "Match drawn"
        case .noResult: return withoutResult
        }
    }

    private var withoutResult: String {
        switch status {
        case .cancelled: "Match cancelled"
        case .postponed: "Match postponed"
        case .abandonedNoBall: "Match abandoned without a ball bowled"
        case .abandoned: hasBalls ? "Match abandoned" : "Match abandoned without a ball bowled"
        default: hasBalls ? "No result" : "Match abandoned without a ball bowled"
        }
    }

    private var tieBreakName: String {
        switch tieBreak {
        case "bowlOut": "the bowl-out"
        case "boundaryCount": "on boundary count"
        default: "the Super Over"
        }
    }

    private static func counted(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
