// An alert that was wrong is replaced by what is right now, with the same words on every node.

internal import LiveSurface

extension Moment {
    /// Whether an alert with the texts of this moment is right while the match has `now` for the same event.
    ///
    /// An alert stays right when the present text only adds to it, for example the name of a fielder. Another kind of
    /// dismissal makes it wrong.
    ///
    /// - Parameter now: The event as the match has it.
    /// - Returns: False when the words of the alert are not among those of `now`.
    public func isConfirmed(by now: Moment) -> Bool { now.confirms(title: title, body: body) }

    /// Whether an alert with these words is right about this moment, as `isConfirmed(by:)` compares them.
    public func confirms(title: String, body: String) -> Bool {
        guard title == self.title else { return false }
        if body == self.body { return true }
        var (rest, added) = (Self.words(self.body)[...], ArraySlice<Substring>())
        for word in Self.words(body) {
            guard let place = rest.firstIndex(of: word) else { return false }
            added += rest[..<place]
            rest = rest[rest.index(after: place)...]
        }
        return Self.dismissals.isDisjoint(with: added + rest)
    }

    /// Words that say how a batter is out.
    private static let dismissals: Set<Substring> = [
        "c", "b", "st", "lbw", "hit", "run", "out", "obstructing", "retired",
    ]

    /// The text that replaces an alert with the texts of this moment; it makes no sound.
    ///
    /// - Parameters:
    ///   - now: The event as the match has it; nil when it has not happened.
    ///   - state: The folded match.
    ///   - info: The facts of the match.
    /// - Returns: A moment with the key of the alert.
    public func correction(now: Moment?, in state: MatchState, info: MatchInfo) -> Moment {
        Moment(
            key.text,
            kind,
            .quiet,
            subject: subject,
            innings: innings,
            side: side,
            title: NotificationText(.correction),
            body: now?.keyed.body ?? withdrawal(in: state, info: info)
        )
    }

    /// The text for an event that has not happened: the batter who is not out, else the situation of the match.
    private func withdrawal(in state: MatchState, info: MatchInfo) -> NotificationText {
        if kind == .wicket, let card = state.innings.first(where: { $0.info.ordinal == innings }),
            let line = card.batters.first(where: { $0.player.id == subject }), line.status == .batting
        {
            let isIn = !card.isClosed && state.phase != .over
            if isIn { return NotificationText(.notOut, line.player.fullName) }
            return .literal("Not out: \(line.player.fullName) \(line.runs)(\(line.balls))")
        }
        let name = title.hasSuffix("!") ? String(title.dropLast()) : title
        return .literal("Taken back: \(name). \(MatchDrawing(state: state, info: info, event: nil).line)")
    }

    /// The words of a text; without a fielder a scorecard spells the dismissal out.
    private static func words(_ text: String) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber }.map { $0 == "caught" ? "c" : $0 == "stumped" ? "st" : $0 }
    }
}
