// Thresholds that a ball carries a batter, a bowler, a pair or a side across; a ball may jump over one (49 to 55).

extension InningsFold {
    /// Runs between two milestones.
    private static let step = 50
    /// Wickets that make a haul.
    private static let haul = 5

    /// Names what this ball has reached.
    mutating func noteMilestones(
        _ delivery: Delivery,
        runsBefore: Int,
        facing: (index: Int, before: Int)?,
        context: FoldContext
    ) {
        noteHaul(delivery, context: context)
        if let facing, let reached = Self.crossed(from: facing.before, to: card.batters[facing.index].runs) {
            card.moments.append(
                .batter(
                    card.batters[facing.index],
                    reached: reached,
                    in: card.info,
                    on: delivery.key,
                    fiftyIsLoud: context.rules.fiftyIsLoud
                )
            )
        }
        if let reached = Self.crossed(from: runsBefore, to: card.runs) {
            let overs = card.overs.text(in: context.rules)
            let unit = context.rules.countsBalls ? "balls" : "ov"
            let score = "\(context.abbreviations[card.info.batting]) \(card.runs)/\(card.wickets) (\(overs) \(unit))"
            card.moments.append(.team(reached, score: score, in: card.info, on: delivery.key))
        }
        notePartnership(delivery, gained: card.runs - runsBefore)
    }

    private mutating func noteHaul(_ delivery: Delivery, context: FoldContext) {
        guard let bowler = card.bowler, !delivery.dismissals.isEmpty else { return }
        let line = card.bowlers[bowler]
        let credited = delivery.dismissals.count { $0.kind.isCreditedToBowler }
        let before = line.wickets - credited
        guard credited > 0, line.wickets / Self.haul > before / Self.haul else { return }
        let wickets = line.wickets / Self.haul * Self.haul
        card.moments.append(.haul(line, of: wickets, in: card.info, on: delivery.key, rules: context.rules))
    }

    private mutating func notePartnership(_ delivery: Delivery, gained: Int) {
        guard let stand = card.partnerships.last,
            let reached = Self.crossed(from: stand.runs - gained, to: stand.runs)
        else { return }
        let names = [stand.first.batter, stand.second.batter].compactMap { $0.map { card.batters[$0].player.name } }
        card.moments.append(
            .partnership(
                reached,
                balls: stand.balls,
                between: names,
                number: card.partnerships.count,
                in: card.info,
                on: delivery.key
            )
        )
    }

    /// The highest multiple of fifty that was crossed.
    private static func crossed(from before: Int, to after: Int) -> Int? {
        let reached = after / step
        return reached > before / step ? reached * step : nil
    }
}
