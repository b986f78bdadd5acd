// One word tells what kind of ball it was, and through it what its extras are.

/// What kind of ball it was; the kind of its extras follows, except on a no-ball.
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

    /// Whether the bowler is charged for it and the ball does not count.
    var charges: Bool { self == .wide || self == .noBall }
}
