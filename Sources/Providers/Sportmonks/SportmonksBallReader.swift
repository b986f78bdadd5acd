// A row becomes a ball by the meaning of its score id and the names of the people in it.

internal import MatchEngine
internal import ScoreTypes

/// A row of `balls`, converted; events between balls are rows, too.
struct SportmonksPlacedBall: Sendable {
    let id: Int
    /// The parts that decide its place among the rows of its over.
    let inOver: SportmonksOverOrder.Row
    var delivery: Delivery

    func isInOver(of other: SportmonksPlacedBall) -> Bool {
        delivery.innings == other.delivery.innings && delivery.over == other.delivery.over
    }
}

/// Reads rows of `balls`.
struct SportmonksBallReader: Sendable, Hashable {
    let people: SportmonksPeople
    let table: SportmonksScoreTable
    let order: SportmonksInningsOrder

    /// Converts a row; the order of balls is by innings, over and id.
    ///
    /// - Throws: `AdapterError` that names the place by `path`.
    func ball(_ row: SportmonksBall, at path: @autoclosure () -> String) throws(AdapterError) -> SportmonksPlacedBall {
        let label = row.ball.value
        guard label >= 0, label <= Double(AdapterLimits.overs) else {
            throw .outOfRange(path: "\(path()).ball", expected: "0 to \(AdapterLimits.overs)")
        }
        try AdapterError.check(row.id, in: 0...AdapterLimits.rowID, at: "\(path()).id")
        let innings = try order.ordinal(of: row.scoreboard, at: "\(path()).scoreboard")
        let over = Int(label)
        let meaning = try table.meaning(of: row, at: path())
        let dismissal = try dismissal(of: row, meaning, at: path())
        let crease = [row.batsmanOneOnCreezeId, row.batsmanTwoOnCreezeId].compactMap { $0 }
        return SportmonksPlacedBall(
            id: row.id,
            inOver: SportmonksOverOrder.Row(
                place: Int(((label - Double(over)) * 10).rounded()),
                isBall: meaning.isBall,
                isLegal: meaning.isLegal,
                out: dismissal == nil ? nil : row.batsmanoutId ?? row.batsmanId,
                crease: crease.count == 2 ? crease : nil
            ),
            delivery: Delivery(
                key: DeliveryKey(String(row.id)),
                order: OrderKey(Int64(innings) << 57 | Int64(over) << 43 | Int64(row.id)),
                innings: innings,
                over: over,
                striker: people.player(row.batsmanId),
                nonStriker: people.player(ifGiven: crease.first { $0 != row.batsmanId }),
                bowler: people.player(row.bowlerId),
                runs: meaning.runs,
                isLegal: meaning.isLegal,
                isAllRun: !meaning.isBoundary && (meaning.runs.bat == 4 || meaning.runs.bat == 6),
                dismissals: dismissal.map { [$0] } ?? [],
                occurredAt: row.updatedAt.flatMap(ISO8601.seconds)
            )
        )
    }

    private func dismissal(
        of row: SportmonksBall,
        _ meaning: SportmonksMeaning,
        at path: @autoclosure () -> String
    ) throws(AdapterError) -> Dismissal? {
        guard let kind = meaning.dismissal else { return nil }
        // The striker is out in all ways but these, in which it may be either batter.
        let isOpen = kind == .runOut || kind == .timedOut || kind == .retiredHurt || kind == .retiredOut
        if row.batsmanoutId == nil && (isOpen || kind == .retiredNotOut) {
            throw .missing(path: "\(path()).batsmanout_id")
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
