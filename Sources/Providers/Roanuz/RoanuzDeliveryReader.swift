// The balls of a match come from its pages; the key of a ball is its identity and its place.

internal import MatchEngine
internal import ScoreTypes

/// Reads balls.
struct RoanuzDeliveryReader {
    let people: RoanuzPeople
    /// Keys of innings in order of play.
    let order: [String]
    let totals: [String: RoanuzPlay.Innings]
    let review: RoanuzReview

    /// A ball, and its path for errors.
    struct Source {
        let ball: RoanuzBall
        let part: ReplyPart
        let index: Int
        var path: String { "\(part):data.over.balls[\(index)]" }

        /// Whether the row is a ball or an event between two; a ball that is not yet bowled is neither.
        func isReported() throws(AdapterError) -> Bool {
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
    }

    /// Converts balls to deliveries, in match order.
    func deliveries(of sources: [Source]) throws(AdapterError) -> [Delivery] {
        try AdapterError.check(sources, atMost: AdapterLimits.balls, at: "balls")
        var read: [Read] = []
        read.reserveCapacity(sources.count)
        for source in sources where try source.isReported() { read.append(try self.read(source)) }
        read.sort { $0.key.number < $1.key.number }
        split(&read)
        var joined = BallsWithEvents(reserving: read.count)
        for row in read { joined.add(row.delivery, isBall: row.isBall) }
        return joined.balls
    }

    /// A ball whose extras may be of an unknown kind.
    private struct Read {
        let key: RoanuzBallKey
        let type: RoanuzBallType
        let isBall: Bool
        var delivery: Delivery
        /// Extras that are not charged to the bowler: byes, leg byes, penalties.
        var uncharged: Int
    }

    private func read(_ source: Source) throws(AdapterError) -> Read {
        let (ball, path) = (source.ball, source.path)
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
        return Read(
            key: key,
            type: type,
            // A wicket between two balls is a row without a ball.
            isBall: !ball.isBetweenBalls
                && (type.charges || ball.bowler.ballCount > 0 || ball.teamScore.ballCount > 0),
            delivery: try delivery(ball, key, type, runs, path),
            uncharged: uncharged
        )
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
            occurredAt: ball.entryTime.flatMap { Int64(exactly: $0.value.rounded(.down)) },
            isFinal: review.covers(innings: ball.innings, over: ball.overs[0], ball: ball.overs[1], order: order)
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

    /// The keys of absent batters, by innings and in match order; their rows have no ball.
    static func absentees(in sources: [Source]) -> [String: [String]] {
        let rows = sources.map(\.ball).filter { $0.wicket?.isAbsence == true }
            .sorted { RoanuzBallKey($0.key)?.number ?? 0 < RoanuzBallKey($1.key)?.number ?? 0 }
        return Dictionary(grouping: rows, by: \.innings).mapValues { $0.compactMap(\.wicket?.playerKey) }
    }

    // MARK: Extras that a ball does not distinguish

    /// Gives each uncharged extra its kind: by the type of the ball, else by the totals.
    private func split(_ read: inout [Read]) {
        for (index, key) in order.enumerated() {
            let places = read.indices.filter { read[$0].key.innings == index + 1 }
            var pool = ExtrasPool(totals[key]?.extraRuns, of: read, at: places, total: totals[key]?.score?.runs)
            for place in places where read[place].uncharged > 0 {
                pool.spend(read[place].uncharged, on: read[place].type, into: &read[place].delivery.runs)
            }
        }
    }

    /// The extras of an innings that are not yet assigned to balls.
    private struct ExtrasPool {
        private static let penaltyRuns = 5
        private var byes = 0
        private var legByes = 0
        private var penalty = 0

        init(_ totals: RoanuzPlay.Innings.Extras?, of read: [Read], at places: [Int], total: Int?) {
            guard let totals else { return }
            byes = Self.clamped(totals.bye)
            legByes = Self.clamped(totals.legBye)
            let onBalls = places.reduce(0) { sum, place in
                let runs = read[place].delivery.runs
                return sum + runs.bat + runs.wides + runs.noBalls + read[place].uncharged
            }
            // The difference between total and balls was awarded between innings.
            let awarded = max(0, (total.map { Self.clamped($0) } ?? onBalls) - onBalls)
            penalty = max(0, Self.clamped(totals.penalty) - awarded)
            for place in places where read[place].type == .normal || read[place].type == .wide {
                penalty -= read[place].uncharged
            }
            // Byes and leg byes are assigned to their own balls first; the remainder may be on no-balls.
            for place in places {
                if read[place].type == .bye { byes -= read[place].uncharged }
                if read[place].type == .legBye { legByes -= read[place].uncharged }
            }
        }

        /// Runs of a scorecard, moved into the range of an innings; nil counts as 0.
        private static func clamped(_ runs: Int?) -> Int { min(max(0, runs ?? 0), AdapterLimits.runsOfInnings) }

        mutating func spend(_ count: Int, on type: RoanuzBallType, into runs: inout DeliveryRuns) {
            switch type {
            case .normal, .wide: runs.penalty = count
            case .bye:
                runs.penalty = hiddenPenalty(in: count, excess: -byes)
                runs.byes = count - runs.penalty
                byes += runs.penalty
            case .legBye:
                runs.penalty = hiddenPenalty(in: count, excess: -legByes)
                runs.legByes = count - runs.penalty
                legByes += runs.penalty
            case .noBall: spendOnNoBall(count, into: &runs)
            }
        }

        /// Penalty runs counted as byes: the innings has fewer byes than its balls.
        ///
        /// They are awarded in fives (Law 41), so a single leg bye includes none.
        private mutating func hiddenPenalty(in count: Int, excess: Int) -> Int {
            let hidden = min(count, max(0, excess), max(0, penalty)) / Self.penaltyRuns * Self.penaltyRuns
            penalty -= hidden
            return hidden
        }

        private mutating func spendOnNoBall(_ count: Int, into runs: inout DeliveryRuns) {
            runs.legByes = min(count, max(0, legByes))
            legByes -= runs.legByes
            runs.penalty = min(count - runs.legByes, max(0, count - runs.legByes - max(0, byes)), max(0, penalty))
            penalty -= runs.penalty
            runs.byes = count - runs.legByes - runs.penalty
            byes -= runs.byes
        }
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
