// Folds the balls of one innings in order into its scorecard; runs are derived from a ball nowhere else.

/// The inputs of a fold beside the balls; one value for the whole match.
struct FoldContext: Sendable {
    let rules: RuleSet
    let names: PlayerNames
    let abbreviations: Abbreviations
    let moments: MomentRules

    init(_ info: MatchInfo, options: EngineOptions = EngineOptions()) {
        rules = RuleSet(info, scoreStyle: options.scoreStyle)
        names = PlayerNames(info)
        abbreviations = Abbreviations(info)
        moments = MomentRules(options.moments, format: info.format)
    }
}

/// A ball in the record's storage, valid while the closure with access to it runs: copying names and dismissals took an
/// eighth of the time of a fold.
typealias DeliveryReference = UnsafePointer<Delivery>

/// An innings being folded, ball by ball.
struct InningsFold: Sendable {
    /// The scorecard so far.
    var card: InningsState
    /// Counts that players carry over from earlier innings, by player id.
    let historiesBefore: PlayerHistories
    /// Order key of the last ball folded; `card.lastBall` is its delivery key.
    private(set) var lastOrder = OrderKey(.min)
    /// Wickets off successive balls, one element per bowler of `card.bowlers`.
    var streaks: [BowlerStreak] = []
    /// The counters of milestones.
    var counters: MilestoneCounters
    private var over = OverFold()

    init(_ info: InningsInfo, streaks: PlayerHistories, context: FoldContext) {
        card = InningsState(info, rules: context.rules)
        historiesBefore = streaks
        counters = MilestoneCounters(info, rules: context.rules)
    }

    /// Adds the next ball.
    mutating func add(_ delivery: DeliveryReference, context: borrowing FoldContext) {
        lastOrder = delivery.pointee.order
        card.lastBall = delivery.pointee.key
        let runs = BallRuns(delivery.pointee.runs, isAllRun: delivery.pointee.isAllRun)
        let before = card.runs
        let striker = batterIndex(delivery.pointee.striker)
        let nonStriker = batterIndex(delivery.pointee.nonStriker)
        let bowler = bowlerIndex(delivery.pointee.bowler)
        beginOver(delivery, bowler: bowler)
        score(delivery, runs)
        charge(delivery, runs, to: bowler)
        share(runs, striker: striker, nonStriker: nonStriker)
        let facing = striker.map { (index: $0, before: card.batters[$0].runs) }
        if let striker { card.batters[striker].face(runs) }
        card.pair = (striker, nonStriker)
        card.onStrike = strikerAfter(delivery, runs, striker: striker, nonStriker: nonStriker, context: context)
        let wicketsBefore = card.wickets
        if !delivery.pointee.dismissals.isEmpty { takeWickets(delivery, bowler: bowler, context: context) }
        let isWicket = card.wickets > wicketsBefore
        card.balls.append(
            BallMark(
                runs,
                over: over.number,
                isLegal: delivery.pointee.isLegal,
                isWicket: isWicket,
                noBallPenalty: context.rules.noBallPenalty
            )
        )
        noteFreeHit(runs, context: context)
        noteStreak(delivery, bowler: bowler, context: context)
        if delivery.pointee.hasReviewsOrReplacements { noteReviewsAndReplacements(delivery, context: context) }
        if !card.isSuperOver {
            noteMilestones(delivery, runs, runsBefore: before, facing: facing, context: context)
        }
    }

    /// A free hit stays due when its ball is itself a wide or a no-ball (cricket.md C.15).
    private mutating func noteFreeHit(_ runs: BallRuns, context: FoldContext) {
        if runs.noBalls > 0 {
            card.isFreeHitDue = context.rules.freeHit == .allNoBalls
        } else if runs.wides == 0 {
            card.isFreeHitDue = false
        }
    }

    private mutating func score(_ delivery: DeliveryReference, _ runs: BallRuns) {
        card.deliveries += 1
        card.runs += runs.total
        card.extras.byes += runs.byes
        card.extras.legByes += runs.legByes
        card.extras.wides += runs.wides
        card.extras.noBalls += runs.noBalls
        card.extras.penalty += runs.penalty
        if delivery.pointee.isLegal {
            card.legalBalls += 1
            card.legalInOver += 1
        }
    }

