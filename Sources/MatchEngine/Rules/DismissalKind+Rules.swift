// Which dismissals count as wickets, and which are credited to the bowler (cricket.md C.2).

extension DismissalKind {
    /// Whether a wicket falls; a batter who retired hurt or not out may resume the innings (Law 25.4.2).
    public var countsAsWicket: Bool { self != .retiredHurt && self != .retiredNotOut }

    /// Whether the wicket is credited to the bowler.
    public var isCreditedToBowler: Bool {
        switch self {
        case .bowled, .lbw, .caught, .caughtAndBowled, .stumped, .hitWicket: true
        default: false
        }
    }

    /// Whether the end of the remaining batter is unknown until the feed states it.
    var leavesStrikeOpen: Bool { self == .runOut || self == .obstructingTheField || self == .other }
}
