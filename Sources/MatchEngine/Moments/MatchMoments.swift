// Moments that no single ball causes: end of an innings, super over, resumption, result.

internal import LiveSurface

/// Adds to a state the moments that depend on the whole match.
struct MatchMoments {
    let record: MatchRecord
    let proven: ProvenResult?
    let context: FoldContext
    let statusMoments: StatusMoments
    var rules: RuleSet { context.rules }
    var levels: MomentRules { context.moments }

    /// Moments before the first ball come first, ends of innings with their innings, the others last.
    func add(to state: inout MatchState) {
        for index in state.innings.indices {
            addFrame(of: index, to: &state)
            if let moment = inningsEnd(index, in: state) { state.innings[index].after.append(moment) }
        }
        if let boundary = boundary(in: state), let current = state.current {
            state.innings[current].after.append(boundary)
        }
        state.openingMoments = statusMoments.opening
        state.matchMoments = statusMoments.pauses
        addSuperOvers(to: &state)
        if let moment = result(of: state) { state.matchMoments.append(moment) }
    }

    private func inningsEnd(_ index: Int, in state: MatchState) -> Moment? {
        let card = state.innings[index]
        guard card.hasBegun, let end = card.end, end != .matchOver, let level = levels.level(of: .inningsEnd) else {
            return nil
        }
        // The end of the innings that decides the match is announced by the result.
        let isLast = index == state.innings.lastIndex { $0.hasBegun }
        if isLast && state.result != nil && isDecidedByPlay { return nil }
        let team = state.abbreviations[card.info.batting]
        let title: NotificationKey =
            switch end {
            case .allOut: card.isSuperOver ? .superOverInnings : .allOut
            case .declared: .declared
            case .forfeited: .forfeited
            default: card.isSuperOver ? .superOverInnings : .inningsEnd
            }
        let hasNoBall = card.ballsCalled == 0 && card.deliveries == 0
        return Moment(
            "inn:\(card.info.ordinal)",
            .inningsEnd,
            level,
            subject: String(card.info.batting.rawValue),
            delivery: card.lastBall,
            innings: card.info.ordinal,
            side: nil,
            title: NotificationText(title),
            body: hasNoBall ? "\(team) \(card.score)" : .score(card.score, of: team, after: card.overs, in: rules),
            // A status alone states the end, and more balls may be due: the feed's last ball may be missing.
            isOfficial: end != .closed && end != .declared && (end != .allOut || card.wicketsLeft == 0)
        )
    }

    /// Whether play itself has decided the match.
    private var isDecidedByPlay: Bool { proven?.winner != nil }

    /// A super over is announced before its balls; before its innings exists, the moment belongs to the match.
    private func addSuperOvers(to state: inout MatchState) {
        guard let level = levels.level(of: .superOver) else { return }
        let innings = state.innings.indices.filter { state.innings[$0].isSuperOver }
        let names = [state.abbreviations.first, state.abbreviations.second]
        for (place, index) in innings.enumerated() where place.isMultiple(of: 2) {
            let moment = superOver(place / 2 + 1, between: names, innings: state.innings[index].info.ordinal, level)
            state.innings[index].before.insert(moment, at: 0)
        }
        let isAnnounced = record.status.status == .superOver || record.status.status == .superOverBreak
        if innings.isEmpty && isAnnounced { state.matchMoments.append(superOver(1, between: names, innings: 0, level)) }
    }

    private func superOver(
        _ number: Int,
        between names: [String],
        innings: Int,
        _ level: MomentPolicy.Level
    ) -> Moment {
        Moment(
            "so:\(number)",
            .superOver,
            level,
            subject: "so",
            innings: innings,
            title: NotificationText(number == 1 ? .superOver : .anotherSuperOver),
            body: NotificationText(number == 1 ? .superOverAfterTie : .superOverAgain, names)
        )
    }

    private func result(of state: MatchState) -> Moment? {
        guard let result = state.result, let level = levels.level(of: .result) else { return nil }
        let info = record.info
        let name = { (side: Side) in Clip.text(info?.team(side).name ?? "", EngineLimits.Text.teamName) }
        return Moment(
            "res",
            .result,
            level,
            subject: result.winner.map { String($0.rawValue) } ?? result.label,
            title: NotificationText(.result),
            body: result.sentence(name),
            isOfficial: result.isOfficial
        )
    }
}
