// What the card says of each innings beside its balls.

internal import MatchEngine

/// Reads the frames of the innings.
struct EntitySportInningsReader {
    let frame: EntitySportFrameReader
    let people: EntitySportPeople

    /// The frames; `balls` are those that were read, `rows` the innings as the replies with the balls have them.
    func frames(
        rows: [Int: EntitySportInning],
        balls: [Delivery]
    ) throws(AdapterError) -> [InningsInfo] {
        let innings = (frame.match.innings ?? []).sorted { $0.number.value < $1.number.value }
        guard innings.count <= EntitySportLimits.inningsMax else {
            throw .outOfRange(path: "match:response.innings", expected: "at most \(EntitySportLimits.inningsMax)")
        }
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

    /// Whether it breaks a tie: by its mark, else by its place, since no limited match has a third innings.
    func isSuperOver(_ inning: EntitySportInning) -> Bool {
        inning.isSuperOver?.value ?? (frame.format.isLimitedOvers && inning.number.value > 2)
    }

    private func info(
        _ inning: EntitySportInning,
        at index: Int,
        isLast: Bool,
        superOver: Int?,
        row: EntitySportInning?,
        balls: [Delivery]
    ) throws(AdapterError) -> InningsInfo {
        guard let ordinal = inning.number.whole, (1...EntitySportLimits.inningsMax).contains(ordinal) else {
            throw .outOfRange(path: "match:response.innings[\(index)].number", expected: "1 to 40")
        }
        guard let batting = frame.side(of: inning.battingTeamID.whole) else {
            throw .contradiction(
                path: "match:response.innings[\(index)].batting_team_id",
                expected: "one of the two teams"
            )
        }
        let mine = balls.lazy.filter { $0.innings == ordinal }
        // The rows that came with the balls fit them; the card may be a ball ahead.
        let told = row ?? inning
        let isDeclared = inning.result?.whole == 2
        return InningsInfo(
            ordinal: ordinal,
            batting: batting,
            superOver: superOver,
            target: superOver == nil ? target(of: inning, at: ordinal) : nil,
            isDeclared: isDeclared && !mine.isEmpty,
            isForfeited: isDeclared && mine.isEmpty,
            isClosed: isClosed(told) || !isLast,
            absent: (told.batsmen ?? []).filter(\.isAbsent).compactMap { $0.id.whole }.map { people.player($0) },
            penaltyBefore: penalty(of: inning, onBalls: mine.reduce(0) { $0 + $1.runs.penalty }),
            crease: isLast && row.map(inning.tellsTheSame) == true ? crease(of: inning) : nil
        )
    }

    /// Who is in by the card, of which the score is that of the balls; nil of an innings that is not in play.
    private func crease(of inning: EntitySportInning) -> Crease? {
        guard frame.match.status.whole == 3, !inning.isComplete else { return nil }
        let rows = inning.batsmen ?? []
        let (strikers, others) = (rows.filter { $0.isAt("striker") }, rows.filter { $0.isAt("non-striker") })
        guard strikers.count <= 1, others.count <= 1, strikers.count + others.count > 0 else { return nil }
        func player(_ rows: [EntitySportInning.Batsman]) -> Player? { rows.first?.id.whole.map { people.player($0) } }
        return Crease(striker: player(strikers), nonStriker: player(others))
    }

    /// What ends with the match is told by its result.
    private func isClosed(_ inning: EntitySportInning) -> Bool {
        inning.isComplete && frame.match.status.whole != 2
    }

    private func target(of inning: EntitySportInning, at ordinal: Int) -> Target? {
        guard let runs = inning.target?.whole, (1...EntitySportLimits.totalMax).contains(runs) else { return nil }
        let method = EntitySportStatus.sentence(of: frame.match)?.method
        let limit = frame.format.isLimitedOvers ? inning.limit(ballsPerOver: frame.format.ballsPerOver) : nil
        return Target(runs: runs, balls: limit, method: method)
    }

    /// Penalty runs that no ball has: those given between balls and innings; when, the provider does not say.
    private func penalty(of inning: EntitySportInning, onBalls: Int) -> Int {
        guard let all = inning.extras?.penalty?.whole, (0...EntitySportLimits.totalMax).contains(all) else { return 0 }
        return max(0, all - onBalls)
    }
}

extension EntitySportInning.Batsman {
    /// Whether the batter is in and stands at an end.
    fileprivate func isAt(_ end: String) -> Bool { position?.lowercased() == end && (dismissal ?? "").isEmpty }
}
