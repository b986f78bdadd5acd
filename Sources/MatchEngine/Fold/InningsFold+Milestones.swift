// Milestones of a batter, a bowler, a pair or a side; one ball may pass a milestone without stopping on it (49 to 55).

extension InningsFold {
    /// Runs between two milestones (cricket.md C.12).
    private static let step = 50
    /// Wickets of a bowler in a match that are announced: ten (cricket.md C.12).
    private static let matchHaul = 10

    /// Adds the moments of this ball; an ordinary ball costs a few comparisons.
    mutating func noteMilestones(
        _ delivery: DeliveryReference,
        _ runs: BallRuns,
        runsBefore: Int,
        facing: (index: Int, before: Int)?,
        context: FoldContext
    ) {
        noteOver(delivery, runs, striker: facing?.index, context: context)
        if !delivery.dismissals.isEmpty { noteHauls(delivery, context: context) }
        if let facing, let reached = Self.crossed(from: facing.before, to: card.batters[facing.index].runs) {
            noteBatter(facing.index, reached: reached, on: delivery, context: context)
        }
        let gained = card.runs - runsBefore
        guard gained > 0 else { return }
        if let reached = Self.crossed(from: runsBefore, to: card.runs) {
            noteTeam(reached, on: delivery, context: context)
        }
        if let stand = card.partnerships.last, let reached = Self.crossed(from: stand.runs - gained, to: stand.runs) {
            note(stand, reached: reached, on: delivery, context: context)
        }
    }

    /// The place of a moment of a ball; nil when the moments of a kind are off.
    func place(of kind: Moment.Kind, _ ball: DeliveryReference, _ context: FoldContext) -> MomentPlace? {
        context.moments.level(of: kind).map { MomentPlace(innings: card.info, ball: ball.key, level: $0) }
    }

    private mutating func noteBatter(_ index: Int, reached: Int, on ball: DeliveryReference, context: FoldContext) {
        guard let place = place(of: reached >= 100 ? .hundred : .fifty, ball, context) else { return }
        card.played.append(.batter(card.batters[index], reached: reached, at: place))
    }

    private mutating func noteTeam(_ reached: Int, on ball: DeliveryReference, context: FoldContext) {
        let rules = context.moments
        let level = reached == 100 ? rules.teamHundred : rules.level(of: .teamMilestone)
        guard let level, level != .off else { return }
        let score = "\(context.abbreviations[card.info.batting]) \(scoreWithOvers(context.rules))"
        let place = MomentPlace(innings: card.info, ball: ball.key, level: level)
        card.played.append(.team(reached, score: score, at: place))
    }

    private mutating func note(_ stand: Partnership, reached: Int, on ball: DeliveryReference, context: FoldContext) {
        let rules = context.moments
        let level = reached.isMultiple(of: 100) ? rules.partnershipHundred : rules.level(of: .partnership)
        guard let level, level != .off else { return }
        let shares = [stand.first, stand.second].compactMap { share in
            share.batter.map { (name: card.batters[$0].player.name, runs: share.runs) }
        }
        let place = MomentPlace(innings: card.info, ball: ball.key, level: level)
        card.played.append(.partnership(stand, reached, shares: shares, card.partnerships.count, at: place))
    }

    /// `87/6 (12.3 ov)`.
    func scoreWithOvers(_ rules: RuleSet) -> String {
        let score = rules.scoreStyle.text(runs: card.runs, wickets: card.wickets)
        return "\(score) (\(card.overs.text(in: rules)) \(rules.countsBalls ? "balls" : "ov"))"
    }

    /// Adds the moments of a bowler's wickets in the innings and in the match.
    private mutating func noteHauls(_ delivery: DeliveryReference, context: FoldContext) {
        let credited = delivery.dismissals.count { $0.kind.isCreditedToBowler }
        guard credited > 0, let bowler = card.bowler else { return }
        let line = card.bowlers[bowler]
        if line.wickets >= context.moments.smallestHaul,
            let place = place(of: line.wickets >= 5 ? .fiveWickets : .wicketHaul, delivery, context)
        {
            card.played.append(.haul(line, rules: context.rules, at: place))
        }
        guard counters.isOfTwoInnings, let place = place(of: .tenInMatch, delivery, context) else { return }
        let all = line.wickets + (historiesBefore[line.player.id]?.wickets ?? 0)
        if all >= Self.matchHaul && all - credited < Self.matchHaul {
            card.played.append(.ten(line, at: place))
        }
    }

    /// The highest multiple of fifty that was reached; nil when none was.
    private static func crossed(from before: Int, to after: Int) -> Int? {
        let reached = after / step
        return reached > before / step ? reached * step : nil
    }
}
