// The innings of a match apart from the balls: order, target, penalties, absent batters, batters at the crease.

internal import MatchEngine
internal import ScoreTypes

/// Reads the innings of `play`.
struct RoanuzInningsReader {
    let match: RoanuzMatch
    let format: Format
    let ballsPerOver: Int
    let people: RoanuzPeople
    /// The second innings of a limited match.
    let chase: RoanuzChase?
    let newestPage: RoanuzPages.NewestPage
    /// Keys of absent batters by the rows of balls, by innings.
    var absentees: [String: [String]] = [:]

    /// The keys of innings in order of play.
    static func order(of match: RoanuzMatch) throws(AdapterError) -> [String] {
        let order = match.play?.inningsOrder ?? []
        guard order.count <= AdapterLimits.innings, Set(order).count == order.count else {
            throw .outOfRange(
                path: "data.play.innings_order",
                expected: "at most \(AdapterLimits.innings) innings, each once"
            )
        }
        for (index, key) in order.enumerated() where RoanuzInningsKey(key) == nil {
            throw .unknownWord(path: "data.play.innings_order[\(index)]", word: key)
        }
        return order
    }

    /// The innings, in order.
    func frames(_ order: [String], deliveries: [Delivery], isBreak: Bool) throws(AdapterError) -> [InningsInfo] {
        var superOvers = 0
        var frames: [InningsInfo] = []
        for (index, text) in order.enumerated() {
            guard let key = RoanuzInningsKey(text) else { continue }
            if key.isSuperOver { superOvers += 1 }
            let given = match.play?.innings?[text]
            let isFollowed = index < order.count - 1
            var frame = InningsInfo(
                ordinal: index + 1,
                batting: key.side,
                // Super overs come in pairs.
                superOver: key.isSuperOver ? (superOvers + 1) / 2 : nil,
                absent: absentees(of: key, called: text),
                crease: crease(of: text)
            )
            guard match.hasPages else {
                frames.append(try totalsOnly(frame, by: given, isFollowed, isBreak, at: "data.play.innings.\(text)"))
                continue
            }
            let inference = InningsInference(balls: deliveries.ofInnings(index + 1))
            // The end is published with the score, so it waits for the last balls, which the next poll requests again.
            let isBehind = given.map { areBehind(inference.balls, $0) } ?? false
            // The last innings ends with the winning runs; with other runs a ball was corrected since, and play may
            // continue.
            let isOtherwise = isLast(frame) && given.map { !$0.hasRuns(of: inference.balls) } ?? false
            let legal = inference.balls.count(where: \.isLegal)
            let isBreakAfter = isBreak && !inference.balls.isEmpty && isEnd(of: frame, balls: legal)
            let isEnded = given?.isCompleted?.value == true || isBreakAfter
            frame.isClosed = isFollowed || !isBehind && !isOtherwise && isEnded
            // At the end every innings is marked complete, so only a following innings shows a declaration.
            if !format.isLimitedOvers && (isFollowed || isBreak) { inference.close(&frame, isFollowed: isFollowed) }
            let penalty = given?.extraRuns?.penalty ?? 0
            let path = "data.play.innings.\(text).extra_runs.penalty"
            try AdapterError.check(penalty, in: 0...AdapterLimits.runsOfInnings, at: path)
            inference.award(penalty, to: &frame) { batter in
                match.players?[batter]?.score?[key.number]?.batting?.dismissal?.teamRuns
            }
            frames.append(frame)
        }
        try setTarget(in: &frames)
        return frames
    }

    /// An innings with totals only; its end follows from the status.
    private func totalsOnly(
        _ frame: InningsInfo,
        by given: RoanuzPlay.Innings?,
        _ isFollowed: Bool,
        _ isBreak: Bool,
        at path: String
    ) throws(AdapterError) -> InningsInfo {
        var frame = frame
        frame.crease = nil
        frame.reported = try given?.reported(ballsPerOver: ballsPerOver, at: path)
        let isBegun = frame.reported?.isBegun == true
        let isBreakAfter = isBreak && isBegun && isEnd(of: frame, balls: frame.reported?.balls ?? 0)
        frame.isClosed = isFollowed || given?.isCompleted?.value == true || isBreakAfter
        return frame
    }

    /// Whether the totals have balls or runs that are on no page.
    ///
    /// A correction that is on its page before it is in the totals looks the same and waits, too.
    func isIncomplete(_ order: [String], deliveries: [Delivery]) -> Bool {
        guard match.hasPages else { return false }
        return order.enumerated().contains { index, key in
            guard let given = match.play?.innings?[key] else { return false }
            let balls = deliveries.ofInnings(index + 1)
            return given.counts(moreThan: balls) || areBehind(balls, given)
        }
    }

    /// Whether the balls of the pages are older than the totals; two differences may cancel each other in the sums.
    private func areBehind(_ balls: ArraySlice<Delivery>, _ given: RoanuzPlay.Innings) -> Bool {
        switch newestPage {
        case .current: false
        case .older: !given.agrees(with: balls)
        case .lackingBall: true
        }
    }

