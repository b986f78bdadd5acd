// The innings of a fixture apart from the balls: batting team, targets, penalties, absent batters, ends.

internal import MatchEngine
internal import ScoreTypes

/// Reads the innings from `runs`, `scoreboards` and `batting`.
struct SportmonksInningsReader {
    let fixture: SportmonksFixture
    let people: SportmonksPeople
    let table: SportmonksScoreTable
    let order: SportmonksInningsOrder
    let ballsPerOver: Int
    let deliveries: [Delivery]

    /// The innings, in order; a break closes the newest innings, too, once it has begun.
    func frames(isBreak: Bool) throws(AdapterError) -> [InningsInfo] {
        let batting = try battingSides()
        let absent = try absentees()
        let last = batting.keys.max() ?? 0
        var frames: [InningsInfo] = []
        for ordinal in batting.keys.sorted() {
            guard let side = batting[ordinal] else { continue }
            var frame = InningsInfo(
                ordinal: ordinal,
                batting: side,
                superOver: order.superOver(ordinal),
                absent: absent[ordinal] ?? [],
                powerplays: powerplays(of: ordinal)
            )
            let inference = InningsInference(balls: deliveries.ofInnings(ordinal))
            let penalty = try penalty(of: ordinal)
            if inference.balls.isEmpty { frame.reported = try total(of: ordinal, penalty: penalty) }
            frame.isClosed = ordinal < last || isBreak && !inference.balls.isEmpty
            if !order.format.isLimitedOvers { inference.close(&frame, isFollowed: ordinal < last) }
            inference.award(penalty, to: &frame) { fall(of: $0, in: ordinal) }
            frames.append(frame)
        }
        try setTarget(in: &frames)
        return frames
    }

    // MARK: Who bats

    private func battingSides() throws(AdapterError) -> [Int: Side] {
        let runs = fixture.runs?.rows ?? []
        let scoreboards = fixture.scoreboards?.rows ?? []
        try AdapterError.check(runs, atMost: AdapterLimits.rows, at: "data.runs")
        try AdapterError.check(scoreboards, atMost: AdapterLimits.rows, at: "data.scoreboards")
        var sides: [Int: Side] = [:]
        for (index, row) in runs.enumerated() {
            let ordinal = try order.ordinal(of: row.inning, at: "data.runs[\(index)].inning")
            try put(row.teamId, ordinal, at: "data.runs[\(index)].team_id", into: &sides)
        }
        for (index, row) in scoreboards.enumerated() where row.type == "total" {
            let path = "data.scoreboards[\(index)]"
            let ordinal = try order.ordinal(of: row.scoreboard, at: "\(path).scoreboard")
            try put(row.teamId, ordinal, at: "\(path).team_id", into: &sides)
        }
        let balls = fixture.balls?.rows ?? []
        for (index, row) in balls.enumerated() where index == 0 || row.scoreboard != balls[index - 1].scoreboard {
            let ordinal = try order.ordinal(of: row.scoreboard, at: "data.balls[\(index)].scoreboard")
            guard sides[ordinal] == nil else { continue }
            try put(row.teamId, ordinal, at: "data.balls[\(index)].team_id", into: &sides)
        }
        return sides
    }

    private func put(
        _ team: Int,
        _ ordinal: Int,
        at path: @autoclosure () -> String,
        into sides: inout [Int: Side]
    ) throws(AdapterError) {
        let side = try people.side(team, at: path())
        if let known = sides[ordinal], known != side {
            throw .contradiction(path: path(), expected: "one batting side in an innings")
        }
        sides[ordinal] = side
    }

    // MARK: Totals, absent batters, penalties, targets

