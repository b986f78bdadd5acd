// The balls of a document: keys, order, runs by kind and wickets.

internal import MatchEngine
internal import ScoreTypes

/// Reads the deliveries of `innings`.
struct CricsheetDeliveryReader {
    private let sides: CricsheetSides
    /// People by name: each ball repeats the names.
    private var met: [String: Player] = [:]

    init(sides: CricsheetSides) { self.sides = sides }

    /// Adds the balls of an innings, whose first overs were added from `start` on; returns whether the overs were in
    /// the order of play.
    mutating func append(
        _ overs: [CricsheetOver],
        from first: Int,
        at index: Int,
        to found: inout [Delivery],
        start: Int
    ) throws(AdapterError) -> Bool {
        var bowled: [Int: Int] = [:]
        for over in overs[..<first] { bowled[over.over, default: 0] += over.deliveries.count }
        var isSorted = true
        for (overIndex, over) in overs.enumerated().dropFirst(first) {
            let path = "innings[\(index)].overs[\(overIndex)]"
            try AdapterError.check(over.over, in: 0...AdapterLimits.overs, at: "\(path).over")
            // The count continues in an over that has two entries.
            var place = bowled[over.over, default: 0]
            let room = AdapterLimits.deliveriesOfOver - place
            try AdapterError.check(over.deliveries, atMost: room, at: "\(path).deliveries")
            for (ballIndex, ball) in over.deliveries.enumerated() {
                place += 1
                let spot = Spot(innings: index + 1, over: over.over, place: place)
                let delivery = try delivery(ball, at: spot) { "\(path).deliveries[\(ballIndex)]" }
                if let last = found.last, found.count > start, delivery.order < last.order { isSorted = false }
                found.append(delivery)
            }
            bowled[over.over] = place
        }
        if !isSorted { found[start...].sort { $0.order < $1.order } }
        return isSorted
    }

    private mutating func delivery(
        _ ball: CricsheetDelivery,
        at spot: Spot,
        path: () -> String
    ) throws(AdapterError) -> Delivery {
        Delivery(
            key: spot.key,
            order: spot.order,
            innings: spot.innings,
            over: spot.over,
            striker: player(ball.batter),
            nonStriker: player(ball.nonStriker),
            bowler: player(ball.bowler),
            runs: try runs(of: ball, path: path),
            isLegal: ball.isLegal,
            isAllRun: ball.runs.nonBoundary ?? false,
            dismissals: try dismissals(of: ball, path: path),
            reviews: ball.review.flatMap { CricsheetNotesReader(sides: sides).review($0) }.map { [$0] } ?? [],
            replacements: try ball.replacements.map { replacements throws(AdapterError) in
                try CricsheetNotesReader(sides: sides).replacements(replacements, path: path)
            } ?? []
        )
    }

    private mutating func player(_ name: String) -> Player {
        if let known = met[name] { return known }
        let player = sides.player(name)
        met[name] = player
        return player
    }

    private func runs(of ball: CricsheetDelivery, path: () -> String) throws(AdapterError) -> DeliveryRuns {
        let extras = ball.extras
        let runs = DeliveryRuns(
            bat: ball.runs.batter,
            wides: extras?.wides ?? 0,
            noBalls: extras?.noballs ?? 0,
            byes: extras?.byes ?? 0,
            legByes: extras?.legbyes ?? 0,
            penalty: extras?.penalty ?? 0
        )
        let all = 0...AdapterLimits.runsOfBall
        guard all.contains(runs.bat), all.contains(runs.wides), all.contains(runs.noBalls), all.contains(runs.byes),
            all.contains(runs.legByes), all.contains(runs.penalty)
        else {
            throw .outOfRange(path: "\(path()).runs", expected: "runs of 0 to \(AdapterLimits.runsOfBall)")
        }
        let sum = runs.total
        // Without this check an unknown kind of extra would be lost silently.
        guard sum == ball.runs.total, sum - runs.bat == ball.runs.extras else {
            throw .contradiction(path: "\(path()).runs", expected: "extras and total as the parts add up")
        }
        return runs
    }

    private func dismissals(of ball: CricsheetDelivery, path: () -> String) throws(AdapterError) -> [Dismissal] {
        guard let wickets = ball.wickets else { return [] }
        for names in [wickets.count] + wickets.map({ $0.fielders?.count ?? 0 }) {
            try AdapterError.check(names, in: 0...AdapterLimits.names, at: "\(path()).wickets")
        }
        return wickets.map { wicket in
            Dismissal(
                kind: DismissalKind(word: wicket.kind) ?? .other,
                out: sides.player(wicket.playerOut ?? ball.batter),
                fielders: (wicket.fielders ?? []).map { fielder in
                    Fielder(
                        name: fielder.name.map(SafeText.clean),
                        isSubstitute: fielder.substitute ?? (fielder.name == nil)
                    )
                }
            )
        }
    }

    /// The place of a ball: the source of its key and of its order.
    private struct Spot {
        let innings: Int
        let over: Int
        let place: Int

        var key: DeliveryKey { DeliveryKey(dotted: innings, over, place) }

        /// Unique for up to 4,095 places in an over and a million overs in an innings.
        var order: OrderKey { OrderKey(Int64(innings) << 32 | Int64(over) << 12 | Int64(place)) }
    }
}
