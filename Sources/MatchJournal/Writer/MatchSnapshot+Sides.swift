// One provider names the home side first, another one the side that bats: a match keeps its stored order.

internal import MatchEngine

extension MatchSnapshot {
    /// The snapshot with its sides in the order of the record; unchanged when they are in that order, or are other
    /// sides.
    func aligned(to record: MatchRecord) -> MatchSnapshot {
        guard let known = record.info?.teams.map(\.id), known.count == 2, known[0] != known[1],
            info.teams.map(\.id) == [known[1], known[0]]
        else { return self }
        var flipped = self
        flipped.info.teams.swapAt(0, 1)
        flipped.info.toss?.winner.flip()
        for index in innings.indices { flipped.innings[index].batting.flip() }
        flipped.result?.winner?.flip()
        flipped.result?.tieBreakWinner?.flip()
        for (index, ball) in deliveries.enumerated() where !ball.reviews.isEmpty || !ball.replacements.isEmpty {
            for place in ball.reviews.indices { flipped.deliveries[index].reviews[place].side.flip() }
            for place in ball.replacements.indices { flipped.deliveries[index].replacements[place].side?.flip() }
        }
        return flipped
    }
}

extension Side {
    fileprivate mutating func flip() { self = opponent }
}
