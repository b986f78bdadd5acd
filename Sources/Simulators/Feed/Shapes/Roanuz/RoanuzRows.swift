// The balls of a match laid out as Roanuz has them: by key, one over a page.

import MatchEngine

/// A row of balls: one bowled, or a wicket between two.
struct RoanuzRow: Sendable {
    let key: Int64
    let delivery: Delivery
    /// The label: over from 0, ball from 1.
    let over: Int
    let place: Int
    /// The dismissed batter.
    let dismissal: Dismissal?
    let isBall: Bool
    /// Index of its ball among all balls.
    let index: Int

    /// All rows of an innings, in order.
    static func rows(of balls: ArraySlice<Delivery>, innings: Int) -> [RoanuzRow] {
        var labels = OverLabels()
        var tries: [Int: Int] = [:]
        var rows: [RoanuzRow] = []
        for (index, delivery) in zip(balls.indices, balls) {
            let place = labels.place(of: delivery)
            // At most ten leave on one ball; the first leaves on the ball's own row.
            for number in 0..<max(1, delivery.dismissals.count) {
                let label = delivery.over * 8 + place
                let again = tries[label, default: 0]
                tries[label] = again + 1
                rows.append(
                    RoanuzRow(
                        key: Int64(innings) << 19 + Int64(label) << 6 + Int64(again),
                        delivery: delivery,
                        over: delivery.over,
                        place: place,
                        dismissal: delivery.dismissals.indices.contains(number) ? delivery.dismissals[number] : nil,
                        isBall: number == 0,
                        index: index
                    )
                )
            }
        }
        return rows
    }

    /// The type of the ball.
    var type: String {
        let runs = delivery.runs
        guard isBall else { return "normal" }
        if runs.noBalls > 0 { return "noball" }
        if runs.wides > 0 { return "wide" }
        if runs.byes > 0 { return "bye" }
        return runs.legByes > 0 ? "legbye" : "normal"
    }
}
