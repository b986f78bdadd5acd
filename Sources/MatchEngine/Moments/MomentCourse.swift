// Moments around the balls: teams, toss, start, intervals; rendered again only when the status or the facts change.

/// Moments of statuses and facts, kept between two balls: a Test has fifty intervals.
struct MomentCourse: Sendable {
    /// Teams, toss and start of play.
    private(set) var opening: [Moment] = []
    /// Intervals, stoppages, resumptions.
    private(set) var pauses: [Moment] = []
    private var version = -1
    private var firstBall: DeliveryKey?

    /// Renders the moments again where their inputs have changed.
    ///
    /// - Parameters:
    ///   - record: The record after the change.
    ///   - context: Names and rules of the match.
    ///   - isReframed: Whether names or rules changed.
    mutating func follow(_ record: MatchRecord, _ context: FoldContext, isReframed: Bool) {
        let first = record.deliveries.first?.key
        guard isReframed || record.trail.version != version || first != firstBall else { return }
        version = record.trail.version
        firstBall = first
        let words = CourseWords(record: record, voices: context.moments, rules: context.rules)
        opening = words.opening
        pauses = words.pauses
    }
}

/// Renders the moments of statuses and facts.
private struct CourseWords {
    let record: MatchRecord
    let voices: MomentRules
    let rules: RuleSet

    /// Teams, toss and start of play.
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

    /// Intervals, stoppages, resumptions after short stoppages, overs lost, in the order in which they were reported.
    var pauses: [Moment] {
        record.trail.turns.compactMap(pause) + record.trail.cuts.compactMap(loss)
            + record.trail.resumptions.compactMap(resumption)
    }

    private func pause(_ turn: StatusTrail.Turn) -> Moment? {
        let word = StatusWord(turn.status)
        let note = turn.note.flatMap { $0.isEmpty ? nil : $0 }
        if let ended = turn.ended {
            // The end of a long stoppage is announced with its duration; this one was short.
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
        let body = "\(Overs(balls: cut.after, ballsPerOver: rules.ballsPerOver).length(in: rules)) a side"
        return Moment("cut:\(cut.after)", .oversLost, voice, subject: "cut", title: "Overs lost", body: body)
    }

    private func resumption(_ stop: StatusTrail.Resumption) -> Moment? {
        guard let voice = voices.voice(of: .resumption) else { return nil }
        return Moment(
            "go:\(stop.stoppedAt)",
            .resumption,
            voice,
            subject: "go",
            title: "Play resumes",
            body: "Play goes on after \(StatusWord(stop.cause).inSentence)"
        )
    }
}
