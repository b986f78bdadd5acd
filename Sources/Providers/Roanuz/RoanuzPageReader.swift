// A page has one row for each ball and for each event between two; the key of a ball is its identity and its place.

internal import MatchEngine
internal import ScoreTypes

/// A ball or an event of a page, whose extras may be of an unknown kind.
struct RoanuzPageRow: Sendable {
    let key: RoanuzBallKey
    let type: RoanuzBallType
    let isBall: Bool
    var delivery: Delivery
    /// Extras that are not charged to the bowler: byes, leg byes, penalties.
    let uncharged: Int
    /// The key of a batter who was absent, whose row has no ball.
    let absentee: String?
}

/// Reads the rows of pages.
struct RoanuzPageReader {
    let people: RoanuzPeople
    /// Keys of innings in order of play.
    let order: [String]

    /// Reads the rows of an over, each ball in its newest state.
    ///
    /// - Throws: `AdapterError` that names the place.
    func rows(
        of over: RoanuzPage.Over,
        newest related: [String: RoanuzBall],
        on part: ReplyPart
    ) throws(AdapterError) -> [RoanuzPageRow] {
        var rows: [RoanuzPageRow] = []
        for (index, ball) in over.balls.enumerated() {
            let newest = RoanuzPages.newest(ball, related)
            if let row = try row(of: newest, at: "\(part):data.over.balls[\(index)]") { rows.append(row) }
        }
        return rows
    }

    /// Reads a row of a page; nil for a ball that is not yet bowled.
    ///
    /// - Throws: `AdapterError` that names the place by `path`.
    func row(of ball: RoanuzBall, at path: String) throws(AdapterError) -> RoanuzPageRow? {
        guard try isReported(ball, path) else { return nil }
        guard let key = RoanuzBallKey(ball.key) else { throw .wrongForm(path: "\(path).key", expected: "a ball key") }
        guard let index = order.firstIndex(of: ball.innings), key.innings == index + 1 else {
            throw .contradiction(path: "\(path).innings", expected: "the innings of the key")
        }
        guard ball.overs.count == 2, key.isOf(over: ball.overs[0], ball: ball.overs[1]) else {
            throw .contradiction(path: "\(path).overs", expected: "the over and ball of the key")
        }
        guard let type = RoanuzBallType(ball.ballType) else {
            throw .unknownWord(path: "\(path).ball_type", word: ball.ballType)
        }
        let counts = [ball.batsman.runs, ball.teamScore.runs, ball.teamScore.extras, ball.bowler.extras]
        guard counts.allSatisfy({ (0...AdapterLimits.runsOfBall).contains($0) }) else {
            throw .outOfRange(path: path, expected: "runs of 0 to \(AdapterLimits.runsOfBall)")
        }
        let uncharged = ball.teamScore.extras - ball.bowler.extras
        guard ball.teamScore.runs == ball.batsman.runs + ball.teamScore.extras, uncharged >= 0 else {
            throw .contradiction(path: "\(path).team_score", expected: "runs as batsman and extras add up")
        }
        guard type.charges || ball.bowler.extras == 0 else {
            throw .contradiction(path: "\(path).bowler.extras", expected: "0 on a ball that is no wide or no-ball")
        }
        var runs = DeliveryRuns(bat: ball.batsman.runs)
        if type == .wide { runs.wides = ball.bowler.extras }
        if type == .noBall { runs.noBalls = ball.bowler.extras }
        return RoanuzPageRow(
            key: key,
            type: type,
            // A wicket between two balls is a row without a ball.
            isBall: !ball.isBetweenBalls
                && (type.charges || ball.bowler.ballCount > 0 || ball.teamScore.ballCount > 0),
            delivery: try delivery(ball, key, type, runs, path),
            uncharged: uncharged,
            absentee: ball.wicket.flatMap { $0.isAbsence ? $0.playerKey : nil }
        )
    }

    /// Whether a row is a ball or an event between two; a ball that is not yet bowled is neither.
    private func isReported(_ ball: RoanuzBall, _ path: String) throws(AdapterError) -> Bool {
        guard let word = ball.ballPlayStatus, word != "played" else { return true }
        guard ball.wicket != nil || ball.teamScore.runs != 0 || ball.batsman.runs != 0 else { return false }
        // Runs without a ball are penalties, which have no type.
        let isPenalty = ball.batsman.runs == 0 && ball.bowler.extras == 0 && ball.ballType == "normal"
        guard ball.teamScore.runs == 0 && ball.batsman.runs == 0 || isPenalty else {
            throw .contradiction(path: "\(path).ball_play_status", expected: "played, for a row with runs")
        }
        guard ball.isBetweenBalls else { throw .unknownWord(path: "\(path).ball_play_status", word: word) }
        return true
    }

    private func delivery(
        _ ball: RoanuzBall,
        _ key: RoanuzBallKey,
        _ type: RoanuzBallType,
        _ runs: DeliveryRuns,
        _ path: String
    ) throws(AdapterError) -> Delivery {
        let isRope = ball.batsman.isFour?.value == true || ball.batsman.isSix?.value == true
        let bowler = people.player(ifGiven: ball.bowler.playerKey)
        return Delivery(
            key: DeliveryKey(ball.key),
            order: OrderKey(key.number),
            innings: key.innings,
            over: ball.overs[0],
            striker: people.player(ball.batsman.playerKey),
            nonStriker: people.player(ifGiven: ball.nonStrikerKey),
            bowler: bowler,
            runs: runs,
            isLegal: !type.charges,
            isAllRun: !isRope && (runs.bat == 4 || runs.bat == 6),
            dismissals: try dismissal(ball, bowler, path).map { [$0] } ?? [],
            occurredAt: ball.entryTime.flatMap { Int64(exactly: $0.value.rounded(.down)) }
        )
    }

    private func dismissal(_ ball: RoanuzBall, _ bowler: Player, _ path: String) throws(AdapterError) -> Dismissal? {
        guard let wicket = ball.wicket, !wicket.isAbsence else { return nil }
        guard let kind = Self.kind(of: wicket, isOut: ball.teamScore.isWicket?.value) else {
            throw .unknownWord(path: "\(path).wicket.wicket_type", word: wicket.wicketType)
        }
        let fielders = (ball.fielders ?? []).map { fielder in
            Fielder(
                name: fielder.playerKey.map { people.player($0).name },
                isSubstitute: fielder.playerKey.map(people.isSubstitute) ?? true
            )
        }
        let isOwnCatch =
            kind == .caught && fielders.count == 1 && ball.fielders?.first?.playerKey == ball.bowler.playerKey
        return Dismissal(
            kind: isOwnCatch ? .caughtAndBowled : kind,
            out: people.player(wicket.playerKey),
            fielders: fielders
        )
    }

    /// The kind of a wicket; nil for an unknown value, unless the row counts as a wicket.
    ///
    /// All retirements have one value, and the row has whether it counts as a wicket.
    private static func kind(of wicket: RoanuzBall.Wicket, isOut: Bool?) -> DismissalKind? {
        if wicket.wicketType == "retired" { return isOut == true ? .retiredOut : .retiredHurt }
        return DismissalKind(word: wicket.wicketType) ?? (isOut == true ? .other : nil)
    }
}

extension RoanuzBall {
    /// Whether the row is an event between two balls.
    fileprivate var isBetweenBalls: Bool { ballPlayStatus == "non_play_event" }
}

extension RoanuzBall.Wicket {
    /// Whether the batter was absent.
    fileprivate var isAbsence: Bool { wicketType == "absent_hurt" || wicketType == "absent" }
}
