// Most overs of a match in play do not change any more, so that their last form is laid out once.

import Providers
import ScoreTypes

/// An over with the fates of its balls.
struct PlaybackOver: Sendable {
    /// The over as it is shown at a time, with one entry for each visible ball.
    struct Shown: Sendable {
        let over: CricsheetOver
        let balls: [Ball]
    }

    /// The times of a visible ball, since the feed was opened, and its id.
    struct Ball: Sendable {
        let bowledAt: Duration
        let editedAt: Duration
        let id: Int64
    }

    private let over: CricsheetOver
    private let bowled: [Duration]
    private let fates: [BallFate]
    private let ids: BallIDs
    /// The number of its first ball in the match, from 0.
    private let first: Int
    /// When a ball of it changes for the last time, and the over from then on.
    private var settled: (at: Duration, shown: Shown?) = (.zero, nil)

    /// Lays out an over whose first ball has a number; `bowled` and `fates` are those of all balls of the match.
    init(_ over: CricsheetOver, first: Int, bowled: [Duration], fates: [BallFate], ids: BallIDs) {
        let balls = first..<first + over.deliveries.count
        self.over = over
        self.first = first
        self.bowled = Array(bowled[balls])
        self.fates = Array(fates[balls])
        self.ids = ids
        let changes = zip(self.bowled, self.fates).flatMap { at, fate in fate.changes.map { at + $0 } }
        let last = changes.max() ?? .zero
        settled = (last, changing(at: last))
    }

    /// The over at a time since the feed was opened; nil when no ball is visible.
    func shown(at time: Duration) -> Shown? { time >= settled.at ? settled.shown : changing(at: time) }

    private func changing(at time: Duration) -> Shown? {
        var (deliveries, balls, isWrong): ([CricsheetDelivery], [Ball], Bool) = ([], [], false)
        for (index, delivery) in over.deliveries.enumerated() {
            let (fate, since) = (fates[index], time - bowled[index])
            guard fate.isPosted(at: since) else { continue }
            let wrong = fate.wrong(at: since)
            isWrong = isWrong || wrong != nil
            deliveries.append(wrong?.applied(to: delivery) ?? delivery)
            balls.append(
                Ball(
                    bowledAt: bowled[index],
                    editedAt: bowled[index] + fate.lastChange(before: since),
                    id: ids.id(of: first + index, fate, since: since)
                )
            )
        }
        guard !balls.isEmpty else { return nil }
        // A whole over that is right shares its memory with the document, so that it compares at no cost.
        var part = over
        if isWrong || balls.count < over.deliveries.count { part.deliveries = deliveries }
        return Shown(over: part, balls: balls)
    }
}
