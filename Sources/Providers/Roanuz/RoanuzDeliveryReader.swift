// The rows of all pages become the balls of the match: in order, each once, with extras of a known kind.

internal import MatchEngine
internal import ScoreTypes

/// Converts rows to deliveries.
struct RoanuzDeliveryReader {
    /// Keys of innings in order of play.
    let order: [String]
    let totals: [String: RoanuzPlay.Innings]

    /// Puts rows in match order; of two rows of one ball the first counts.
    ///
    /// - Throws: `AdapterError` when there are more than `AdapterLimits.balls`.
    static func ordered(_ rows: [RoanuzPageRow]) throws(AdapterError) -> [RoanuzPageRow] {
        // The sort is stable, and takes one pass where the rows are in order already.
        var rows = rows.sorted { $0.key.number < $1.key.number }
        if zip(rows, rows.dropFirst()).contains(where: { $0.key == $1.key }) {
            var last: RoanuzBallKey?
            rows.removeAll { row in
                defer { last = row.key }
                return row.key == last
            }
        }
        try AdapterError.check(rows, atMost: AdapterLimits.balls, at: "balls")
        return rows
    }

    /// Converts rows in match order to deliveries.
    func deliveries(of rows: [RoanuzPageRow]) -> [Delivery] {
        var rows = rows
        split(&rows)
        var joined = BallsWithEvents(reserving: rows.count)
        for row in rows { joined.add(row.delivery, isBall: row.isBall) }
        return joined.balls
    }

    /// Gives each uncharged extra its kind: by the type of the ball, else by the totals.
    private func split(_ rows: inout [RoanuzPageRow]) {
        var start = 0
        while start < rows.count {
            let innings = rows[start].key.innings
            let end = rows[start...].firstIndex { $0.key.innings != innings } ?? rows.count
            let total = totals[order[innings - 1]]
            var extras = RoanuzExtras(total?.extraRuns, of: rows[start..<end], total: total?.score?.runs)
            for place in start..<end where rows[place].uncharged > 0 {
                extras.spend(rows[place].uncharged, on: rows[place].type, into: &rows[place].delivery.runs)
            }
            start = end
        }
    }
}
