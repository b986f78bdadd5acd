// The balls and batters of a record decide whether a moment is confirmed, and whether it is news.

internal import MatchEngine

extension MatchRecord {
    /// The ball of a moment; nil for one without a ball.
    func ball(of moment: Moment) -> Delivery? { moment.delivery.flatMap(delivery) }

    /// The confirmation of a moment by the match itself, also at its first sight; nil for none.
    func certainty(of moment: Moment) -> Confirmation? {
        guard moment.kind != .result else { return moment.isOfficial ? .final : nil }
        // A match that is over by the provider's status has no pending moments: they would follow its end.
        if result != nil && status.status.isFinal { return .final }
        guard let ball = ball(of: moment) else { return nil }
        if ball.isFinal { return .final }
        guard moment.kind == .wicket, deliveries.last?.key == ball.key else { return nil }
        return hasNewBatter(since: ball) ? .newBatter : nil
    }

    /// Whether so many later balls are known that a moment on this one is no news.
    func isFarAhead(of ball: Delivery) -> Bool {
        let index = deliveries.count - JournalLimits.newsBalls
        return index >= 0 && deliveries[index].order > ball.order
    }

    /// Whether a moment without a ball belongs to the present state of the match; `moments` are all of the match.
    ///
    /// A status is present while it lasts, a moment of an innings until the next innings, and a resumption until a ball
    /// that is more than a minute younger by its time.
    func isPresent(_ moment: Moment, among moments: [Moment]) -> Bool {
        let newest = moments.last { $0.kind == moment.kind && $0.subject == moment.subject }
        switch moment.kind {
        case .result: return true
        case .lineups, .toss: return status.status.isBeforeStart
        case .interval, .delay, .review: return newest == moment && moment.subject == status.status.rawValue
        case .resumption: return newest == moment && status.status.category == .inPlay && !isPlayedOn
        case .oversLost: return newest == moment
        // Before its innings exists, a super over is the status.
        case .superOver where moment.innings == 0: return true
        default: return moment.innings == innings.last?.ordinal
        }
    }

    /// Whether the newest ball was bowled more than a minute after the status had begun; false where a time is unknown.
    private var isPlayedOn: Bool {
        guard let since = status.since, let bowledAt = deliveries.last?.occurredAt else { return false }
        let (age, isOdd) = bowledAt.subtractingReportingOverflow(since)
        return !isOdd && age > JournalLimits.freshSeconds
    }

    /// Whether a batter is at the crease who was not there at the newest ball, and no batter who is out on it.
    private func hasNewBatter(since ball: Delivery) -> Bool {
        guard let frame = innings.last, frame.ordinal == ball.innings, let crease = frame.crease else { return false }
        let present = [crease.striker, crease.nonStriker].compactMap(\.self).map(\.id)
        let before = [ball.striker.id, ball.nonStriker.id]
        return present.contains { !before.contains($0) } && !ball.dismissals.contains { present.contains($0.out.id) }
    }

    /// Whether the feed before had reported this ball of another feed, under another key: places in the innings do not
    /// differ.
    ///
    /// A ball with a wicket that the feed before had reported without one is new: that feed had it wrong when it fell
    /// silent. Where the other feed has no wicket more, one of them counts a ball that the other one lacks.
    func shows(_ ball: Delivery, again before: MatchRecord) -> Bool {
        guard before.delivery(ball.key) == nil else { return false }
        let (balls, known) = (deliveries.ofInnings(ball.innings), before.deliveries.ofInnings(ball.innings))
        guard let index = balls.firstIndex(where: { $0.key == ball.key }) else { return false }
        let place = index - balls.startIndex
        guard place < known.count else { return false }
        guard ball.takesWicket, balls.count(where: \.takesWicket) > known.count(where: \.takesWicket) else {
            return true
        }
        return known[known.startIndex + place].takesWicket
    }
}

extension Delivery {
    /// Whether a wicket fell on it.
    fileprivate var takesWicket: Bool { dismissals.contains { $0.kind.countsAsWicket } }
}
