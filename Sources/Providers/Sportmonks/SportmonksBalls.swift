// From one reply to the next a row or two change; the rows before them are not converted again.

internal import MatchEngine
internal import ScoreTypes

/// The balls of a fixture, and the rows that they were made of.
///
/// Balls are ordered by innings, over and id, since labels repeat and rows may be in any order.
struct SportmonksBalls: Sendable {
    /// The deliveries, in match order.
    let deliveries: [Delivery]
    private let reader: SportmonksBallReader
    private let rows: [SportmonksBall]
    /// The balls in the order of the rows.
    private let balls: [SportmonksPlacedBall]

    /// Converts rows; those at the front that have not changed are taken from an earlier state.
    init(
        _ rows: [SportmonksBall],
        _ reader: SportmonksBallReader,
        after earlier: SportmonksBalls?
    ) throws(AdapterError) {
        try AdapterError.check(rows, atMost: AdapterLimits.balls, at: "data.balls")
        var balls: [SportmonksPlacedBall] = []
        if let earlier, earlier.reader == reader {
            var known = 0
            while known < min(rows.count, earlier.rows.count), rows[known] === earlier.rows[known] { known += 1 }
            balls = Array(earlier.balls.prefix(known))
        }
        balls.reserveCapacity(rows.count)
        for index in balls.count..<rows.count {
            balls.append(try reader.ball(rows[index], at: "data.balls[\(index)]"))
        }
        var seen = Set<Int>(minimumCapacity: rows.count)
        // The same id in another over is the same ball.
        if let index = balls.firstIndex(where: { !seen.insert($0.id).inserted }) {
            throw .contradiction(path: "data.balls[\(index)].id", expected: "each id once")
        }
        var ordered = balls.sorted { $0.delivery.order < $1.delivery.order }
        Self.playInOrder(&ordered)
        var joined = BallsWithEvents(reserving: ordered.count)
        for ball in ordered { joined.add(ball.delivery, isBall: ball.inOver.isBall) }
        deliveries = joined.balls
        (self.reader, self.rows, self.balls) = (reader, rows, balls)
    }

    /// Moves late insertions to their place; the orders of an over are assigned again, each once.
    private static func playInOrder(_ balls: inout [SportmonksPlacedBall]) {
        var start = 0
        while start < balls.count {
            let end = balls[start...].firstIndex { !$0.isInOver(of: balls[start]) } ?? balls.count
            defer { start = end }
            guard let order = SportmonksOverOrder.byLabels(balls[start..<end].map(\.inOver)) else { continue }
            let over = Array(balls[start..<end])
            for (place, index) in order.enumerated() {
                balls[start + place] = over[index]
                balls[start + place].delivery.order = over[place].delivery.order
            }
        }
    }
}
