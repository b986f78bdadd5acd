// The moments that no single ball brings: an innings' end, a super over, play resumed, the result.

/// Adds to a state what only the whole match can tell.
struct MomentsOfMatch {
    let record: MatchRecord
    let verdict: Verdict?
    let rules: RuleSet

    /// Ends of innings go with their innings, the rest behind all of them.
    func add(to state: inout MatchState) {
        for index in state.innings.indices {
            if let moment = inningsEnd(index, in: state) { state.innings[index].moments.append(moment) }
        }
        state.matchMoments = record.trail.resumptions.map(resumption)
        addSuperOvers(to: &state)
        if let moment = result(of: state) { state.matchMoments.append(moment) }
    }

    private func inningsEnd(_ index: Int, in state: MatchState) -> Moment? {
        let card = state.innings[index]
        guard card.hasBegun, let end = card.end, end != .matchOver else { return nil }
        // The innings that decides the match is told by the result.
        let isLast = index == state.innings.lastIndex { $0.hasBegun }
        if isLast && state.result != nil && decides { return nil }
        let unit = rules.countsBalls ? "balls" : "ov"
        let score = "\(state.abbreviations[card.info.batting]) \(card.score)"
        let title =
            switch end {
            case .allOut: card.isSuperOver ? "Super over" : "All out!"
            case .declared: "Declared"
            case .forfeited: "Forfeited"
            default: card.isSuperOver ? "Super over" : "End of innings"
            }
        return Moment(
            key: MomentKey("inn:\(card.info.ordinal)"),
            kind: .inningsEnd,
            subject: String(card.info.batting.rawValue),
            delivery: lastBall(of: card.info.ordinal),
            innings: card.info.ordinal,
            side: nil,
            title: title,
            body: card.deliveries == 0 ? score : "\(score) (\(card.overs.text(in: rules)) \(unit))",
            priority: .ten,
            relevance: 70,
            isAlert: true
        )
    }

    /// Whether play itself has brought the match to its end.
    private var decides: Bool { verdict != nil && verdict != .draw && verdict != .tie(superOverWinner: nil) }

    private func lastBall(of innings: Int) -> DeliveryKey? {
        record.deliveries.last { $0.innings == innings }?.key
    }

    /// A super over is told before its balls; one that is only announced has no innings to stand in yet.
    private func addSuperOvers(to state: inout MatchState) {
        let innings = state.innings.indices.filter { state.innings[$0].isSuperOver }
        let names = "\(state.abbreviations.first) and \(state.abbreviations.second)"
        for (place, index) in innings.enumerated() where place.isMultiple(of: 2) {
            let moment = superOver(place / 2 + 1, between: names, innings: state.innings[index].info.ordinal)
            state.innings[index].moments.insert(moment, at: 0)
        }
        let isAnnounced = record.status.status == .superOver || record.status.status == .superOverBreak
        if innings.isEmpty && isAnnounced { state.matchMoments.append(superOver(1, between: names, innings: 0)) }
    }

    private func superOver(_ number: Int, between names: String, innings: Int) -> Moment {
        Moment(
            key: MomentKey("so:\(number)"),
            kind: .superOver,
            subject: "so",
            innings: innings,
            side: nil,
            title: number == 1 ? "Super over!" : "Another super over!",
            body: number == 1 ? "Scores level: \(names) go to a super over" : "\(names) are level again",
            priority: .ten,
            relevance: 90,
            isAlert: true
        )
    }

    private func resumption(_ stop: StatusTrail.Resumption) -> Moment {
        Moment(
            key: MomentKey("go:\(stop.stoppedAt)"),
            kind: .resumption,
            subject: "go",
            title: "Play resumes",
            body: "Play goes on after \(StatusWord(stop.cause).inSentence)",
            priority: .ten,
            relevance: 50,
            isAlert: true
        )
    }

    private func result(of state: MatchState) -> Moment? {
        guard let result = state.result else { return nil }
        let info = record.info
        let name = { (side: Side) in Clip.text(info?.team(side).name ?? "", 40) }
        return Moment(
            key: MomentKey("res"),
            kind: .result,
            subject: result.winner.map { String($0.rawValue) } ?? result.word,
            side: nil,
            title: "Result",
            body: Clip.text(result.text(name), AlertText.bodyMax),
            priority: .ten,
            relevance: 100,
            isAlert: true,
            isOfficial: result.isOfficial
        )
    }
}
