// Some feeds report a wicket or penalty runs between two balls as a row of its own.

internal import MatchEngine

/// Joins balls and events between balls, which are rows without a ball.
struct BallsWithEvents {
    /// The balls, in the order of the rows.
    private(set) var balls: [Delivery] = []
    private var waiting: [Delivery] = []

    init(reserving count: Int) { balls.reserveCapacity(count) }

    /// Adds a row; an event belongs to the ball before it in its innings, else to the one after.
    mutating func add(_ row: Delivery, isBall: Bool) {
        if isBall {
            var ball = row
            for event in waiting where event.innings == row.innings { ball.take(event) }
            waiting.removeAll()
            balls.append(ball)
        } else if let last = balls.last, last.innings == row.innings {
            balls[balls.count - 1].take(row)
        } else {
            waiting.append(row)
        }
    }
}

extension Delivery {
    /// Takes the penalty runs and the dismissals of an event.
    fileprivate mutating func take(_ event: Delivery) {
        runs.penalty += event.runs.penalty
        dismissals += event.dismissals
    }
}
