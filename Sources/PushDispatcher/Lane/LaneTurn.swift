// An alert must not wait behind a million pictures, nor behind five thousand notifications of another match.

/// What a lane's requests are for, as far as it decides who goes first.
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

/// Who goes first in a turn; who comes later gets what is left of it.
///
/// Urgent fan-outs and notifications take turns, and everything else waits for them. While no fan-out is urgent, nobody
/// waits for ever: the first place goes round.
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