    /// Whether a break is the one after an innings: the status stays for some balls of the next one.
    ///
    /// A chase ends with a result unless the totals are level; super overs have their own rules.
    private func isEnd(of frame: InningsInfo, balls: Int) -> Bool {
        guard frame.superOver == nil else { return false }
        if frame.ordinal == 1 { return true }
        return format.isLimitedOvers ? chase?.isTied == true : balls >= AdapterLimits.staleBreakBalls
    }

    /// Whether only a super over can follow.
    private func isLast(_ frame: InningsInfo) -> Bool {
        frame.superOver == nil && frame.ordinal == format.inningsPerMatch
    }

    private func crease(of innings: String) -> Crease? {
        guard let live = match.play?.live, live.innings == innings else { return nil }
        guard live.strikerKey != nil || live.nonStrikerKey != nil else { return nil }
        return Crease(striker: live.strikerKey.map(people.player), nonStriker: live.nonStrikerKey.map(people.player))
    }

    /// Absent batters by the scorecard and by rows without a ball.
    private func absentees(of key: RoanuzInningsKey, called innings: String) -> [Player] {
        guard !key.isSuperOver else { return [] }
        let squad = match.squad?[key.side]
        let onCard = ((squad?.playingXi ?? []) + (squad?.playerKeys ?? [])).filter { player in
            let card = match.players?[player]?.score?[key.number]?.batting
            return card?.dismissal?.msg?.lowercased().hasPrefix("absent") == true
        }
        var seen: Set<String> = []
        return (onCard + (absentees[innings] ?? [])).filter { seen.insert($0).inserted }.map(people.player)
    }

    /// The target is that of the chasing innings.
    private func setTarget(in frames: inout [InningsInfo]) throws(AdapterError) {
        guard let target = match.play?.target, let runs = target.runs, runs > 0 else { return }
        for number in [runs, target.balls ?? 0] {
            try AdapterError.check(number, in: 0...AdapterLimits.runsOfInnings, at: "data.play.target")
        }
        let chasing = format.inningsPerMatch
        guard let index = frames.firstIndex(where: { $0.ordinal == chasing }) else { return }
        let balls = target.balls.flatMap { $0 > 0 ? $0 : nil }
        frames[index].target = Target(runs: runs, balls: balls, method: target.dlApplied?.value == true ? method : nil)
    }

    /// The sentence of the result has the name; until then only the fact is known.
    private var method: String { match.play?.result?.msg.flatMap { ResultSentence($0).method } ?? "DLS" }
}

extension RoanuzPlay.Innings {
    /// The total.
    fileprivate func reported(ballsPerOver: Int, at path: String) throws(AdapterError) -> ReportedTotal {
        let range = 0...AdapterLimits.runsOfInnings
        return ReportedTotal(
            runs: try AdapterError.check(score?.runs ?? 0, in: range, at: "\(path).score.runs"),
            wickets: try AdapterError.check(wickets ?? 0, in: 0...RuleSet.lastWicket, at: "\(path).wickets"),
            balls: try AdapterError.check(score?.balls ?? balls(ballsPerOver), in: range, at: "\(path).score.balls")
        )
    }

    /// Balls of whole overs and the rest; the numbers of a hostile reply may wrap around, which is out of range or
    /// harmless.
    private func balls(_ ballsPerOver: Int) -> Int {
        guard let overs, let whole = overs.first else { return 0 }
        return (whole &* ballsPerOver) &+ (overs.count > 1 ? overs[1] : 0)
    }

    /// Whether balls with these sums are complete; only penalty runs may be on no ball.
    func agrees(withRuns runs: Int, balls: Int) -> Bool {
        (0...penalty).contains(outside(runs)) && balls == score?.balls ?? 0
    }

    /// Whether the balls add up to the total.
    fileprivate func agrees(with all: ArraySlice<Delivery>) -> Bool {
        agrees(withRuns: all.runs, balls: all.count(where: \.isLegal))
    }

    /// Whether the balls add up to the runs of the total.
    fileprivate func hasRuns(of all: ArraySlice<Delivery>) -> Bool { (0...penalty).contains(outside(all.runs)) }

    /// Whether the total has balls or runs beyond those of the balls.
    fileprivate func counts(moreThan all: ArraySlice<Delivery>) -> Bool {
        outside(all.runs) > penalty || all.count(where: \.isLegal) < score?.balls ?? 0
    }

    private var penalty: Int { max(0, extraRuns?.penalty ?? 0) }

    /// The runs of the total that are on no ball.
    private func outside(_ runs: Int) -> Int {
        (score?.runs ?? 0).subtractingReportingOverflow(runs).partialValue
    }
}

extension ArraySlice<Delivery> {
    fileprivate var runs: Int { reduce(0) { $0 + $1.runs.total } }
}
