// Chooses what each of the six presentations of the content state displays.

internal import LiveSurface

/// The inputs of one content state and the texts derived from them.
struct MatchDrawing {
    typealias Limit = EngineLimits.Text

    let state: MatchState
    let info: MatchInfo
    let event: Moment?
    /// The scores of the first and the second side, which several presentations show.
    private let scores: (String, String)

    init(state: MatchState, info: MatchInfo, event: Moment?) {
        (self.state, self.info, self.event) = (state, info, event)
        scores = (Self.score(of: .first, in: state), Self.score(of: .second, in: state))
    }

    var rules: RuleSet { state.rules }
    var status: MatchStatus { state.status.status }
    func abbreviation(_ side: Side) -> String { state.abbreviations[side] }

    /// The innings whose batters, bowler and balls are drawn; nil before the first, after the last and between two.
    var open: InningsState? {
        guard state.result == nil, state.phase != .over else { return nil }
        guard let card = state.currentInnings, !card.isClosed else { return nil }
        return card
    }

    // MARK: Scores

    /// `87/6`, `245 & 87/6`; empty before the side has batted.
    func score(of side: Side) -> String { side == .first ? scores.0 : scores.1 }

    private static func score(of side: Side, in state: MatchState) -> String {
        var text = ""
        // By index: an element of a loop would be a copy of the innings.
        for index in state.innings.indices where state.innings[index].counts(for: side) {
            if !text.isEmpty { text += " & " }
            text += state.innings[index].score
        }
        return Clip.text(text, Limit.score)
    }

    private func shownScore(_ card: InningsState) -> String {
        card.isSuperOver ? card.score : score(of: card.info.batting)
    }

    // MARK: Compact and minimal

    var compactLeading: LiveActivityAttributes.CompactLeading {
        if let winner = state.result?.winner {
            return .init(teamAbbr: abbreviation(winner), score: score(of: winner))
        }
        guard let card = state.currentInnings else {
            return .init(teamAbbr: state.abbreviations.first, score: "v \(state.abbreviations.second)")
        }
        if state.result != nil && card.isSuperOver {
            return .init(teamAbbr: state.abbreviations.first, score: score(of: .first))
        }
        return .init(teamAbbr: abbreviation(card.info.batting), score: shownScore(card))
    }

    var compactTrailing: LiveActivityAttributes.CompactTrailing {
        if let result = state.result { return .init(text: Clip.text(result.label, Limit.trailing)) }
        if state.phase == .over { return .init(text: StatusText(status).short) }
        guard let card = state.currentInnings else {
            let word = status == .scheduled && info.toss != nil ? .toss : status
            return .init(text: StatusText(word).short)
        }
        return .init(
            overs: overs(card),
            runRate: card.ballsCalled > 0 ? card.runRate : nil,
            text: Clip.text(trailingText(card), Limit.trailing)
        )
    }

    private func trailingText(_ card: InningsState) -> String {
        if state.phase == .onBreak { return StatusText(status).short }
        if let chase = state.chase, chase.hasBegun || card.isClosed {
            return chase.ballsLeft.map { "\(chase.needed) off \($0)" } ?? "need \(chase.needed)"
        }
        if let lead = state.lead {
            return lead.runs == 0 ? "level" : lead.runs > 0 ? "+\(lead.runs)" : String(lead.runs)
        }
        if state.isLevel { return "level" }
        return rules.countsBalls ? card.overs.length(in: rules) : "\(overs(card)) ov"
    }

    private func overs(_ card: InningsState) -> String { Clip.text(card.overs.text(in: rules), Limit.figures) }

    var minimal: LiveActivityAttributes.Minimal {
        .init(text: Clip.text(minimalText, Limit.minimal), flash: flash.map { Clip.text($0, Limit.flash) })
    }

    private var minimalText: String {
        if let result = state.result {
            switch result.kind {
            case .noResult: return "N/R"
            case .draw: return "drawn"
            default: break
            }
            guard let winner = result.winner else { return result.label }
            let text = "\(abbreviation(winner)) won"
            return Clip.fits(text, Limit.minimal) ? text : abbreviation(winner)
        }
        return state.currentInnings?.score ?? "v \(state.abbreviations.second)"
    }

    private var flash: String? {
        if let flash = event?.flash { return flash }
        return state.phase == .live ? open?.recent.last?.flash : nil
    }

    // MARK: Expanded and small

    var expanded: LiveActivityAttributes.Expanded {
        .init(
            teams: Side.allCases.map(row),
            batters: batters,
            bowler: bowler,
            recent: open?.recent.map(\.text) ?? [],
            line: Clip.text(line, Limit.line),
            event: event.map { .init(kind: $0.kind.rawValue, text: Clip.text($0.body, Limit.event)) }
        )
    }

    private func row(_ side: Side) -> LiveActivityAttributes.TeamRow {
        let isBatting = open?.info.batting == side
        let card = state.innings.last { $0.counts(for: side) }
        // In a match of two innings a side, overs are shown only for the innings in progress, for lack of space.
        let showsOvers = !rules.hasTwoInnings || (isBatting && open?.isSuperOver == false)
        let mark = card?.isFollowOn == true ? " (f/o)" : ""
        return .init(
            abbr: abbreviation(side),
            score: score(of: side) + mark,
            overs: showsOvers ? card.map(overs) : nil,
            batting: isBatting
        )
    }

    private var batters: [LiveActivityAttributes.Batter] {
        guard let open else { return [] }
        return open.atCrease.map { index in
            let line = open.batters[index]
            return .init(
                name: PersonName(line.player.name).fitting(Limit.name),
                runs: line.runs,
                balls: line.balls,
                onStrike: open.onStrike == index
            )
        }
    }

    private var bowler: LiveActivityAttributes.Bowler? {
        guard let open, let index = open.bowler else { return nil }
        let line = open.bowlers[index]
        return .init(
            name: PersonName(line.player.name).fitting(Limit.name),
            figures: Clip.text(line.figures, Limit.figures),
            overs: Clip.text(line.overs(ballsPerOver: open.ballsPerOver).text(in: rules), Limit.figures)
        )
    }

    var small: LiveActivityAttributes.Small {
        let rows = Side.allCases.map { side in
            let score = score(of: side)
            return Clip.text(score.isEmpty ? abbreviation(side) : "\(abbreviation(side)) \(score)", Limit.smallRow)
        }
        return .init(top: rows[0], bottom: rows[1], line: Clip.text(smallLine, Limit.smallLine))
    }
}

extension InningsState {
    /// Whether its runs are part of the score of a side.
    fileprivate func counts(for side: Side) -> Bool { info.batting == side && !isSuperOver && hasBegun }
}
