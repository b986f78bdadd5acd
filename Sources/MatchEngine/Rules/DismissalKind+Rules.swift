// Which dismissals count and who gets them (cricket.md C.2).

extension DismissalKind {
    /// Whether a wicket falls; those who retired hurt or not out may come back.
    public var countsAsWicket: Bool { self != .retiredHurt && self != .retiredNotOut }

    /// Whether the bowler gets the wicket.
    public var isCreditedToBowler: Bool {
        switch self {
        case .bowled, .lbw, .caught, .caughtAndBowled, .stumped, .hitWicket: true
        default: false
        }
    }

    /// Whether the end that the survivor stands at is unknown until the feed says.
    var leavesStrikeOpen: Bool { self == .runOut || self == .obstructingTheField || self == .other }
}
