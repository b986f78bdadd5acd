// An alert must wait neither for a million updates nor for five thousand notifications of another match.

/// The priority classes of a lane's requests.
enum LaneClass {
    /// Fan-outs with an alert or an end.
    case urgent
    /// Notifications and wake-ups of single devices.
    case directed
    /// Starts and ends of single devices.
    case lifecycle
    /// All other fan-outs.
    case ordinary
}

/// The order of the classes in a turn; a later class gets the rest of the turn.
///
/// Urgent fan-outs and notifications alternate before everything else. While no fan-out is urgent, the first place
/// rotates, so that no class waits for ever.
struct LaneTurn {
    static let placeCount = 4
    private static let turnCount = 6

    private var number = 0

    /// Begins the next turn.
    mutating func advance() { number = number + 1 < Self.turnCount ? number + 1 : 0 }

    /// The class of a place in this turn, from 0.
    func place(_ place: Int) -> LaneClass {
        switch (number, place) {
        case (0, 0), (2, 0), (4, 0): .urgent
        case (0, 1): .directed
        case (0, 2): .lifecycle
        case (0, _): .ordinary
        case (2, 1): .lifecycle
        case (2, 2): .ordinary
        case (2, _): .directed
        case (4, 1): .ordinary
        case (4, 2): .directed
        case (4, _): .lifecycle
        case (_, 0): .directed
        case (_, 1): .urgent
        case (_, 2): .lifecycle
        default: .ordinary
        }
    }
}
