// Events of an over: maidens, two wickets, six sixes, the end of a powerplay.

extension InningsFold {
    /// Consecutive sixes that are announced, and sixes of one over that are announced (cricket.md C.12).
    private static let sixesRunning = 5
    private static let sixesOfAnOver = 6

    /// Counts the ball in its over.
    mutating func noteOver(_ delivery: DeliveryInPlace, _ runs: BallRuns, striker: Int?, context: FoldContext) {
        if tally.over != card.oversCalled { turnOver(delivery, context: context) }
        if runs.isSix {
            noteSix(delivery, striker: striker, context: context)
        } else if runs.isFaced {
            tally.sixesRunning = 0
        }
        if !delivery.dismissals.isEmpty { noteWicketsOfOver(delivery, context: context) }
        if (tally.maidenBowler != nil) != tally.isMaidenTold { noteMaiden(delivery, context: context) }
        if card.ballsCalled >= tally.nextMark { noteMarks(delivery, context: context) }
        if runs.penalty > 0, let voice = context.moments.voice(of: .penaltyRuns) {
            let side = context.abbreviations[card.info.batting]
            card.played.append(.penalty(runs.penalty, to: side, in: card.info, on: delivery.key, voice))
        }
    }

    /// When the umpire calls an over early, it becomes a maiden only with the first ball of the next one.
    private mutating func turnOver(_ delivery: DeliveryInPlace, context: FoldContext) {
        if tally.maidenBowler != nil && !tally.isMaidenTold { noteMaiden(delivery, context: context) }
        tally.over = card.oversCalled
        tally.wicketsInOver = 0
        tally.sixesInOver = 0
        tally.maidenBowler = nil
        tally.isMaidenTold = false
    }

    private mutating func noteSix(_ delivery: DeliveryInPlace, striker: Int?, context: FoldContext) {
        tally.sixesInOver += 1
        tally.sixesRunning = tally.hitter == striker ? tally.sixesRunning + 1 : 1
        tally.hitter = striker
        guard let striker else { return }
        let line = card.batters[striker]
        if tally.sixesInOver == Self.sixesOfAnOver, let voice = context.moments.voice(of: .sixSixes) {
            card.played.append(.sixes(line, of: tally.over, .sixSixes, in: card.info, on: delivery.key, voice))
        } else if tally.sixesRunning == Self.sixesRunning, let voice = context.moments.voice(of: .fiveSixes) {
            card.played.append(.sixes(line, of: tally.over, .fiveSixes, in: card.info, on: delivery.key, voice))
        }
    }

    private mutating func noteWicketsOfOver(_ delivery: DeliveryInPlace, context: FoldContext) {
        let credited = delivery.dismissals.count { $0.kind.isCreditedToBowler }
        let before = tally.wicketsInOver
        tally.wicketsInOver += credited
        guard before < 2, tally.wicketsInOver >= 2, let bowler = card.bowler,
            let voice = context.moments.voice(of: .doubleWicketOver)
        else { return }
        let line = card.bowlers[bowler]
        card.played.append(.doubleWicketOver(line, tally.over, in: card.info, on: delivery.key, voice))
    }

    /// Announces a maiden, or removes the moment of one to which a seventh ball with runs was added.
    private mutating func noteMaiden(_ delivery: DeliveryInPlace, context: FoldContext) {
        let key = "m:\(card.info.ordinal):\(tally.over)"
        tally.isMaidenTold = tally.maidenBowler != nil
        guard let bowler = tally.maidenBowler else {
            card.played.removeAll { $0.key.text == key }
            return
        }
        guard let voice = context.moments.voice(of: .maiden) else { return }
        let line = card.bowlers[bowler]
        card.played.append(
            .maiden(line, key: key, wickets: tally.wicketsInOver, in: card, on: delivery.key, context.rules, voice)
        )
    }

    private mutating func noteMarks(_ delivery: DeliveryInPlace, context: FoldContext) {
        while let mark = tally.passMark(at: card.ballsCalled) {
            switch mark.kind {
            case .powerplayBegins: tally.powerplayStart = (card.runs, card.wickets, card.ballsCalled)
            case .powerplayEnds: notePowerplay(delivery, context: context)
            case .lastOver: note(.lastOver, delivery, context: context)
            case .newBall: note(.newBall, delivery, context: context)
            }
        }
    }

    private mutating func notePowerplay(_ delivery: DeliveryInPlace, context: FoldContext) {
        tally.powerplays += 1
        guard let voice = context.moments.voice(of: .powerplayEnd) else { return }
        let start = tally.powerplayStart
        let overs = Overs(balls: card.ballsCalled - start.balls, ballsPerOver: card.ballsPerOver)
        let length = "\(overs.text(in: context.rules)) \(context.rules.countsBalls ? "balls" : "ov")"
        let side = context.abbreviations[card.info.batting]
        card.played.append(
            Moment(
                "pp:\(card.info.ordinal):\(tally.powerplays)",
                .powerplayEnd,
                voice,
                subject: String(card.info.batting.rawValue),
                delivery: delivery.key,
                innings: card.info.ordinal,
                side: card.info.batting,
                title: "Powerplay over",
                body: "\(side) \(card.runs - start.runs)/\(card.wickets - start.wickets) in \(length)"
            )
        )
    }

    /// Announces the last over or the new ball before it is bowled; not when the innings is over.
    private mutating func note(_ kind: Moment.Kind, _ delivery: DeliveryInPlace, context: FoldContext) {
        guard card.wicketsLeft > 0, let voice = context.moments.voice(of: kind) else { return }
        let lastOver = context.rules.countsBalls ? "Last \(card.ballsPerOver) balls" : "Last over"
        card.played.append(
            Moment(
                "\(kind == .lastOver ? "lo" : "nb"):\(card.info.ordinal)",
                kind,
                voice,
                subject: String(card.info.batting.rawValue),
                delivery: delivery.key,
                innings: card.info.ordinal,
                title: kind == .lastOver ? lastOver : "New ball due",
                body: "\(context.abbreviations[card.info.batting]) \(scoreWithOvers(context.rules))"
            )
        )
    }
}
