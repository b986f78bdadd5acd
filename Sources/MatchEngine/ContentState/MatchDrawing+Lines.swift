// The sentences of a content state, which describe the situation of the match.

extension MatchDrawing {
    // MARK: The sentence

    /// `MI need 83 from 45 balls`, `Day 3, tea: IND lead by 38`.
    var line: String {
        if let result = state.result { return result.shortText(abbreviation) }
        if state.phase == .over { return StatusText(status).head }
        guard state.current != nil else { return lineBeforeStart }
        return [prefix, situation].compactMap { $0 }.joined(separator: ": ")
    }

    /// The same sentence; with full team names once there is a result.
    var lockLine: String {
        guard let result = state.result else { return Clip.text(line, Limit.line) }
        return Clip.text(result.shortText { info.team($0).name }, Limit.lockLine)
    }

    private var lineBeforeStart: String {
        let sides = "\(state.abbreviations.first) v \(state.abbreviations.second)"
        if status.isDelay { return "\(StatusText(status).head): \(sides)" }
        return tossLine ?? sides
    }

    /// `MI won the toss and chose to bat`.
    private var tossLine: String? {
        guard let toss = info.toss else { return nil }
        let winner = abbreviation(toss.winner)
        return switch toss.decision {
        case .bat: "\(winner) won the toss and chose to bat"
        case .field: "\(winner) won the toss and chose to field"
        case .uncontested: "Toss uncontested"
        }
    }

    /// `Day 3, tea`, `Rain`, `Super over`, `Day 3`.
    private var prefix: String? {
        let word: String? =
            if state.phase == .onBreak {
                StatusText(status).head
            } else if state.currentInnings?.isSuperOver == true {
                "Super over"
            } else {
                nil
            }
        guard let day = state.day else { return word }
        guard let word else { return "Day \(day)" }
        return "Day \(day), \(word.prefix(1).lowercased())\(word.dropFirst())"
    }

    private var situation: String? {
        if let chase = state.chase {
            let side = abbreviation(chase.side)
            guard let balls = chase.ballsLeft else { return "\(side) need \(chase.needed) to win" }
            return "\(side) need \(chase.needed) from \(balls == 1 ? "1 ball" : "\(balls) balls")"
        }
        if let lead = state.lead {
            let side = abbreviation(lead.side)
            if lead.runs == 0 { return "Scores level" }
            return lead.runs > 0 ? "\(side) lead by \(lead.runs)" : "\(side) trail by \(-lead.runs)"
        }
        if state.isLevel { return "Scores level" }
        guard let card = state.currentInnings else { return nil }
        let side = abbreviation(card.info.batting)
        switch card.end {
        case .allOut: return "\(side) \(card.runs) all out"
        case .declared:
            return "\(side) \(card.style.text(runs: card.runs, wickets: card.wickets)) declared"
        case .forfeited: return "\(side) forfeit the innings"
        default: break
        }
        if card.isSuperOver { return "\(side) \(card.score)" }
        return "\(side) \(card.score) after \(card.overs.length(in: rules))"
    }

    // MARK: The smallest sentence

    /// `need 83 (45)`, `lead by 38`, `RR 6.96 (12.3 ov)`.
    var smallLine: String {
        if let result = state.result { return smallResult(result) }
        if state.phase == .over { return StatusText(status).head }
        guard let card = state.currentInnings else { return smallLineBeforeStart }
        let isDelayed = state.phase == .onBreak && status.isDelay
        let prefix = isDelayed ? "\(StatusText(status).short), " : card.isSuperOver ? "SO " : ""
        if let chase = state.chase {
            // In the break before the chase, the chasing side is named.
            let who = chase.hasBegun ? "" : "\(abbreviation(chase.side)) "
            let task = "\(who)need \(chase.needed)"
            // A line that is cut inside the balls left reads as another number.
            let whole = chase.ballsLeft.map { "\(prefix)\(task) (\($0))" }
            return [whole, prefix + task].compactMap(\.self).first { Clip.fits($0, Limit.smallLine) } ?? task
        }
        if let lead = state.lead {
            if lead.runs == 0 { return "\(prefix)scores level" }
            return prefix + (lead.runs > 0 ? "lead by \(lead.runs)" : "trail by \(-lead.runs)")
        }
        if state.isLevel { return "\(prefix)scores level" }
        if state.phase == .onBreak { return StatusText(status).head }
        if card.isSuperOver { return "SO \(abbreviation(card.info.batting)) \(card.score)" }
        if card.ballsCalled == 0 { return "\(abbreviation(card.info.batting)) \(card.score)" }
        return "RR \(card.runRate) (\(rules.countsBalls ? card.overs.length(in: rules) : "\(card.overs.text) ov"))"
    }

