// Moments around the balls of an innings: follow-on, revised targets, penalty runs, the newest boundary.

internal import LiveSurface

extension MatchMoments {
    /// Adds the moments before an innings' first ball, and removes those that its end has made void.
    func addFrame(of index: Int, to state: inout MatchState) {
        let card = state.innings[index]
        if card.isClosed, let last = card.played.last, last.kind == .lastOver || last.kind == .newBall,
            last.delivery == card.lastBall
        {
            state.innings[index].played.removeLast()
        }
        let found = [followOn(card, state), target(index, in: state)].compactMap { $0 } + awards(card, state)
        if !found.isEmpty { state.innings[index].before = found }
    }

    private func followOn(_ card: InningsState, _ state: MatchState) -> Moment? {
        guard card.isFollowOn, let level = levels.level(of: .followOn) else { return nil }
        return framed("fo:\(card.info.ordinal)", .followOn, level, card, "Follow-on", "\(name(card, state)) follow on")
    }

    /// A target that the officials revised.
    private func target(_ index: Int, in state: MatchState) -> Moment? {
        let card = state.innings[index]
        guard let target = card.info.target, target.runs > 0, !card.isSuperOver, rules.format.isLimitedOvers,
            let level = levels.level(of: .targetRevised)
        else { return nil }
        let balls = target.balls ?? card.ballsLeft.map { $0 + card.ballsCalled } ?? 0
        let plain = state.innings[..<index].filter { !$0.isSuperOver }.reduce(1) { $0 + $1.runs }
        let isCut = rules.ballLimit.map { balls > 0 && balls < $0 } ?? false
        guard target.method != nil || isCut || target.runs != plain else { return nil }
        let length = Overs(balls: balls, ballsPerOver: rules.ballsPerOver).length(in: rules)
        let task = balls > 0 ? "\(target.runs) from \(length)" : "\(target.runs) to win"
        let method = target.method.map { " (\($0))" } ?? ""
        let body = "\(name(card, state)) need \(task)\(method)"
        return framed(
            "tgt:\(card.info.ordinal):\(target.runs):\(balls)",
            .targetRevised,
            level,
            card,
            "New target",
            .literal(body)
        )
    }

    /// Penalty runs awarded outside the innings' own balls.
    private func awards(_ card: InningsState, _ state: MatchState) -> [Moment] {
        guard let level = levels.level(of: .penaltyRuns) else { return [] }
        let given = [("pre", card.info.penaltyBefore), ("post", card.info.penaltyAfter)].filter { $0.1 > 0 }
        return given.map { word, runs in
            let body = "\(BallRuns.clamped(runs)) penalty runs to \(name(card, state))"
            let key = "pen:\(card.info.ordinal):\(word)"
            return framed(key, .penaltyRuns, level, card, "Penalty runs", .literal(body))
        }
    }

    private func name(_ card: InningsState, _ state: MatchState) -> String { state.abbreviations[card.info.batting] }

    private func framed(
        _ key: String,
        _ kind: Moment.Kind,
        _ level: MomentPolicy.Level,
        _ card: InningsState,
        _ title: NotificationText,
        _ body: NotificationText
    ) -> Moment {
        Moment(
            key,
            kind,
            level,
            subject: String(card.info.batting.rawValue),
            innings: card.info.ordinal,
            side: card.info.batting,
            title: title,
            body: body
        )
    }

    // MARK: The newest ball

    /// A boundary is a moment only while its ball is the newest; the fold stores none.
    func boundary(in state: MatchState) -> Moment? {
        guard let card = state.currentInnings, card.balls.last?.isBoundary == true, let ball = record.deliveries.last,
            ball.innings == card.info.ordinal
        else { return nil }
        let isSix = ball.runs.bat == 6
        guard levels.level(of: isSix ? .six : .four) != nil,
            let line = card.batters.last(where: { $0.player.id == ball.striker.id })
        else { return nil }
        return Moment(
            "x:\(ball.key)",
            isSix ? .six : .four,
            .flash,
            subject: line.player.id,
            delivery: ball.key,
            innings: card.info.ordinal,
            side: card.info.batting,
            title: isSix ? "Six!" : "Four!",
            body: "\(line.player.fullName) \(line.runs)(\(line.balls))",
            flash: isSix ? "6" : "4"
        )
    }
}
