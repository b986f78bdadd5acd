// The text of a dismissal, as scorecards print it (cricket.md C.11).

/// Formats dismissals, such as `c Kohli b Bumrah`.
enum HowOut {
    /// The text of a dismissal; `fielding` is the side whose surnames are printed.
    static func text(_ dismissal: Dismissal, bowler: Player?, fielding: Side, names: PlayerNames) -> String {
        let bowled = bowler.map { names.short($0.name, of: fielding) }
        let credit = bowled.map { " b \($0)" } ?? ""
        func fielder(_ index: Int) -> String? {
            guard dismissal.fielders.indices.contains(index) else { return nil }
            return name(dismissal.fielders[index], of: fielding, names)
        }
        switch dismissal.kind {
        case .bowled: return bowled.map { "b \($0)" } ?? "bowled"
        case .lbw: return "lbw\(credit)"
        case .caughtAndBowled: return bowled.map { "c & b \($0)" } ?? "caught and bowled"
        case .caught:
            if let bowler, dismissal.fielders.first?.name == bowler.name { return "c & b \(bowled ?? "")" }
            return fielder(0).map { "c \($0)\(credit)" } ?? "caught\(credit)"
        case .stumped: return fielder(0).map { "st \(PlayerNames.marked($0))\(credit)" } ?? "stumped\(credit)"
        case .hitWicket: return "hit wicket\(credit)"
        case .runOut:
            let throwers = dismissal.fielders.map { name($0, of: fielding, names) }
            return throwers.isEmpty ? "run out" : "run out (\(throwers.joined(separator: "/")))"
        case .obstructingTheField: return "obstructing the field"
        case .hitTheBallTwice: return "hit the ball twice"
        case .timedOut: return "timed out"
        case .handledTheBall: return "handled the ball"
        case .retiredOut: return "retired out"
        case .retiredHurt: return "retired hurt"
        case .retiredNotOut: return "retired not out"
        case .other: return "out"
        }
    }

    private static func name(_ fielder: Fielder, of side: Side, _ names: PlayerNames) -> String {
        guard let name = fielder.name, !name.isEmpty else { return "sub" }
        return fielder.isSubstitute ? "sub (\(names.short(name, of: side)))" : names.fielder(name, of: side)
    }
}
