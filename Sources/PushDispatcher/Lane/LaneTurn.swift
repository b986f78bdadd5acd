// An alert must wait neither for a million updates nor for five thousand notifications of another match.

/// The priority classes of a lane's requests.
enum LaneClass {
    /// Fan-outs with an alert or an end.
    case urgent
    /// Notifications and wake-ups of single devices.
    case directed
    /// Starts and ends of single devices, and reloads of their widgets.
    case lifecycle
    /// All other fan-outs.
    case ordinary
}

/// The order of the classes in a turn; a later class gets the rest of the turn.
///
/// Urgent fan-outs and notifications alternate before everything else. While no fan-out is urgent, the first place
/// rotates, so that no class waits for ever.
struct LaneTurn {
    private static let turns: [[LaneClass]] = [
        [.urgent, .directed, .lifecycle, .ordinary], [.directed, .urgent, .lifecycle, .ordinary],
        [.urgent, .lifecycle, .ordinary, .directed], [.directed, .urgent, .lifecycle, .ordinary],
        [.urgent, .ordinary, .directed, .lifecycle], [.directed, .urgent, .lifecycle, .ordinary],
    ]

    private var number = 0

    /// Begins the next turn.
    mutating func advance() { number = (number + 1) % Self.turns.count }

    /// The classes in the order of this turn.
    var classes: [LaneClass] { Self.turns[number] }
}
