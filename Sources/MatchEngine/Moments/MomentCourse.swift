// The course of a match around its balls: lineups, toss, start, pauses; worded anew only when a word has changed.

/// Moments that status words and the frame bring, kept between two balls: a Test has fifty pauses.
struct MomentCourse: Sendable {
    /// Lineups, toss and start.
    private(set) var opening: [Moment] = []
    /// Intervals, stops, resumptions.
    private(set) var pauses: [Moment] = []
    private var version = -1
    private var firstBall: DeliveryKey?

    /// Takes in what has changed; `isReframed` tells that names or rules did.
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

/// Words the course of a match.
private struct CourseWords {
    let record: MatchRecord
    let voices: MomentRules
    let rules: RuleSet

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
            + record.trail.resumptions.compactMap(resumption)
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
