// Puts the innings together: limits, targets, ends, who leads; all that no innings knows by itself.

internal import LiveSurface

/// Builds a match's state out of its record and the cards of its innings.
struct MatchAssembly {
    let record: MatchRecord
    let context: FoldContext
    let course: MomentCourse
    var cards: [InningsState]

    init(record: MatchRecord, cards: [InningsState], context: FoldContext, course: MomentCourse) {
        self.course = course
        self.record = record
        self.cards = cards
        self.context = context
    }

    /// The state.
    var state: MatchState {
        var work = self
        work.frameInnings()
        var state = MatchState(context)
        state.status = record.status
        state.current = work.cards.lastIndex { $0.hasBegun }
        state.day = day
        state.session = session
        let verdict = Verdict(
            cards: work.cards,
            rules: context.rules,
            isOver: isOver && !isUntold,
            isDecided: isOver && hasMargin
        )
        state.result = MatchResult(record: record, verdict: verdict, cards: work.cards, rules: context.rules)
        state.proven = verdict.map { MatchResult($0, record: record) }
        let isTied = state.result == nil && verdict == .tie(superOverWinner: nil)
        state.isLevel = isTied && work.superOversAreDone
        state.phase = phase
        state.innings = work.cards
        state.chase = work.chase(result: state.result)
        state.standing = work.standing(current: state.current)
        state.isFollowOnPossible = work.isFollowOnPossible
        state.displayState = displayState(state)
        MomentsOfMatch(record: record, verdict: verdict, context: context, course: course).add(to: &state)
        return state
    }

    /// Whether officials have ended the match.
    private var isOver: Bool {
        if record.status.status.isFinal { return true }
        guard let result = record.result else { return false }
        let status = record.status.status
        if status == .superOver || status == .superOverBreak { return false }
        // A tie may yet be broken: the feed's word decides whether play goes on.
        let isOpenTie = result.kind == .tie && result.tieBreakWinner == nil
        return !(isOpenTie && (status == .live || status.isPause))
    }

    /// Whether a match that is over was won; a drawn one leaves its last innings open, however many are hurt.
    private var hasWinner: Bool {
        let status = record.status.status
        guard let result = record.result else { return !status.isWithoutResult && status != .drawn }
        return result.kind != .draw && result.kind != .noResult
    }

    /// Whether the match is over by a word that says neither who has won nor that nobody has: then only innings that
    /// were played out tell.
    private var isUntold: Bool {
        let status = record.status.status
        return record.result == nil && (status == .result || status == .awarded)
    }

    /// Whether officials say by how much a side has won: only then may an innings that was cut short tell it too.
    private var hasMargin: Bool {
        guard let result = record.result else { return false }
        return hasWinner && result.kind != .won
    }

