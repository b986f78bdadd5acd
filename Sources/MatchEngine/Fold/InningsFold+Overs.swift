// Events of an over: maidens, two wickets, six sixes, the end of a powerplay.

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
        if !delivery.dismissals.isEmpty { noteWicketsOfOver(delivery, context: context) }
        if (counters.maidenBowler != nil) != counters.isMaidenAnnounced { noteMaiden(delivery, context: context) }
        if card.ballsCalled >= counters.nextMark { noteMarks(delivery, context: context) }
        if runs.penalty > 0, let place = place(of: .penaltyRuns, delivery, context) {
            card.played.append(.penalty(runs.penalty, to: context.abbreviations[card.info.batting], at: place))
        }
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
        guard let striker else { return }
        let line = card.batters[striker]
        if counters.sixesInOver == Self.sixesOfAnOver, let place = place(of: .sixSixes, delivery, context) {
            card.played.append(.sixes(line, of: counters.over, .sixSixes, at: place))
        } else if counters.sixesRunning == Self.sixesRunning, let place = place(of: .fiveSixes, delivery, context) {
            card.played.append(.sixes(line, of: counters.over, .fiveSixes, at: place))
        }
    }

    private mutating func noteWicketsOfOver(_ delivery: DeliveryReference, context: FoldContext) {
        let credited = delivery.dismissals.count { $0.kind.isCreditedToBowler }
        let before = counters.wicketsInOver
        counters.wicketsInOver += credited
        guard before < 2, counters.wicketsInOver >= 2, let bowler = card.bowler,
            let place = place(of: .doubleWicketOver, delivery, context)
        else { return }
        card.played.append(.doubleWicketOver(card.bowlers[bowler], counters.over, at: place))
    }

    /// Announces a maiden, or removes the moment of one to which a seventh ball with runs was added.
    private mutating func noteMaiden(_ delivery: DeliveryReference, context: FoldContext) {
        let key = "m:\(card.info.ordinal):\(counters.over)"
        counters.isMaidenAnnounced = counters.maidenBowler != nil
        guard let bowler = counters.maidenBowler else {
            card.played.removeAll { $0.key.text == key }
            return
        }
        guard let place = place(of: .maiden, delivery, context) else { return }
        let line = card.bowlers[bowler]
        card.played.append(.maiden(line, key: key, wickets: counters.wicketsInOver, context.rules, at: place))
    }

    private mutating func noteMarks(_ delivery: DeliveryReference, context: FoldContext) {
        while let mark = counters.passMark(at: card.ballsCalled) {
            switch mark.kind {
            case .powerplayBegins: counters.powerplayStart = (card.runs, card.wickets, card.ballsCalled)
            case .powerplayEnds: notePowerplay(delivery, context: context)
            case .lastOver: note(.lastOver, delivery, context: context)
            case .newBall: note(.newBall, delivery, context: context)
            }
        }
    }

    private mutating func notePowerplay(_ delivery: DeliveryReference, context: FoldContext) {
        counters.powerplays += 1
        guard let place = place(of: .powerplayEnd, delivery, context) else { return }
        let start = counters.powerplayStart
        let overs = Overs(balls: card.ballsCalled - start.balls, ballsPerOver: card.ballsPerOver)
        let length = "\(overs.text(in: context.rules)) \(context.rules.countsBalls ? "balls" : "ov")"
        let side = context.abbreviations[card.info.batting]
        card.played.append(
            Moment(
                "pp:\(card.info.ordinal):\(counters.powerplays)",
                .powerplayEnd,
                at: place,
                side: card.info.batting,
                title: "Powerplay over",
                body: "\(side) \(card.runs - start.runs)/\(card.wickets - start.wickets) in \(length)"
            )
        )
    }

    /// Announces the last over or the new ball before it is bowled; not when the innings is over.
    private mutating func note(_ kind: Moment.Kind, _ delivery: DeliveryReference, context: FoldContext) {
        guard card.wicketsLeft > 0, let place = place(of: kind, delivery, context) else { return }
        let lastOver = context.rules.countsBalls ? "Last \(card.ballsPerOver) balls" : "Last over"
        card.played.append(
            Moment(
                "\(kind == .lastOver ? "lo" : "nb"):\(card.info.ordinal)",
                kind,
                at: place,
                title: kind == .lastOver ? lastOver : "New ball due",
                body: "\(context.abbreviations[card.info.batting]) \(scoreWithOvers(context.rules))"
            )
        )
    }
}
