// The scorecard has the facts of each innings apart from its balls.

internal import MatchEngine
internal import ScoreTypes

/// Reads the innings.
struct EntitySportInningsReader {
    let frame: EntitySportFrameReader
    let people: EntitySportPeople

    /// The innings in order; `rows` are those of the commentaries by number, `balls` all balls.
    func frames(
        rows: [Int: EntitySportInning],
        balls: [Delivery]
    ) throws(AdapterError) -> [InningsInfo] {
        let innings = (frame.match.innings ?? []).sorted { $0.number.value < $1.number.value }
        try AdapterError.check(innings, atMost: AdapterLimits.innings, at: "match:response.innings")
        var found: [InningsInfo] = []
        var superOvers = 0
        for (index, inning) in innings.enumerated() {
            if isSuperOver(inning) { superOvers += 1 }
            found.append(
                try info(
                    inning,
                    at: index,
                    isLast: index == innings.count - 1,
                    superOver: isSuperOver(inning) ? (superOvers + 1) / 2 : nil,
                    row: inning.number.whole.flatMap { rows[$0] },
                    balls: balls
                )
            )
        }
        return found
    }

    /// Whether it is a super over: by its mark, else by its number, since no limited match has a third innings.
    func isSuperOver(_ inning: EntitySportInning) -> Bool {
        inning.issuperover?.value ?? (frame.format.isLimitedOvers && inning.number.value > 2)
    }

    private func info(
        _ inning: EntitySportInning,
        at index: Int,
        isLast: Bool,
        superOver: Int?,
        row: EntitySportInning?,
        balls: [Delivery]
    ) throws(AdapterError) -> InningsInfo {
        let path = "match:response.innings[\(index)]"
        let ordinal = try AdapterError.check(inning.number.whole, in: 1...AdapterLimits.innings, at: "\(path).number")
        guard let batting = frame.side(of: inning.battingTeamId.whole) else {
            throw .contradiction(path: "\(path).batting_team_id", expected: "one of the two teams")
        }
        let own = balls.lazy.filter { $0.innings == ordinal }
        // The rows of the commentary belong to the balls; the scorecard may be a ball ahead.
        let reported = row ?? inning
        let penalty = penalty(of: inning, onBalls: own.reduce(0) { $0 + $1.runs.penalty })
        let total = try own.isEmpty ? total(of: inning, penalty: penalty, at: path) : nil
        // One number for both: a forfeited innings has neither balls nor a total.
        let isDeclared = inning.result?.whole == 2
        let hasPlay = !own.isEmpty || total != nil
        return InningsInfo(
            ordinal: ordinal,
            batting: batting,
            superOver: superOver,
            target: superOver == nil ? target(of: inning, at: ordinal) : nil,
            isDeclared: isDeclared && hasPlay,
            isForfeited: isDeclared && !hasPlay,
            isClosed: isClosed(reported) || !isLast,
            absent: (reported.batsmen ?? []).filter(\.isAbsent).compactMap { $0.batsmanId.whole }.map {
                people.player($0)
            },
            penaltyBefore: penalty,
            crease: isLast && row.map(inning.agrees(with:)) == true ? crease(of: inning) : nil,
            reported: total
        )
    }

    /// The total of an innings without balls; nil where the card has none, or penalty runs alone.
    private func total(
        of inning: EntitySportInning,
        penalty: Int,
        at path: String
    ) throws(AdapterError) -> ReportedTotal? {
        guard let given = inning.equations, let runs = given.runs?.whole else { return nil }
        let total = ReportedTotal(
            runs: try AdapterError.check(runs, in: 0...AdapterLimits.runsOfInnings, at: "\(path).equations.runs"),
            wickets: try AdapterError.check(
                given.wickets?.whole ?? 0,
                in: 0...RuleSet.lastWicket,
                at: "\(path).equations.wickets"
            ),
            balls: try AdapterError.balls(
                ofOvers: given.overs?.value ?? 0,
                ballsPerOver: frame.format.ballsPerOver,
                at: "\(path).equations.overs"
            )
        )
        return total.showsPlay(beyond: penalty) ? total : nil
    }

    /// The batters at the crease by a scorecard that agrees with the balls; nil when the innings is not in play.
    private func crease(of inning: EntitySportInning) -> Crease? {
        guard frame.match.status.whole == 3, !inning.isComplete else { return nil }
        let rows = inning.batsmen ?? []
        let (strikers, others) = (rows.filter { $0.isAt("striker") }, rows.filter { $0.isAt("non-striker") })
        guard strikers.count <= 1, others.count <= 1, strikers.count + others.count > 0 else { return nil }
        func player(_ rows: [EntitySportInning.Batsman]) -> Player? {
            rows.first?.batsmanId.whole.map { people.player($0) }
        }
        return Crease(striker: player(strikers), nonStriker: player(others))
    }

    /// An innings that ends with the match is closed by the result.
    private func isClosed(_ inning: EntitySportInning) -> Bool {
        inning.isComplete && frame.match.status.whole != 2
    }

    private func target(of inning: EntitySportInning, at ordinal: Int) -> Target? {
        guard let runs = inning.target?.whole, (1...AdapterLimits.runsOfInnings).contains(runs) else { return nil }
        let method = EntitySportStatus.sentence(of: frame.match)?.method
        let limit = frame.format.isLimitedOvers ? inning.limit(ballsPerOver: frame.format.ballsPerOver) : nil
        return Target(runs: runs, balls: limit, method: method)
    }

    /// Penalty runs that are on no ball; the provider does not report when they were awarded.
    private func penalty(of inning: EntitySportInning, onBalls: Int) -> Int {
        guard let all = inning.extraRuns?.penalty?.whole, (0...AdapterLimits.runsOfInnings).contains(all) else {
            return 0
        }
        return max(0, all - onBalls)
    }
}

extension EntitySportInning.Batsman {
    /// Whether the batter is at the crease, at that end.
    fileprivate func isAt(_ end: String) -> Bool { position?.lowercased() == end && (dismissal ?? "").isEmpty }
}
