// Milestones of a batter, a bowler, a pair or a side; one ball may pass a milestone without stopping on it (49 to 55).

internal import LiveSurface

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
        if !delivery.pointee.dismissals.isEmpty { noteHauls(delivery, context: context) }
        if let facing, let reached = Self.crossed(from: facing.before, to: card.batters[facing.index].runs) {
            noteBatter(card.batters[facing.index], reached: reached, on: delivery, context: context)
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

    /// Adds a moment of a ball unless its level is off.
    ///
    /// The level defaults to that of the kind, the subject to the batting side.
    mutating func note(
        _ kind: Moment.Kind,
        _ key: String,
        on ball: DeliveryReference,
        _ context: FoldContext,
        level: MomentPolicy.Level? = nil,
        subject: String? = nil,
        side: Side? = nil,
        title: NotificationText,
        body: NotificationText,
        flash: String? = nil
    ) {
        guard let level = level ?? context.moments.level(of: kind), level != .off else { return }
        card.played.append(
            Moment(
                key,
                kind,
                level,
                subject: subject ?? String(card.info.batting.rawValue),
                delivery: ball.pointee.key,
                innings: card.info.ordinal,
                side: side,
                title: title,
                body: body,
                flash: flash
            )
        )
    }

    private mutating func noteBatter(
        _ line: BatterLine,
        reached runs: Int,
        on ball: DeliveryReference,
        context: FoldContext
    ) {
        let titles: [Int: NotificationKey] = [
            50: .fifty, 100: .hundred, 200: .doubleHundred, 300: .tripleHundred, 400: .quadrupleHundred,
        ]
        let figures = [line.runs, line.balls, line.fours, line.sixes].map(String.init)
        note(
            runs >= 100 ? .hundred : .fifty,
            "b\(runs):\(card.info.ordinal):\(line.player.id)",
            on: ball,
            context,
            subject: line.player.id,
            side: card.info.batting,
            title: titles[runs].map { NotificationText($0) } ?? NotificationText(.batterRuns, String(runs)),
            body: NotificationText(.batterInnings, [line.player.fullName] + figures),
            flash: String(runs)
        )
    }

    private mutating func noteTeam(_ reached: Int, on ball: DeliveryReference, context: FoldContext) {
        note(
            .teamMilestone,
            "t\(reached):\(card.info.ordinal)",
            on: ball,
            context,
            level: reached == 100 ? context.moments.teamHundred : nil,
            side: card.info.batting,
            title: NotificationText(.teamRuns, String(reached)),
            body: scoreWithOvers(context)
        )
    }

    private mutating func note(_ stand: Partnership, reached: Int, on ball: DeliveryReference, context: FoldContext) {
        let shares = [stand.first, stand.second].compactMap { share in
            share.batter.map { (name: PersonName(card.batters[$0].player.name).surname, runs: share.runs) }
        }
        note(
            .partnership,
            "p\(reached):\(card.info.ordinal):\(card.partnerships.count)",
            on: ball,
            context,
            level: reached.isMultiple(of: 100) ? context.moments.partnershipHundred : nil,
            subject: shares.map(\.name).joined(separator: " and "),
            side: card.info.batting,
            title: NotificationText(.partnershipRuns, String(reached)),
            body: Self.sentence(of: stand, shares)
        )
    }

    /// `Sharma 61, Kohli 35 (58 balls, extras 4)`; a feed may omit a batter.
    private static func sentence(of stand: Partnership, _ shares: [(name: String, runs: Int)]) -> NotificationText {
        let parts = shares.flatMap { [$0.name, String($0.runs)] } + [String(stand.balls)]
        if shares.count == 2 {
            guard stand.extras > 0 else { return NotificationText(.partnership, parts) }
            return NotificationText(.partnershipWithExtras, parts + [String(stand.extras)])
        }
        let names = shares.map { "\($0.name) \($0.runs)" }.joined(separator: ", ")
        return "\(names) (\(stand.balls) balls\(stand.extras > 0 ? ", extras \(stand.extras)" : ""))"
    }

    /// `MI 87/6 (12.3 ov)`.
    func scoreWithOvers(_ context: FoldContext) -> NotificationText {
        let score = context.rules.scoreStyle.text(runs: card.runs, wickets: card.wickets)
        return .score(score, of: context.abbreviations[card.info.batting], after: card.overs, in: context.rules)
    }

    /// Adds the moments of a bowler's wickets in the innings and in the match.
    private mutating func noteHauls(_ delivery: DeliveryReference, context: FoldContext) {
        let credited = delivery.pointee.dismissals.count { $0.kind.isCreditedToBowler }
        guard credited > 0, let bowler = card.bowler else { return }
        let line = card.bowlers[bowler]
        if line.wickets >= context.moments.smallestHaul {
            let titles: [Int: NotificationText] = [
                3: "Three wickets", 4: "Four wickets", 5: NotificationText(.fiveWickets),
            ]
            let overs = line.overs(ballsPerOver: card.ballsPerOver).text(in: context.rules)
            note(
                line.wickets >= 5 ? .fiveWickets : .wicketHaul,
                "\(line.wickets)w:\(card.info.ordinal):\(line.player.id)",
                on: delivery,
                context,
                subject: line.player.id,
                side: card.info.batting.opponent,
                title: titles[line.wickets] ?? NotificationText(.manyWickets, String(line.wickets)),
                body: "\(line.player.fullName) \(line.figures) (\(overs))"
            )
        }
        let all = line.wickets + (historiesBefore[line.player.id]?.wickets ?? 0)
        guard counters.isOfTwoInnings, all >= Self.matchHaul, all - credited < Self.matchHaul else { return }
        note(
            .tenInMatch,
            "10m:\(line.player.id)",
            on: delivery,
            context,
            subject: line.player.id,
            side: card.info.batting.opponent,
            title: NotificationText(.tenInMatch),
            body: NotificationText(.bowlerOfMatch, line.player.fullName, line.figures)
        )
    }

    /// The highest multiple of fifty that was reached; nil when none was.
    private static func crossed(from before: Int, to after: Int) -> Int? {
        let reached = after / step
        return reached > before / step ? reached * step : nil
    }
}
