// Webhooks tell of matches that nobody polls with every ball; the list need not be read with every ball for it.

internal import ScoreTypes

/// When the list is read again.
///
/// ```
/// read ──the cadence, or the back-off after a failure──▶ read
///   ├── a notice about a match that is not polled: `noticeFloor` after the last reading began, never in a back-off
///   └── an order, of an operator or of this server: at once
/// ```
struct ListTurn: Sendable {
    /// Domain time between two readings that notices ask for: a new match is found soon, and a match that is told of
    /// and never polled costs six lists a minute at the most.
    static let noticeFloor: Duration = .seconds(10)

    private var beganAt: Duration = .zero
    private var due: Duration = .zero
    /// The earliest time for a notice.
    private var earliest: Duration = .zero
    private var isNoticed = false
    private var isOrdered = false

    /// A reading begins, which answers whatever has asked for it; times by the monotonic clock.
    mutating func begins(now: Duration) {
        beganAt = now
        (isNoticed, isOrdered) = (false, false)
    }

    /// The reading has ended; a clock scales the floor.
    mutating func ended(_ reading: ListReading, clock: ServiceClock) {
        switch reading {
        case .read(let next):
            due = clock.monotonic + next
            earliest = beganAt + clock.real(Self.noticeFloor, floor: Cadence.slowFloor)
        case .failed(let wait):
            due = clock.monotonic + wait
            earliest = due
        }
    }

    /// There may be a new match.
    mutating func notice() { isNoticed = true }

    /// The list is wanted at once.
    mutating func order() { isOrdered = true }

    /// Real time until the next reading; zero when it is due.
    func wait(now: Duration) -> Duration {
        if isOrdered { return .zero }
        return max((isNoticed ? min(due, earliest) : due) - now, .zero)
    }
}
