// Combines the innings: limits, targets, ends and the lead, which no innings determines alone.

internal import LiveSurface

/// Builds a match's state from its record and the scorecards of its innings.
struct MatchAssembly {
    let record: MatchRecord
    var cards: [InningsState]
    let context: FoldContext
    let statusMoments: StatusMoments

    /// The state of the match.
    var state: MatchState {
        var work = self
        work.frameInnings()
        var state = MatchState(context)
        state.status = record.status
        state.current = work.cards.lastIndex { $0.hasBegun }
        state.day = hasBalls ? MatchDay(record, rules: context.rules)?.number : nil
        let proven = ProvenResult(
            cards: work.cards,
            rules: context.rules,
            isOver: isOver && !isWithoutStatedWinner,
            isDecided: isOver && hasMargin
        )
        state.result = MatchResult(record: record, proven: proven, cards: work.cards, rules: context.rules)
        state.proven = proven.map { MatchResult($0, record: record) }
        let isTied = state.result == nil && proven?.isUnbrokenTie == true
        state.isLevel = isTied && work.superOversAreDone
        state.phase = phase
        state.innings = work.cards
        state.chase = work.chase(result: state.result)
        state.lead = work.lead(current: state.current)
        state.isFollowOnPossible = work.isFollowOnPossible
        state.displayState = displayState(state)
        MatchMoments(record: record, proven: proven, context: context, statusMoments: statusMoments).add(to: &state)
        return state
    }

    /// Whether the officials have ended the match.
    private var isOver: Bool {
        if record.status.status.isFinal { return true }
        guard let result = record.result else { return false }
        let status = record.status.status
        if status == .superOver || status == .superOverBreak { return false }
        // A tie may still be broken: the feed's status decides whether play continues.
        let isOpenTie = result.kind == .tie && result.tieBreakWinner == nil
        return !(isOpenTie && (status == .live || status.isPause))
    }

    /// Whether a match that is over was won; the last innings of a drawn match stays open, even with injured batters.
    private var hasWinner: Bool {
        let status = record.status.status
        guard let result = record.result else { return !status.isWithoutResult && status != .drawn }
        return result.kind != .draw && result.kind != .noResult
    }

    /// Whether the status says that the match is over and neither names a winner nor excludes one; only completed
    /// innings decide then.
    private var isWithoutStatedWinner: Bool {
        let status = record.status.status
        return record.result == nil && (status == .result || status == .awarded)
    }

    /// Whether the officials state a margin; only then may an innings that was cut short prove the result.
    private var hasMargin: Bool {
        guard let result = record.result else { return false }
        return hasWinner && result.kind != .won
    }

    /// Whether no more balls are due, even when the result was not stated yet.
    private var isPlayedOut: Bool { isOver || record.status.status == .resultPending }

    private var hasBalls: Bool { cards.contains { $0.hasBegun } }

    private var phase: MatchPhase {
        if isOver { return .over }
        let status = record.status.status
        if status.isPause { return hasBalls || !status.isDelay ? .onBreak : .scheduled }
        return hasBalls || !status.isBeforeStart ? .live : .scheduled
    }

    private func displayState(_ state: MatchState) -> MatchDisplayState {
        let status = record.status.status
        switch state.phase {
        case .over: return status.isWithoutResult || state.result?.kind == .noResult ? .abandoned : .finished
        case .scheduled: return status.isDelay ? .delayed : .scheduled
        case .onBreak:
            if status == .stumps || status == .restDay { return .stumps }
            return status.isDelay ? .delayed : .break
        case .live:
            // A tie that the officials have stated may still be broken: this status says that play continues.
            let isOpenTie = state.result?.kind == .tie && state.result?.winner == nil
            if state.result != nil && !(isOpenTie && context.rules.format.isLimitedOvers) { return .finished }
            let isSuperOver = status == .superOver || state.currentInnings?.isSuperOver == true
            return isSuperOver ? .superOver : .live
        }
    }

    // MARK: Limits, targets, ends

    private mutating func frameInnings() {
        var ordinary: [Int] = []
        var superOvers: [Int] = []
        let lastBegun = cards.lastIndex { $0.hasBegun } ?? -1
        for index in cards.indices {
            cards[index].addPenaltyAfter()
            cards[index].takeReported()
        }
        for index in cards.indices {
            if cards[index].isSuperOver { superOvers.append(index) } else { ordinary.append(index) }
            cards[index].target = target(index, ordinary: ordinary, superOvers: superOvers)
            cards[index].limit = limit(index)
            cards[index].isLimitCertain = isLimitCertain(index)
            let isByRules = cards[index].info.powerplays.isEmpty && !cards[index].isSuperOver
            cards[index].powerplayBalls = isByRules ? context.rules.powerplayBalls(limit: cards[index].limit) : nil
            cards[index].end = end(index, lastBegun: lastBegun)
            cards[index].isFollowOn = isFollowOn(index, ordinary: ordinary)
            addAbsent(index)
            placeBatters(index)
        }
    }

