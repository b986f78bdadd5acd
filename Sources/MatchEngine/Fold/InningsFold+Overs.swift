// Events of an over: maidens, two wickets, six sixes, the end of a powerplay.

internal import LiveSurface

extension InningsFold {
    /// Consecutive sixes that are announced, and sixes of one over that are announced (cricket.md C.12).
    private static let sixesRunning = 5
    private static let sixesOfAnOver = 6

    /// Counts the ball in its over.
    mutating func noteOver(_ delivery: DeliveryReference, _ runs: BallRuns, striker: Int?, context: FoldContext) {
        if counters.over != card.oversCalled { turnOver(delivery, context: context) }
        if runs.isSix {
            noteSix(delivery, striker: striker, context: context)
        } else if runs.isFaced {
            counters.sixesRunning = 0
        }
        if !delivery.pointee.dismissals.isEmpty { noteWicketsOfOver(delivery, context: context) }
        if (counters.maidenBowler != nil) != counters.isMaidenAnnounced { noteMaiden(delivery, context: context) }
        if card.ballsCalled >= counters.nextMark { noteMarks(delivery, context: context) }
        guard runs.penalty > 0 else { return }
        note(
            .penaltyRuns,
            "pen:\(delivery.pointee.key)",
            on: delivery,
            context,
            side: card.info.batting,
            title: "Penalty runs",
            body: "\(runs.penalty) penalty runs to \(context.abbreviations[card.info.batting])"
        )
    }

    /// When the umpire calls an over early, it becomes a maiden only with the first ball of the next one.
    private mutating func turnOver(_ delivery: DeliveryReference, context: FoldContext) {
        if counters.maidenBowler != nil && !counters.isMaidenAnnounced { noteMaiden(delivery, context: context) }
        counters.over = card.oversCalled
        counters.wicketsInOver = 0
        counters.sixesInOver = 0
        counters.maidenBowler = nil
        counters.isMaidenAnnounced = false
    }

    private mutating func noteSix(_ delivery: DeliveryReference, striker: Int?, context: FoldContext) {
        counters.sixesInOver += 1
        counters.sixesRunning = counters.hitter == striker ? counters.sixesRunning + 1 : 1
        counters.hitter = striker
        let isSixthOfOver = counters.sixesInOver == Self.sixesOfAnOver && context.moments.level(of: .sixSixes) != nil
        guard let striker, isSixthOfOver || counters.sixesRunning == Self.sixesRunning else { return }
        let line = card.batters[striker]
        note(
            isSixthOfOver ? .sixSixes : .fiveSixes,
            "\(isSixthOfOver ? "s6" : "s5"):\(card.info.ordinal):\(counters.over)",
            on: delivery,
            context,
            subject: line.player.id,
            side: card.info.batting,
            title: isSixthOfOver ? NotificationText(.sixSixes) : "Five sixes running!",
            body: "\(line.player.fullName) \(line.runs)(\(line.balls))",
            flash: "6"
        )
    }

    private mutating func noteWicketsOfOver(_ delivery: DeliveryReference, context: FoldContext) {
        let credited = delivery.pointee.dismissals.count { $0.kind.isCreditedToBowler }
        let before = counters.wicketsInOver
        counters.wicketsInOver += credited
        guard before < 2, counters.wicketsInOver >= 2, let bowler = card.bowler else { return }
        let line = card.bowlers[bowler]
        note(
            .doubleWicketOver,
            "d2:\(card.info.ordinal):\(counters.over)",
            on: delivery,
            context,
            subject: line.player.id,
            side: card.info.batting.opponent,
            title: "Two in the over",
            body: "\(line.player.fullName) \(line.figures)",
            flash: "W"
        )
    }

    /// Announces a maiden, or removes the moment of one to which a seventh ball with runs was added.
    private mutating func noteMaiden(_ delivery: DeliveryReference, context: FoldContext) {
        let key = "m:\(card.info.ordinal):\(counters.over)"
        counters.isMaidenAnnounced = counters.maidenBowler != nil
        guard let bowler = counters.maidenBowler else {
            card.played.removeAll { $0.key.text == key }
            return
        }
        let line = card.bowlers[bowler]
        let titles: [NotificationText] = ["Maiden", "Wicket maiden", "Double-wicket maiden", "Triple-wicket maiden"]
        let wickets = counters.wicketsInOver
        let overs = line.overs(ballsPerOver: card.ballsPerOver).text(in: context.rules)
        note(
            .maiden,
            key,
            on: delivery,
            context,
            subject: line.player.id,
            side: card.info.batting.opponent,
            title: titles.indices.contains(wickets) ? titles[wickets] : "\(wickets)-wicket maiden",
            body: "\(line.player.fullName) \(overs)-\(line.maidens)-\(line.runs)-\(line.wickets)"
        )
    }

    private mutating func noteMarks(_ delivery: DeliveryReference, context: FoldContext) {
        while let mark = counters.passMark(at: card.ballsCalled) {
            switch mark.kind {
            case .powerplayBegins: counters.powerplayStart = (card.runs, card.wickets, card.ballsCalled)
            case .powerplayEnds: notePowerplay(delivery, context: context)
            case .lastOver: noteDue(.lastOver, delivery, context: context)
            case .newBall: noteDue(.newBall, delivery, context: context)
            }
        }
    }

    private mutating func notePowerplay(_ delivery: DeliveryReference, context: FoldContext) {
        counters.powerplays += 1
        let start = counters.powerplayStart
        let overs = Overs(balls: card.ballsCalled - start.balls, ballsPerOver: card.ballsPerOver)
        let score = "\(card.runs - start.runs)/\(card.wickets - start.wickets)"
        note(
            .powerplayEnd,
            "pp:\(card.info.ordinal):\(counters.powerplays)",
            on: delivery,
            context,
            side: card.info.batting,
            title: "Powerplay over",
            body: "\(context.abbreviations[card.info.batting]) \(score) in \(overs.shortLength(in: context.rules))"
        )
    }

    /// Announces the last over or the new ball before it is bowled; not when the innings is over.
    private mutating func noteDue(_ kind: Moment.Kind, _ delivery: DeliveryReference, context: FoldContext) {
        guard card.wicketsLeft > 0 else { return }
        let lastOver: NotificationText = context.rules.countsBalls ? "Last \(card.ballsPerOver) balls" : "Last over"
        note(
            kind,
            "\(kind == .lastOver ? "lo" : "nb"):\(card.info.ordinal)",
            on: delivery,
            context,
            title: kind == .lastOver ? lastOver : "New ball due",
            body: scoreWithOvers(context)
        )
    }
}