    /// The total of an innings without balls; nil where the reply has none, or penalty runs alone.
    private func total(of ordinal: Int, penalty: Int) throws(AdapterError) -> ReportedTotal? {
        for (index, row) in (fixture.runs?.rows ?? []).enumerated() {
            let path = "data.runs[\(index)]"
            guard try order.ordinal(of: row.inning, at: "\(path).inning") == ordinal, let runs = row.score else {
                continue
            }
            let total = ReportedTotal(
                runs: try AdapterError.check(runs, in: 0...AdapterLimits.runsOfInnings, at: "\(path).score"),
                wickets: try AdapterError.check(row.wickets ?? 0, in: 0...RuleSet.lastWicket, at: "\(path).wickets"),
                balls: try AdapterError.balls(
                    ofOvers: row.overs?.value ?? 0,
                    ballsPerOver: ballsPerOver,
                    at: "\(path).overs"
                )
            )
            return total.showsPlay(beyond: penalty) ? total : nil
        }
        return nil
    }

    private func absentees() throws(AdapterError) -> [Int: [Player]] {
        let rows = fixture.batting?.rows ?? []
        try AdapterError.check(rows, atMost: AdapterLimits.rows, at: "data.batting")
        var found: [Int: [Player]] = [:]
        for (index, row) in rows.enumerated() {
            guard let wicket = row.wicketId else { continue }
            let path = "data.batting[\(index)]"
            guard try table.meaning(of: wicket, at: "\(path).wicket_id").isAbsence else { continue }
            let ordinal = try order.ordinal(of: row.scoreboard, at: "\(path).scoreboard")
            found[ordinal, default: []].append(people.player(row.playerId))
        }
        return found
    }

    /// Penalty runs of the extras.
    private func penalty(of ordinal: Int) throws(AdapterError) -> Int {
        let scoreboards = fixture.scoreboards?.rows ?? []
        var total = 0
        for (index, row) in scoreboards.enumerated() where row.type == "extra" {
            let path = "data.scoreboards[\(index)]"
            guard try order.ordinal(of: row.scoreboard, at: "\(path).scoreboard") == ordinal else { continue }
            total = row.penalty ?? 0
            try AdapterError.check(total, in: 0...AdapterLimits.runsOfInnings, at: "\(path).penalty")
        }
        return total
    }

    /// The score at the fall of a batter's wicket, by the scorecard.
    private func fall(of batter: String, in ordinal: Int) -> Int? {
        let row = fixture.batting?.rows.first {
            String($0.playerId) == batter && (try? order.ordinal(of: $0.scoreboard, at: "")) == ordinal
        }
        return row?.fowScore
    }

    /// A revised target is a member of the fixture and belongs to the chasing innings.
    private func setTarget(in frames: inout [InningsInfo]) throws(AdapterError) {
        guard let given = fixture.rpcTarget else { return }
        let runs = try AdapterError.check(given.whole, in: 0...AdapterLimits.runsOfInnings, at: "data.rpc_target")
        let chasing = order.format.inningsPerMatch
        guard runs > 0, let index = frames.firstIndex(where: { $0.ordinal == chasing }) else { return }
        let balls = try fixture.rpcOvers.map { overs throws(AdapterError) in
            try AdapterError.balls(ofOvers: overs.value, ballsPerOver: ballsPerOver, at: "data.rpc_overs")
        }
        frames[index].target = Target(runs: runs, balls: balls, method: method)
    }

    /// The name of the method, which the note has at the end; until then only the fact is known.
    private var method: String? {
        if let named = fixture.note.flatMap({ ResultSentence($0).method }) { return named }
        let isApplied = fixture.localteamDlData?.score != nil || fixture.visitorteamDlData?.score != nil
        return isApplied ? "DLS" : nil
    }

    /// `1-6` is the first six overs.
    private func powerplays(of ordinal: Int) -> [Powerplay] {
        guard let row = fixture.runs?.rows.first(where: { (try? order.ordinal(of: $0.inning, at: "")) == ordinal })
        else { return [] }
        return [("pp1", row.pp1), ("pp2", row.pp2), ("pp3", row.pp3)].compactMap { kind, span in
            guard let ends = span?.split(separator: "-").map({ Int($0.drop { $0 == " " }) }), ends.count == 2,
                let first = ends[0], let last = ends[1], first >= 1, first <= last, last <= AdapterLimits.overs
            else { return nil }
            return Powerplay(
                kind: kind,
                first: BallLabel(over: first - 1, ball: 1),
                last: BallLabel(over: last - 1, ball: ballsPerOver)
            )
        }
    }
}