    /// Whether no ball is to come, though nobody may have said yet how the match has ended.
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
            // A tie that officials have stated may yet be broken: this word of the feed says that play goes on.
            let isOpenTie = state.result?.kind == .tie && state.result?.winner == nil
            if state.result != nil && !(isOpenTie && context.rules.format.isLimitedOvers) { return .finished }
            let isSuperOver = status == .superOver || state.currentInnings?.isSuperOver == true
            return isSuperOver ? .superOver : .live
        }
    }

    /// The day by the feed's word, else by its free text, else by the stumps seen.
    private var day: Int? {
        guard context.rules.hasTwoInnings, hasBalls else { return nil }
        if let day = record.status.day, (1...9).contains(day) { return day }
        if let day = record.status.note.flatMap(Self.dayNumber) { return day }
        guard record.trail.isComplete else { return nil }
        return max(1, record.trail.daysEnded + (record.trail.isBetweenDays ? 0 : 1))
    }

    /// The session by the feed's word, else by the breaks seen since play began that day (cricket.md C.13).
    private var session: Int? {
        guard day != nil, phase == .live || record.status.status.endsSession else { return nil }
        if let session = record.status.session, (1...4).contains(session) { return session }
        guard record.trail.isComplete || record.trail.daysEnded > 0 else { return nil }
        let isBetween = record.status.status.endsSession
        return max(1, record.trail.sessionsEnded + (isBetween ? 0 : 1))
    }

    /// `3` in `Stump Day 3` or `Day 3, session 2`.
    static func dayNumber(in note: String) -> Int? {
        let words = note.prefix(64).lowercased().split { !$0.isLetter && !$0.isNumber }
        guard let at = words.firstIndex(of: "day"), words.indices.contains(at + 1), let day = Int(words[at + 1]),
            (1...9).contains(day)
        else { return nil }
        return day
    }

    // MARK: Limits, targets, ends

    private mutating func frameInnings() {
        var ordinary: [Int] = []
        var superOvers: [Int] = []
        let lastBegun = cards.lastIndex { $0.hasBegun } ?? -1
        for index in cards.indices { cards[index].takeReported() }
        for index in cards.indices {
            if cards[index].isSuperOver { superOvers.append(index) } else { ordinary.append(index) }
            cards[index].target = target(index, ordinary: ordinary, superOvers: superOvers)
            cards[index].limit = limit(index)
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
        if let balls = cards[index].info.target?.balls, (1...RuleSet.ballLimitMax).contains(balls) { return balls }
        return context.rules.ballLimit
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
        // Officials revised the target and no feed names it: one made up here would prove a false margin.
        let isRevised = given?.method != nil || record.result?.isRevised == true
        if context.rules.format.isLimitedOvers && isRevised { return nil }
        // A feed of totals alone tells no target; after an innings that was cut short there is another than its runs.
        let isCutShort = before.contains { cards[$0].isReported && cards[$0].end == .closed }
        if context.rules.format.isLimitedOvers && isCutShort { return nil }
        guard ordinary.count == context.rules.format.inningsPerMatch, before.allSatisfy({ cards[$0].isClosed }) else {
            return nil
        }
        let theirs = before.filter { cards[$0].info.batting != side }.reduce(0) { $0 + cards[$1].runs }
        let ours = before.filter { cards[$0].info.batting == side }.reduce(0) { $0 + cards[$1].runs }
        // A side that leads before its last innings has nothing to chase: its one run wins.
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
        if isClosed && card.hasBegun && !isAtLimit && hasNobodyLeft(card) { return .allOut }
        if isAtLimit { return .limitReached }
        if index < lastBegun { return .closed }
        // What nothing ended but the match is no end of an innings, though many feeds call it closed then.
        if isPlayedOut && card.hasBegun { return .matchOver }
        return card.info.isClosed ? .closed : nil
    }

    /// Whether the side ran out of batters before ten wickets: some hurt, fewer than eleven named, or a last one who
    /// never came, whom no feed has called absent.
    private func hasNobodyLeft(_ card: InningsState) -> Bool {
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

    /// Whether the side that led after both first innings may make the other bat again.
    private var isFollowOnPossible: Bool {
        guard let margin = context.rules.followOnMargin, !isOver else { return false }
        let played = cards.filter { $0.hasBegun }
        guard played.count == 2, played.allSatisfy(\.isClosed), !played[1].info.isDeclared else { return false }
        return played[0].info.batting != played[1].info.batting && played[0].runs - played[1].runs >= margin
    }

    /// Puts in those whom the feed says are in: a new batter is known before his first ball, a run out's survivor too.
    private mutating func placeBatters(_ index: Int) {
        guard !cards[index].isClosed, !cards[index].isReported, let crease = cards[index].info.crease else { return }
        let striker = crease.striker.flatMap { row(of: $0, in: index) }
        let nonStriker = crease.nonStriker.flatMap { row(of: $0, in: index) }
        guard striker != nil || nonStriker != nil else { return }
        cards[index].pair = (striker, nonStriker)
        cards[index].onStrike = striker
        cards[index].isStrikeInferred = false
    }

    /// The row of somebody who is in; nil for one who is out or has no name.
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

    /// The innings that has to come after a first one that is over, when no feed has framed it yet.
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
        guard isDue else { return nil }
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
        return next
    }

    /// Who has batted once of three innings.
    private func lastToBat(_ innings: [InningsState]) -> Side? {
        Side.allCases.first { side in innings.count { $0.info.batting == side } == 1 }
    }

    private func standing(current: Int?) -> Standing? {
        guard context.rules.hasTwoInnings, let current else { return nil }
        let side = cards[current].info.batting
        let begun = cards.filter { $0.hasBegun && !$0.isSuperOver }
        guard begun.contains(where: { $0.info.batting != side }) else { return nil }
        let lead = begun.reduce(0) { $0 + ($1.info.batting == side ? $1.runs : -$1.runs) }
        return Standing(side: side, lead: lead)
    }
}
