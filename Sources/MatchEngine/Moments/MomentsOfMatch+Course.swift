// The course of a match around its balls: toss, start, pauses, targets set anew, and the boundary just hit.

extension MomentsOfMatch {
    // MARK: Before the first ball

    /// Lineups, toss and start.
    var opening: [Moment] {
        var found: [Moment] = []
        if record.trail.turns.contains(where: { $0.status == .lineups }), let voice = voices.voice(of: .lineups) {
            found.append(Moment("xi", .lineups, voice, subject: "xi", title: "Teams are in", body: fixture))
        }
        if let toss = record.info?.toss, let moment = moment(of: toss) { found.append(moment) }
        if let first = record.deliveries.first, let voice = voices.voice(of: .start) {
            found.append(
                Moment(
                    "start",
                    .start,
                    voice,
                    subject: "start",
                    delivery: first.key,
                    title: "Play begins",
                    body: fixture
                )
            )
        }
        return found
    }

    private var fixture: String {
        guard let info = record.info else { return "" }
        return "\(Clip.text(info.team(.first).name, 40)) v \(Clip.text(info.team(.second).name, 40))"
    }

    private func moment(of toss: Toss) -> Moment? {
        guard let voice = voices.voice(of: .toss) else { return nil }
        let name = Clip.text(record.info?.team(toss.winner).name ?? "", 40)
        let body =
            switch toss.decision {
            case .bat: "\(name) won the toss and bat first"
            case .field: "\(name) won the toss and field first"
            case .uncontested: "No toss: \(name) field first"
            }
        let subject = "\(toss.winner.rawValue)\(toss.decision.rawValue)"
        return Moment("toss", .toss, voice, subject: subject, side: toss.winner, title: "Toss", body: body)
    }

    // MARK: Pauses

    /// Intervals, stops, play going on after a short stop, overs lost, in the order in which they were heard of.
    var pauses: [Moment] {
        record.trail.turns.compactMap(pause) + record.trail.cuts.compactMap(loss)
    }

    private func pause(_ turn: StatusTrail.Turn) -> Moment? {
        let word = StatusWord(turn.status)
        let note = turn.note.flatMap { $0.isEmpty ? nil : $0 }
        if let ended = turn.ended {
            // A long stop ends loudly, by the time that it took; this one was short.
            guard voices.voice(of: .resumption) != nil else { return nil }
            let body = "Play goes on after \(StatusWord(ended).inSentence)"
            let key = "go:\(turn.status.rawValue):\(turn.ordinal)"
            return Moment(key, .resumption, .quiet, subject: "go", title: "Play resumes", body: body)
        }
        guard let kind = turn.status.momentKind, let voice = voices.voice(of: kind) else { return nil }
        let key = "\(kind == .interval ? "iv" : kind == .review ? "rt" : "st"):\(turn.status.rawValue):\(turn.ordinal)"
        return Moment(key, kind, voice, subject: turn.status.rawValue, title: word.head, body: note ?? word.head)
    }

    private func loss(_ cut: StatusTrail.Cut) -> Moment? {
        guard let voice = voices.voice(of: .oversLost) else { return nil }
        let limit = Overs(balls: cut.after, ballsPerOver: rules.ballsPerOver).text(in: rules)
        let body = "\(limit) \(rules.countsBalls ? "balls" : "overs") a side"
        return Moment("cut:\(cut.after)", .oversLost, voice, subject: "cut", title: "Overs lost", body: body)
    }

    // MARK: Innings

    /// What stands before an innings' first ball, and what its end has made void.
    func addFrame(of index: Int, to state: inout MatchState) {
        let card = state.innings[index]
        if card.isClosed, let last = card.playedMoments.last, last.kind == .lastOver || last.kind == .newBall {
            state.innings[index].isLastMomentVoid = last.delivery == card.lastBall
        }
        let found = [followOn(card, state), target(index, in: state)].compactMap { $0 } + awards(card, state)
        if !found.isEmpty { state.innings[index].openingMoments = found }
    }

    private func followOn(_ card: InningsState, _ state: MatchState) -> Moment? {
        guard card.isFollowOn, let voice = voices.voice(of: .followOn) else { return nil }
        return framed("fo:\(card.info.ordinal)", .followOn, voice, card, "Follow-on", "\(name(card, state)) follow on")
    }

    /// A target that officials set otherwise than the balls would.
    private func target(_ index: Int, in state: MatchState) -> Moment? {
        let card = state.innings[index]
        guard let target = card.info.target, target.runs > 0, !card.isSuperOver, rules.format.isLimitedOvers,
            let voice = voices.voice(of: .targetRevised)
        else { return nil }
        let balls = target.balls ?? rules.ballLimit ?? 0
        let plain = state.innings[..<index].filter { !$0.isSuperOver }.reduce(1) { $0 + $1.runs }
        let isCut = rules.ballLimit.map { balls < $0 } ?? false
        guard target.method != nil || isCut || target.runs != plain else { return nil }
        let length = Overs(balls: balls, ballsPerOver: rules.ballsPerOver).text(in: rules)
        let unit = rules.countsBalls ? "balls" : "overs"
        let method = target.method.map { " (\($0))" } ?? ""
        let body = "\(name(card, state)) need \(target.runs) from \(length) \(unit)\(method)"
        return framed(
            "tgt:\(card.info.ordinal):\(target.runs):\(balls)",
            .targetRevised,
            voice,
            card,
            "New target",
            body
        )
    }

    /// Penalty runs given outside the innings' own balls.
    private func awards(_ card: InningsState, _ state: MatchState) -> [Moment] {
        guard let voice = voices.voice(of: .penaltyRuns) else { return [] }
        let given = [("pre", card.info.penaltyBefore), ("post", card.info.penaltyAfter)].filter { $0.1 > 0 }
        return given.map { word, runs in
            let body = "\(BallRuns.clamped(runs)) penalty runs to \(name(card, state))"
            return framed("pen:\(card.info.ordinal):\(word)", .penaltyRuns, voice, card, "Penalty runs", body)
        }
    }

    private func name(_ card: InningsState, _ state: MatchState) -> String { state.abbreviations[card.info.batting] }

    private func framed(
        _ key: String,
        _ kind: Moment.Kind,
        _ voice: MomentPolicy.Voice,
        _ card: InningsState,
        _ title: String,
        _ body: String
    ) -> Moment {
        Moment(
            key,
            kind,
            voice,
            subject: String(card.info.batting.rawValue),
            innings: card.info.ordinal,
            side: card.info.batting,
            title: title,
            body: body
        )
    }

    // MARK: The newest ball

    /// A boundary is a moment only while its ball is the newest; the fold keeps none of them.
    func boundary(in state: MatchState) -> Moment? {
        guard let card = state.currentInnings, card.balls.last?.isBoundary == true, let ball = record.deliveries.last,
            ball.innings == card.info.ordinal
        else { return nil }
        let isSix = ball.runs.bat == 6
        guard voices.voice(of: isSix ? .six : .four) != nil,
            let line = card.batters.last(where: { $0.player.id == ball.striker.id })
        else { return nil }
        return .boundary(line, isSix: isSix, in: card.info, on: ball.key)
    }
}

extension MatchStatus {
    /// What a change to this word is told as; nil for words that other moments tell, or none.
    fileprivate var momentKind: Moment.Kind? {
        switch self {
        case .drinks, .inningsBreak, .lunch, .tea, .dinner, .stumps, .restDay, .strategicTimeout: .interval
        case .review: .review
        case .injury, .ballChange: .delay
        default: isDelay ? .delay : nil
        }
    }
}