    /// Whether no super over is in progress or half done.
    private var superOversAreDone: Bool {
        let begun = cards.filter { $0.isSuperOver && $0.hasBegun }
        return begun.count.isMultiple(of: 2) && begun.allSatisfy(\.isClosed)
    }

    private func limit(_ index: Int) -> Int? {
        if cards[index].isSuperOver { return context.rules.superOverBalls }
        guard context.rules.format.isLimitedOvers else { return context.rules.ballLimit }
        if let balls = cards[index].info.target?.balls, (1...EngineLimits.ballsOfInnings).contains(balls) {
            return balls
        }
        return context.rules.ballLimit
    }

    /// Whether officials may have revised the target of the chase after an innings without its feed saying so.
    ///
    /// After a shortened innings the target is not its runs plus one, and a feed of totals alone states no target.
    private func mayBeRevised(after card: InningsState) -> Bool {
        guard context.rules.format.isLimitedOvers, !card.isSuperOver else { return false }
        let isStopped = record.statusHistory.hasStoppage
        return card.isReported ? isCutShort(card) || isStopped : isCutShort(card) && isStopped
    }

    /// Whether an innings ended before its length without being all out, as in rain: its runs alone give no target.
    private func isCutShort(_ card: InningsState) -> Bool {
        context.rules.format.isLimitedOvers && !card.isSuperOver && card.end != .allOut && card.end != .limitReached
    }

    /// Whether the limit is the length of the innings, and not only the longest one that it may have.
    private func isLimitCertain(_ index: Int) -> Bool {
        let card = cards[index]
        guard context.rules.format.isLimitedOvers, !card.isSuperOver else { return true }
        if let given = card.info.target, given.runs > 0 || given.method != nil {
            let plain = cards[..<index].filter { !$0.isSuperOver }.reduce(1) { $0 + $1.runs }
            return given.balls.map { $0 > 0 } ?? (given.method == nil && given.runs == plain)
        }
        // A feed of totals alone states no length: a first innings of full length shows that it was not reduced.
        guard card.isReported, let first = cards[..<index].first(where: { !$0.isSuperOver }) else { return true }
        return first.end == .limitReached && !record.statusHistory.hasStoppage
    }

    private func target(_ index: Int, ordinary: [Int], superOvers: [Int]) -> Target? {
        let given = cards[index].info.target
        if let given, given.runs > 0 { return given }
        let side = cards[index].info.batting
        if cards[index].isSuperOver {
            guard superOvers.count.isMultiple(of: 2), let before = superOvers.dropLast().last else { return nil }
            return Target(runs: cards[before].runs + 1, balls: context.rules.superOverBalls)
        }
        let before = ordinary.dropLast()
        // Officials revised the target and no feed states it: a computed target would prove a wrong margin.
        let isRevised = given?.method != nil || record.result?.isRevised == true
        if context.rules.format.isLimitedOvers && isRevised { return nil }
        if before.contains(where: { mayBeRevised(after: cards[$0]) }) { return nil }
        guard ordinary.count == context.rules.format.inningsPerMatch, before.allSatisfy({ cards[$0].isClosed }) else {
            return nil
        }
        let theirs = before.filter { cards[$0].info.batting != side }.reduce(0) { $0 + cards[$1].runs }
        let ours = before.filter { cards[$0].info.batting == side }.reduce(0) { $0 + cards[$1].runs }
        // A side that leads before its last innings needs one run to win.
        return Target(runs: max(1, theirs - ours + 1), balls: limit(index))
    }

    private func end(_ index: Int, lastBegun: Int) -> InningsEnd? {
        let card = cards[index]
        if card.info.isForfeited { return .forfeited }
        if card.info.isDeclared { return .declared }
        if card.wicketsLeft == 0 { return .allOut }
        if let target = card.target, card.hasBegun, card.runs >= target.runs { return .targetReached }
        let isClosed = card.info.isClosed || index < lastBegun || isOver && hasWinner
        let isAtLimit = card.limit.map { card.ballsCalled >= $0 } ?? false
        if isClosed && card.hasBegun && !isAtLimit && hasNoBatterLeft(card) { return .allOut }
        if isAtLimit { return .limitReached }
        if index < lastBegun { return .closed }
        // An innings that only the end of the match ended is not complete, though many feeds mark it as closed.
        if isPlayedOut && card.hasBegun { return .matchOver }
        return card.info.isClosed ? .closed : nil
    }

    /// Whether the side has no batter left before the tenth wicket: injured players, fewer than eleven named, or a last
    /// batter who never came to the crease and whom no feed reports as absent.
    private func hasNoBatterLeft(_ card: InningsState) -> Bool {
        let named = record.info?.team(card.info.batting).players.count ?? 0
        let places = min(card.lastWicket, (2..<11).contains(named) ? named - 1 : RuleSet.lastWicket)
        let retired = card.batters.count { $0.status == .retired }
        let isAloneAtTheEnd = card.wickets == places - 1 && card.lastBallTookWicket
        return card.wickets + card.info.absent.count + retired >= places || isAloneAtTheEnd
    }

