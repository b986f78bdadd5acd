// Wickets, partnerships and wickets off successive balls.

internal import LiveSurface

extension InningsFold {
    /// Adds the ball to the partnership of the pair, or begins one when the pair has changed.
    mutating func share(_ runs: BallRuns, striker: Int?, nonStriker: Int?) {
        let goesOn = card.partnerships.last.map { !$0.isOver && $0.isOf(striker, nonStriker) } ?? false
        if !goesOn {
            endPartnership()
            let wicket = card.wickets + 1
            card.partnerships.append(
                Partnership(wicket: wicket, first: .init(batter: striker), second: .init(batter: nonStriker))
            )
        }
        card.partnerships[card.partnerships.count - 1].add(runs, facedBy: striker)
    }

    /// Applies the dismissals and retirements of a ball: recorded balls have several, and not always of the two at the
    /// crease.
    mutating func takeWickets(_ delivery: DeliveryReference, bowler: Int?, context: FoldContext) {
        for dismissal in delivery.pointee.dismissals {
            let index = rowIndex(dismissal.out)
            let kind = dismissal.kind
            let credited = kind.isCreditedToBowler ? bowler.map { card.bowlers[$0].player } : nil
            card.batters[index].leave(
                dismissal,
                bowler: credited,
                howOut: HowOut.text(
                    dismissal,
                    bowler: credited,
                    fielding: card.info.batting.opponent,
                    names: context.names
                )
            )
            if card.pair.0 == index || card.pair.1 == index {
                endPartnership()
                if card.pair.0 == index { card.pair.0 = nil }
                if card.pair.1 == index { card.pair.1 = nil }
                if card.onStrike == index || kind.leavesStrikeOpen { card.onStrike = nil }
            }
            guard kind.countsAsWicket else { continue }
            card.wickets += 1
            if kind.isCreditedToBowler, let bowler { card.bowlers[bowler].wickets += 1 }
            card.falls.append(
                FallOfWicket(number: card.wickets, runs: card.runs, label: label(of: delivery), batter: index)
            )
            let line = card.batters[index]
            note(
                .wicket,
                "w:\(card.info.ordinal):\(card.wickets)",
                on: delivery,
                context,
                subject: line.player.id,
                side: card.info.batting.opponent,
                title: NotificationText(.wicket),
                body: NotificationText(
                    outKey(line),
                    line.player.fullName,
                    line.howOut,
                    String(line.runs),
                    String(line.balls)
                ),
                flash: "W"
            )
        }
    }

    /// Counts wickets off successive balls of a bowler; any other ball of the bowler ends the sequence.
    mutating func noteStreak(_ delivery: DeliveryReference, bowler: Int?, context: FoldContext) {
        guard let bowler else { return }
        guard delivery.pointee.dismissals.contains(where: { $0.kind.isCreditedToBowler }) else {
            streaks[bowler].run = 0
            return
        }
        streaks[bowler].run += 1
        guard !card.isSuperOver else { return }
        let run = streaks[bowler].run
        let line = card.bowlers[bowler]
        let (kind, title): (Moment.Kind, NotificationText)
        switch run {
        case 1: return
        case 2:
            streaks[bowler].twos += 1
            (kind, title) = (.onHatTrick, "On a hat-trick")
        case 3:
            streaks[bowler].hatTricks += 1
            (kind, title) = (.hatTrick, NotificationText(.hatTrick))
        case 4: (kind, title) = (.fourInFour, NotificationText(.fourInFour))
        case 5: (kind, title) = (.fourInFour, NotificationText(.fiveInFive))
        default: (kind, title) = (.fourInFour, NotificationText(.manyInMany, String(run)))
        }
        let count = run == 2 ? streaks[bowler].twos : streaks[bowler].hatTricks
        note(
            kind,
            "h\(run):\(card.info.ordinal):\(line.player.id)\(count > 1 ? ":\(count)" : "")",
            on: delivery,
            context,
            subject: line.player.id,
            side: card.info.batting.opponent,
            title: title,
            body: "\(line.player.fullName) \(line.figures)",
            flash: "W"
        )
    }

    private mutating func endPartnership() {
        guard !card.partnerships.isEmpty else { return }
        card.partnerships[card.partnerships.count - 1].isOver = true
    }

    /// A wide or no-ball has the number of the legal ball that replaces it (cricket.md E 1).
    private func label(of delivery: DeliveryReference) -> BallLabel {
        BallLabel(over: card.oversCalled, ball: delivery.pointee.isLegal ? card.legalInOver : card.legalInOver + 1)
    }
}

extension Partnership {
    /// Whether the partnership is of these two, in either order; a batter whom the feed omits matches either of them.
    fileprivate func isOf(_ one: Int?, _ two: Int?) -> Bool { holds(one) && holds(two) }

    private func holds(_ batter: Int?) -> Bool { batter == nil || batter == first.batter || batter == second.batter }

    /// Adds a ball that `striker` faced.
    fileprivate mutating func add(_ runs: BallRuns, facedBy striker: Int?) {
        let faced = runs.isFaced ? 1 : 0
        self.runs += runs.total
        balls += faced
        if first.batter == striker {
            first.runs += runs.bat
            first.balls += faced
        } else {
            second.runs += runs.bat
            second.balls += faced
        }
    }
}

extension BatterLine {
    /// Leaves the crease.
    fileprivate mutating func leave(_ dismissal: Dismissal, bowler: Player?, howOut: String) {
        status = dismissal.kind.countsAsWicket ? .out : .retired
        self.dismissal = dismissal
        dismissedBy = bowler
        self.howOut = howOut
    }

    /// Resumes the innings of a batter who retired (Law 25.4.2); runs and balls are continued.
    mutating func comeBack() {
        status = .batting
        dismissal = nil
        dismissedBy = nil
        howOut = "not out"
    }
}
