// One value gives the type of a ball and the kind of its extras.

/// The type of a ball; the kind of its extras follows, except on a no-ball.
enum RoanuzBallType: Sendable, Hashable {
    case normal, wide, noBall, bye, legBye

    init?(_ word: String) {
        switch word {
        case "normal": self = .normal
        case "wide": self = .wide
        case "noball", "no_ball": self = .noBall
        case "bye": self = .bye
        case "legbye", "leg_bye": self = .legBye
        default: return nil
        }
    }

    /// Whether it is a wide or a no-ball: charged to the bowler, and not counted in the over.
    var charges: Bool { self == .wide || self == .noBall }
}
