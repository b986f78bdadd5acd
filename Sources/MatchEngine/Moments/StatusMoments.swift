// Moments around the balls: teams, toss, start, intervals; rendered again only when the status or the facts change.

internal import LiveSurface

/// Moments of statuses and facts, kept between two balls: a Test has fifty intervals.
struct StatusMoments: Sendable {
    /// Teams, toss and start of play.
    private(set) var opening: [Moment] = []
    /// Intervals, stoppages, resumptions.
    private(set) var pauses: [Moment] = []
    private var version = -1
    private var firstBall: DeliveryKey?

    /// Renders the moments again where the record, or the names and rules of the match, have changed.
    mutating func update(_ record: MatchRecord, _ context: FoldContext, hasNewFacts: Bool) {
        let first = record.deliveries.first?.key
        guard hasNewFacts || record.statusHistory.version != version || first != firstBall else { return }
        version = record.statusHistory.version
        firstBall = first
        let renderer = StatusMomentRenderer(record: record, levels: context.moments, rules: context.rules)
        opening = renderer.opening
        pauses = renderer.pauses
    }
}

/// Renders the moments of statuses and facts.
private struct StatusMomentRenderer {
    let record: MatchRecord
    let levels: MomentRules
    let rules: RuleSet

    /// Teams, toss and start of play.
    var opening: [Moment] {
        var found: [Moment] = []
        if record.statusHistory.transitions.contains(where: { $0.status == .lineups }),
            let level = levels.level(of: .lineups)
        {
            found.append(Moment("xi", .lineups, level, subject: "xi", title: "Teams are in", body: fixture))
        }
        if let toss = record.info?.toss, let moment = moment(of: toss) { found.append(moment) }
        if let first = record.deliveries.first, let level = levels.level(of: .start) {
            let (key, title) = (first.key, NotificationText(.start))
            found.append(Moment("start", .start, level, subject: "start", delivery: key, title: title, body: fixture))
        }
        return found
    }

    private var fixture: NotificationText {
        guard let info = record.info else { return "" }
        let names = Side.allCases.map { Clip.text(info.team($0).name, EngineLimits.Text.teamName) }
        return NotificationText(.match, names)
    }

    private func moment(of toss: Toss) -> Moment? {
        guard let level = levels.level(of: .toss) else { return nil }
        let name = Clip.text(record.info?.team(toss.winner).name ?? "", EngineLimits.Text.teamName)
        let key: NotificationKey =
            switch toss.decision {
            case .bat: .batFirst
            case .field: .fieldFirst
            case .uncontested: .fieldFirstWithoutToss
            }
        let subject = "\(toss.winner.rawValue)\(toss.decision.rawValue)"
        let (title, body) = (NotificationText(.toss), NotificationText(key, name))
        return Moment("toss", .toss, level, subject: subject, side: toss.winner, title: title, body: body)
    }

    // MARK: Pauses

    /// Intervals, stoppages, resumptions after short stoppages, overs lost, in the order in which they were reported.
    var pauses: [Moment] {
        record.statusHistory.transitions.compactMap(pause) + record.statusHistory.reductions.compactMap(reduction)
            + record.statusHistory.resumptions.compactMap(resumption)
    }

    private func pause(_ transition: StatusHistory.Transition) -> Moment? {
        let text = StatusText(transition.status)
        let note = transition.note.flatMap { $0.isEmpty ? nil : $0 }
        if let ended = transition.ended {
            // The end of a long stoppage is announced with its duration; this one was short.
            guard levels.level(of: .resumption) != nil else { return nil }
            return resumption("\(transition.status.rawValue):\(transition.ordinal)", after: ended, .quiet)
        }
        guard let kind = transition.status.momentKind, let level = levels.level(of: kind) else { return nil }
        let prefix = kind == .interval ? "iv" : kind == .review ? "rt" : "st"
        let status = transition.status.rawValue
        let key = "\(prefix):\(status):\(transition.ordinal)"
        let head = NotificationText.literal(text.head)
        return Moment(key, kind, level, subject: status, title: head, body: note.map { .literal($0) } ?? head)
    }

    private func reduction(_ reduction: StatusHistory.Reduction) -> Moment? {
        guard let level = levels.level(of: .oversLost) else { return nil }
        let length = Overs(balls: reduction.after, ballsPerOver: rules.ballsPerOver).length(in: rules)
        let (key, body) = ("cut:\(reduction.after)", NotificationText.literal("Innings of \(length)"))
        return Moment(key, .oversLost, level, subject: "cut", title: "Overs lost", body: body)
    }

    private func resumption(_ stoppage: StatusHistory.Resumption) -> Moment? {
        levels.level(of: .resumption).map { resumption("\(stoppage.stoppedAt)", after: stoppage.cause, $0) }
    }

    private func resumption(_ key: String, after cause: MatchStatus, _ level: MomentPolicy.Level) -> Moment {
        let (title, body) = (NotificationText(.resumption), Self.resumption(after: cause))
        return Moment("go:\(key)", .resumption, level, subject: "go", title: title, body: body)
    }

    private static func resumption(after cause: MatchStatus) -> NotificationText {
        switch cause {
        case .rain: NotificationText(.afterRain)
        case .badLight: NotificationText(.afterBadLight)
        case .wetOutfield: NotificationText(.afterWetOutfield)
        case .floodlight: NotificationText(.afterFloodlightFailure)
        case .crowd: NotificationText(.afterCrowdTrouble)
        case .pitch: NotificationText(.afterUnfitPitch)
        case .suspended: NotificationText(.afterSuspension)
        case .startDelayed: NotificationText(.afterDelayedStart)
        case .tossDelayed: NotificationText(.afterDelayedToss)
        // No other status stops play.
        default: .literal("Play goes on after \(StatusText(cause).inSentence)")
        }
    }
}