    private mutating func beginOver(_ delivery: DeliveryReference, bowler: Int?) {
        let number = BallRuns.clampedOver(delivery.pointee.over)
        if over.number == number && card.deliveries > 0 {
            if over.bowler != bowler { share(overWith: bowler) }
            return
        }
        if card.deliveries > 0 { endOver() }
        card.oversCalled = number
        card.legalInOver = 0
        card.bowler = bowler
        over = OverFold(number: number, bowler: bowler)
    }

    private mutating func share(overWith bowler: Int?) {
        takeBackMaiden()
        over.isShared = true
        over.bowler = bowler
        card.bowler = bowler
    }

    /// Counts a maiden when the umpire has called the over after fewer than six legal balls.
    private mutating func endOver() {
        if !over.isMaiden && over.charged == 0 && !over.isShared && card.legalInOver > 0 { giveMaiden() }
    }

    private mutating func giveMaiden() {
        guard let bowler = over.bowler else { return }
        card.bowlers[bowler].maidens += 1
        over.isMaiden = true
        counters.maidenBowler = bowler
    }

    private mutating func takeBackMaiden() {
        guard over.isMaiden, let bowler = over.bowler else { return }
        card.bowlers[bowler].maidens -= 1
        over.isMaiden = false
        counters.maidenBowler = nil
    }

    private mutating func charge(_ delivery: DeliveryReference, _ runs: BallRuns, to bowler: Int?) {
        if runs.charged > 0 { takeBackMaiden() }
        over.charged += runs.charged
        guard let bowler else { return }
        card.bowlers[bowler].deliver(runs, isLegal: delivery.pointee.isLegal)
        let isWhole = card.legalInOver >= card.ballsPerOver
        if isWhole && !over.isMaiden && over.charged == 0 && !over.isShared { giveMaiden() }
    }

    private func strikerAfter(
        _ delivery: DeliveryReference,
        _ runs: BallRuns,
        striker: Int?,
        nonStriker: Int?,
        context: FoldContext
    ) -> Int? {
        var swaps = !runs.ran.isMultiple(of: 2)
        if card.legalInOver >= card.ballsPerOver && delivery.pointee.isLegal {
            let changesEnds = card.isSuperOver || card.ballsCalled.isMultiple(of: context.rules.ballsPerEnd)
            if changesEnds { swaps.toggle() }
        }
        return swaps ? nonStriker : striker
    }

    private mutating func batterIndex(_ player: Player) -> Int? {
        let (one, two) = card.pair
        if let one, card.batters[one].player.isSame(as: player) { return one }
        if let two, card.batters[two].player.isSame(as: player) { return two }
        guard !player.id.isEmpty else { return nil }
        if let index = card.batters.firstIndex(where: { $0.player.isSame(as: player) }) {
            if card.batters[index].status == .retired { card.batters[index].comeBack() }
            return index
        }
        card.batters.append(BatterLine(player: player, position: card.batters.count + 1))
        return card.batters.count - 1
    }

    /// The row of a batter who is out without having been at the crease.
    mutating func rowIndex(_ player: Player) -> Int {
        if let index = card.batters.lastIndex(where: { $0.player.isSame(as: player) }) { return index }
        card.batters.append(BatterLine(player: player, position: card.batters.count + 1))
        return card.batters.count - 1
    }

    private mutating func bowlerIndex(_ player: Player) -> Int? {
        if let index = card.bowler, card.bowlers[index].player.isSame(as: player) { return index }
        guard !player.id.isEmpty else { return nil }
        if let index = card.bowlers.firstIndex(where: { $0.player.isSame(as: player) }) { return index }
        card.bowlers.append(BowlerLine(player: player))
        streaks.append(BowlerStreak(run: card.isSuperOver ? 0 : historiesBefore[player.id]?.run ?? 0))
        return card.bowlers.count - 1
    }
}

/// The over being bowled.
private struct OverFold: Sendable {
    var number = 0
    var bowler: Int?
    var charged = 0
    var isShared = false
    /// Whether it has been counted as a maiden.
    var isMaiden = false
}
