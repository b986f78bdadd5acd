// The balls and batters of a record decide whether a moment is confirmed, and whether it is news.

internal import MatchEngine

extension MatchRecord {
    /// Whether a batter is at the crease who was not there at the newest ball, and no batter who is out on it.
    func hasNewBatter(since ball: Delivery) -> Bool {
        guard let frame = innings.last, frame.ordinal == ball.innings, let crease = frame.crease else { return false }
        let present = [crease.striker, crease.nonStriker].compactMap(\.self).map(\.id)
        let before = [ball.striker.id, ball.nonStriker.id]
        return present.contains { !before.contains($0) } && !ball.dismissals.contains { present.contains($0.out.id) }
    }

    /// Whether the feed has changed, and the feed before had reported this ball: keys differ, places in the innings do
    /// not.
    func shows(_ ball: Delivery, again before: MatchRecord) -> Bool {
        guard let first = before.deliveries.first, delivery(first.key) == nil else { return false }
        let balls = deliveries.ofInnings(ball.innings)
        guard let index = balls.firstIndex(where: { $0.key == ball.key }) else { return false }
        return index - balls.startIndex < before.deliveries.ofInnings(ball.innings).count
    }
}
