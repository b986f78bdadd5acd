// Balls are ordered by innings, over and id, since labels repeat and rows may be in any order.

internal import MatchEngine
internal import ScoreTypes

/// Reads `balls`.
struct SportmonksDeliveryReader {
    let people: SportmonksPeople
    let table: SportmonksScoreTable
    let order: SportmonksInningsOrder

    func deliveries(of rows: [SportmonksBall]) throws(AdapterError) -> [Delivery] {
        try AdapterError.check(rows, atMost: AdapterLimits.balls, at: "data.balls")
        var placed: [Placed] = []
        placed.reserveCapacity(rows.count)
        var seen = Set<Int>(minimumCapacity: rows.count)
        for (index, row) in rows.enumerated() {
            // The same id in another over is the same ball.
            guard seen.insert(row.id).inserted else {
                throw .contradiction(path: "data.balls[\(index)].id", expected: "each id once")
            }
            placed.append(try place(row, at: index))
        }
        placed.sort { $0.order < $1.order }
        playInOrder(&placed, rows)
        var joined = BallsWithEvents(reserving: rows.count)
        for row in placed { joined.add(try delivery(of: rows[row.index], row), isBall: row.meaning.isBall) }
        return joined.balls
    }

    /// Moves late insertions to their place; the orders of an over are assigned again, each once.
    private func playInOrder(_ placed: inout [Placed], _ rows: [SportmonksBall]) {
        var start = 0
        while start < placed.count {
            let end = placed[start...].firstIndex { !$0.isInOver(of: placed[start]) } ?? placed.count
            defer { start = end }
            let over = Array(placed[start..<end])
            let order = SportmonksOverOrder.byLabels(
                over.map { row in
                    let ball = rows[row.index]
                    let tenths = (ball.ball.value - Double(row.over)) * 10
                    let crease = [ball.batsmanOneOnCreezeId, ball.batsmanTwoOnCreezeId].compactMap { $0 }
                    return .init(
                        place: Int(tenths.rounded()),
                        isBall: row.meaning.isBall,
                        isLegal: row.meaning.isLegal,
                        out: row.meaning.dismissal == nil ? nil : ball.batsmanoutId ?? ball.batsmanId,
                        crease: crease.count == 2 ? crease : nil
                    )
                }
            )
            guard let order else { continue }
            for (place, index) in order.enumerated() {
                placed[start + place] = over[index]
                placed[start + place].order = over[place].order
            }
        }
    }

    private struct Placed {
        let index: Int
        let innings: Int
        let over: Int
        let meaning: SportmonksMeaning
        var order: OrderKey
        var path: String { "data.balls[\(index)]" }

        func isInOver(of other: Placed) -> Bool { innings == other.innings && over == other.over }
    }

    private func place(_ row: SportmonksBall, at index: Int) throws(AdapterError) -> Placed {
        let label = row.ball.value
        guard label >= 0, label <= Double(AdapterLimits.overs) else {
            throw .outOfRange(path: "data.balls[\(index)].ball", expected: "0 to \(AdapterLimits.overs)")
        }
        try AdapterError.check(row.id, in: 0...AdapterLimits.rowID, at: "data.balls[\(index)].id")
        let innings = try order.ordinal(of: row.scoreboard, at: "data.balls[\(index)].scoreboard")
        let over = Int(label)
        let key = Int64(innings) << 57 | Int64(over) << 43 | Int64(row.id)
        let meaning = try table.meaning(of: row, at: "data.balls[\(index)]")
        return Placed(index: index, innings: innings, over: over, meaning: meaning, order: OrderKey(key))
    }

    private func delivery(
        of row: SportmonksBall,
        _ placed: Placed
    ) throws(AdapterError) -> Delivery {
        let meaning = placed.meaning
        let pair = [row.batsmanOneOnCreezeId, row.batsmanTwoOnCreezeId]
        let other = pair.first { $0 != row.batsmanId && $0 != nil } ?? nil
        return Delivery(
            key: DeliveryKey(String(row.id)),
            order: placed.order,
            innings: placed.innings,
            over: placed.over,
            striker: people.player(row.batsmanId),
            nonStriker: people.player(ifGiven: other),
            bowler: people.player(row.bowlerId),
            runs: meaning.runs,
            isLegal: meaning.isLegal,
            isAllRun: !meaning.isBoundary && (meaning.runs.bat == 4 || meaning.runs.bat == 6),
            dismissals: try dismissal(of: row, meaning, placed).map { [$0] } ?? [],
            occurredAt: row.updatedAt.flatMap(ISO8601.seconds)
        )
    }

    private func dismissal(
        of row: SportmonksBall,
        _ meaning: SportmonksMeaning,
        _ placed: Placed
    ) throws(AdapterError) -> Dismissal? {
        guard let kind = meaning.dismissal else { return nil }
        // The striker is out in all ways but these, in which it may be either batter.
        let isOpen = kind == .runOut || kind == .timedOut || kind == .retiredHurt || kind == .retiredOut
        if row.batsmanoutId == nil && (isOpen || kind == .retiredNotOut) {
            throw .missing(path: "\(placed.path).batsmanout_id")
        }
        let out = people.player(row.batsmanoutId ?? row.batsmanId)
        if kind == .caught && row.catchstumpId == row.bowlerId && !meaning.isBySubstitute {
            return Dismissal(
                kind: .caughtAndBowled,
                out: out,
                fielders: [Fielder(name: people.player(row.bowlerId).name)]
            )
        }
        return Dismissal(kind: kind, out: out, fielders: fielders(of: row, kind, meaning))
    }

    /// The thrower first, then the fielder who took the throw; a substitute may have no id.
    private func fielders(of row: SportmonksBall, _ kind: DismissalKind, _ meaning: SportmonksMeaning) -> [Fielder] {
        guard kind == .caught || kind == .stumped || kind == .runOut || kind == .obstructingTheField else { return [] }
        let ids = [row.runoutById, row.catchstumpId].compactMap { $0 }
        if ids.isEmpty { return meaning.isBySubstitute ? [Fielder(name: nil, isSubstitute: true)] : [] }
        let marked = ids.map { meaning.isBySubstitute && people.isSubstitute($0) }
        let isUnclear = meaning.isBySubstitute && !marked.contains(true)
        return zip(ids, marked).enumerated().map { index, fielder in
            Fielder(name: people.player(fielder.0).name, isSubstitute: fielder.1 || isUnclear && index == 0)
        }
    }
}