    private func isFollowOn(_ index: Int, ordinary: [Int]) -> Bool {
        guard context.rules.hasTwoInnings, ordinary.count == 3 else { return false }
        return cards[ordinary[1]].info.batting == cards[index].info.batting
    }

    /// Whether the side that led after both first innings may enforce the follow-on (Law 14).
    private var isFollowOnPossible: Bool {
        guard let margin = context.rules.followOnMargin, !isOver else { return false }
        let played = cards.filter { $0.hasBegun }
        guard played.count == 2, played.allSatisfy(\.isClosed), !played[1].info.isDeclared else { return false }
        return played[0].info.batting != played[1].info.batting && played[0].runs - played[1].runs >= margin
    }

    /// Sets the batters whom the feed reports at the crease: a new batter before the first ball, the survivor of a run
    /// out.
    private mutating func placeBatters(_ index: Int) {
        guard !cards[index].isClosed, !cards[index].isReported, let crease = cards[index].info.crease else { return }
        let striker = crease.striker.flatMap { row(of: $0, in: index) }
        let nonStriker = crease.nonStriker.flatMap { row(of: $0, in: index) }
        guard striker != nil || nonStriker != nil else { return }
        cards[index].pair = (striker, nonStriker)
        cards[index].onStrike = striker
        cards[index].isStrikeInferred = false
    }

    /// The row of a batter at the crease; nil for a batter who is out or has no id.
    private mutating func row(of player: Player, in index: Int) -> Int? {
        guard !player.id.isEmpty else { return nil }
        if let row = cards[index].batters.firstIndex(where: { $0.player.id == player.id }) {
            return cards[index].batters[row].status == .out ? nil : row
        }
        let position = cards[index].batters.count + 1
        cards[index].batters.append(BatterLine(player: player, position: position))
        return position - 1
    }

    private mutating func addAbsent(_ index: Int) {
        for player in cards[index].info.absent where !cards[index].batters.contains(where: { $0.player == player }) {
            var line = BatterLine(player: player, position: cards[index].batters.count + 1)
            line.status = .absent
            line.howOut = "absent hurt"
            cards[index].batters.append(line)
        }
    }

    // MARK: Chase and lead

    private func chase(result: MatchResult?) -> Chase? {
        guard result == nil, !isPlayedOut, let last = cards.lastIndex(where: { $0.hasBegun }) else { return nil }
        var card = cards[last]
        if card.isClosed {
            if let framed = cards.indices.first(where: { $0 > last && cards[$0].target != nil }) {
                card = cards[framed]
            } else if let awaited = awaitedChase(after: last) {
                card = awaited
            }
        }
        guard let target = card.target, card.end == nil else { return nil }
        let needed = max(0, target.runs - card.runs)
        let left = card.ballsLeft
        let rate = left.flatMap { balls in
            balls > 0 ? Rate.text(runs: needed, balls: balls, ballsPerOver: card.ballsPerOver) : nil
        }
        return Chase(
            side: card.info.batting,
            target: target,
            needed: needed,
            ballsLeft: left,
            wicketsLeft: card.wicketsLeft,
            hasBegun: card.deliveries > 0 || card.isReported,
            requiredRate: rate
        )
    }

    /// The innings that follows a completed one when no feed has announced it yet.
    private func awaitedChase(after index: Int) -> InningsState? {
        let last = cards[index]
        guard last.isClosed else { return nil }
        let before = cards.filter { $0.isSuperOver == last.isSuperOver }
        let isDue =
            if last.isSuperOver {
                !before.count.isMultiple(of: 2)
            } else {
                before.count == (context.rules.hasTwoInnings ? 3 : 1)
            }
        guard isDue, !isCutShort(last), !mayBeRevised(after: last) else { return nil }
        let side = last.isSuperOver || !context.rules.hasTwoInnings ? last.info.batting.opponent : lastToBat(before)
        guard let side else { return nil }
        var next = InningsState(
            InningsInfo(ordinal: last.info.ordinal, batting: side, superOver: last.info.superOver),
            rules: context.rules
        )
        let pool = last.isSuperOver ? [last] : before
        let lead = pool.reduce(0) { $0 + ($1.info.batting == side ? -$1.runs : $1.runs) }
        guard lead >= 0 else { return nil }
        next.limit = last.isSuperOver ? context.rules.superOverBalls : context.rules.ballLimit
        next.target = Target(runs: lead + 1, balls: next.limit)
        next.isLimitCertain = !last.isReported || last.isSuperOver || last.end == .limitReached
        return next
    }

    /// The side that has batted once in three innings.
    private func lastToBat(_ innings: [InningsState]) -> Side? {
        Side.allCases.first { side in innings.count { $0.info.batting == side } == 1 }
    }

    private func lead(current: Int?) -> Lead? {
        guard context.rules.hasTwoInnings, let current else { return nil }
        let side = cards[current].info.batting
        let begun = cards.filter { $0.hasBegun && !$0.isSuperOver }
        guard begun.contains(where: { $0.info.batting != side }) else { return nil }
        let margin = begun.reduce(0) { $0 + ($1.info.batting == side ? $1.runs : -$1.runs) }
        return Lead(side: side, runs: margin)
    }
}
