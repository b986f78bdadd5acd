// Each innings has facts apart from its balls.

internal import MatchEngine
internal import ScoreTypes

/// Reads `innings`.
struct CricsheetInningsReader {
    let document: CricsheetDocument
    let sides: CricsheetSides
    let ballsPerOver: Int

    func frames() throws(AdapterError) -> [InningsInfo] {
        var superOvers = 0
        var frames: [InningsInfo] = []
        for (index, innings) in document.innings.enumerated() {
            if innings.superOver == true { superOvers += 1 }
            frames.append(try frame(innings, at: index, superOvers: superOvers))
        }
        return frames
    }

    private func frame(_ innings: CricsheetInnings, at index: Int, superOvers: Int) throws(AdapterError) -> InningsInfo
    {
        let path = "innings[\(index)]"
        let absent = innings.absentHurt ?? []
        try AdapterError.check(absent, atMost: AdapterLimits.names, at: "\(path).absent_hurt")
        return InningsInfo(
            ordinal: index + 1,
            batting: try sides.side(innings.team, at: "\(path).team"),
            // Super overs come in pairs.
            superOver: innings.superOver == true ? (superOvers + 1) / 2 : nil,
            target: try target(of: innings, at: path),
            isDeclared: innings.declared ?? false,
            isForfeited: innings.forfeited ?? false,
            isClosed: isClosed(at: index),
            absent: absent.map(sides.player),
            penaltyBefore: try award(innings.penaltyRuns?.pre, at: "\(path).penalty_runs.pre"),
            penaltyAfter: try award(innings.penaltyRuns?.post, at: "\(path).penalty_runs.post"),
            powerplays: try powerplays(of: innings, at: path)
        )
    }

    /// The next innings, or the break before it, closes an innings; the last one is closed by the result.
    private func isClosed(at index: Int) -> Bool {
        if index < document.innings.count - 1 { return true }
        let state = document.live.flatMap { CricsheetStatus.word($0.state) }
        return state == .inningsBreak || state == .superOverBreak
    }

    private func award(_ runs: Int?, at path: String) throws(AdapterError) -> Int {
        let runs = runs ?? 0
        try AdapterError.check(runs, in: 0...AdapterLimits.runsOfInnings, at: path)
        return runs
    }

    private func target(of innings: CricsheetInnings, at path: String) throws(AdapterError) -> Target? {
        guard let target = innings.target, let runs = target.runs else { return nil }
        try AdapterError.check(runs, in: 0...AdapterLimits.runsOfInnings, at: "\(path).target.runs")
        let limit = try target.overs.map { overs throws(AdapterError) in
            try Self.split(overs, at: "\(path).target.overs")
        }
        return Target(runs: runs, balls: limit.map { $0.over * ballsPerOver + $0.ball }, method: revisionMethod)
    }

    /// The name of the method that revised the match; a win by award or on wickets lost revises no target.
    private var revisionMethod: String? {
        guard let method = document.info.outcome?.method, CricsheetOutcomeReader.revises(method) else { return nil }
        return SafeText.clean(method)
    }

    private func powerplays(of innings: CricsheetInnings, at path: String) throws(AdapterError) -> [Powerplay] {
        let spans = innings.powerplays ?? []
        try AdapterError.check(spans, atMost: AdapterLimits.names, at: "\(path).powerplays")
        var found: [Powerplay] = []
        for (index, span) in spans.enumerated() {
            let first = try Self.split(span.from, at: "\(path).powerplays[\(index)].from")
            var last = try Self.split(span.to, at: "\(path).powerplays[\(index)].to")
            // A number cannot be 5.10: it is read as 5.1, which ends no powerplay in an over of ten deliveries.
            if last.ball == 1, placesBowled(in: last.over, of: innings) >= 10 {
                last = BallLabel(over: last.over, ball: 10)
            }
            let kind = SafeText.clean(span.type)
            found.append(Powerplay(kind: kind, first: label(first, in: innings), last: label(last, in: innings)))
        }
        return found
    }

    private func placesBowled(in over: Int, of innings: CricsheetInnings) -> Int {
        innings.overs?.first { $0.over == over }?.deliveries.count ?? 0
    }

    /// Converts a place, which counts every delivery, into the printed label, which counts legal balls.
    private func label(_ place: BallLabel, in innings: CricsheetInnings) -> BallLabel {
        let bowled = innings.overs?.first { $0.over == place.over }?.deliveries.prefix(max(0, place.ball - 1)) ?? []
        let illegal = bowled.count { !$0.isLegal }
        return BallLabel(over: place.over, ball: min(max(1, place.ball - illegal), ballsPerOver))
    }

    /// Splits 8.4 into 8 and 4: the decimal is a count, not a fraction.
    private static func split(_ number: Double, at path: String) throws(AdapterError) -> BallLabel {
        guard number >= 0, number <= Double(AdapterLimits.overs) else {
            throw .outOfRange(path: path, expected: "0 to \(AdapterLimits.overs)")
        }
        let over = number.rounded(.down)
        let text = String(number)
        let digits = text.split(separator: ".").dropFirst().first.map(String.init) ?? "0"
        guard digits.utf8.count <= 2, let ball = Int(digits) else {
            throw .wrongForm(path: path, expected: "overs and balls such as 8.4")
        }
        return BallLabel(over: Int(over), ball: ball)
    }
}

extension CricsheetDelivery {
    /// Whether the ball counts towards the over.
    var isLegal: Bool { (extras?.wides ?? 0) == 0 && (extras?.noballs ?? 0) == 0 }
}