    private var smallLineBeforeStart: String {
        if status.isDelay { return StatusText(status).head }
        guard let toss = info.toss, toss.decision != .uncontested else {
            return "\(state.abbreviations.first) v \(state.abbreviations.second)"
        }
        return "\(abbreviation(toss.winner)) chose to \(toss.decision == .bat ? "bat" : "field")"
    }

    private func smallResult(_ result: MatchResult) -> String {
        let text = result.shortText(abbreviation)
        if Clip.fits(text, Limit.smallLine) { return text }
        guard let winner = result.winner else { return StatusText(status.isFinal ? status : .result).head }
        if case .innings(let runs) = result.kind { return "won by inns & \(runs) \(runs == 1 ? "run" : "runs")" }
        return "\(abbreviation(winner)) won"
    }

    // MARK: Below the main line

    /// Partnership, last wicket, toss or venue.
    var lockSub: String? {
        subText.flatMap { $0.isEmpty ? nil : Clip.text($0, Limit.sub) }
    }

    private var subText: String? {
        if let result = state.result {
            if !result.playersOfMatch.isEmpty {
                let names = result.playersOfMatch.prefix(2).map { PersonName($0).fitting(Limit.name) }
                return "Player of the match: \(names.joined(separator: ", "))"
            }
            return superOverScores
        }
        if state.phase == .over { return info.venue }
        if status.isDelay, let note = state.status.note { return note }
        guard let card = state.currentInnings else { return info.venue }
        if card.isSuperOver { return superOverScores }
        if state.isFollowOnPossible { return "Follow-on possible" }
        let freeHit = card.isFreeHitDue && !card.isClosed ? "Free hit" : nil
        return [revisedTarget, freeHit, stand(card)].compactMap { $0 }.joined(separator: " · ")
    }

    /// `Target 156 (DLS)`, while it is chased.
    private var revisedTarget: String? {
        guard let target = state.chase?.target, let method = target.method, !method.isEmpty else { return nil }
        // Some feeds write unrelated text into the method, for example `Lost fewer wickets`.
        return Clip.fits(method, Limit.flash) ? "Target \(target.runs) (\(method))" : nil
    }

    /// A partnership shorter than an over is less informative than the wicket before it.
    private func stand(_ card: InningsState) -> String? {
        guard !card.isClosed, !card.isReported else { return nil }
        let stand = card.partnership
        if let fall = card.falls.last, event?.kind == .wicket || (stand?.balls ?? 0) < card.ballsPerOver {
            let line = card.batters[fall.batter]
            return "Last wicket: \(PersonName(line.player.name).fitting(Limit.name)) \(line.runs)(\(line.balls))"
        }
        return stand.map { "Partnership \($0.runs) (\($0.balls))" }
    }

    /// `Super over: MI 11/1, CSK 7/2`.
    private var superOverScores: String? {
        let innings = state.innings.filter { $0.isSuperOver && $0.hasBegun }
        guard !innings.isEmpty else { return nil }
        // Each pair of super overs follows a tied pair, so the last pair decides.
        let pair = innings.suffix(innings.count.isMultiple(of: 2) ? 2 : 1)
        return "Super over: " + pair.map { "\(abbreviation($0.info.batting)) \($0.score)" }.joined(separator: ", ")
    }
}
