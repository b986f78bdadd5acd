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
        flipped.info.toss = info.toss.map { Toss(winner: $0.winner.opponent, decision: $0.decision) }
        for index in flipped.innings.indices { flipped.innings[index].batting = innings[index].batting.opponent }
        flipped.result = result.map { result in
            ProviderResult(
                kind: result.kind,
                winner: result.winner?.opponent,
                method: result.method,
                tieBreakWinner: result.tieBreakWinner?.opponent,
                tieBreak: result.tieBreak,
                playersOfMatch: result.playersOfMatch
            )
        }
        for (index, ball) in deliveries.enumerated() where !ball.reviews.isEmpty || !ball.replacements.isEmpty {
            flipped.deliveries[index].reviews = ball.reviews.map(\.flipped)
            flipped.deliveries[index].replacements = ball.replacements.map(\.flipped)
        }
        return flipped
    }
}

extension Review {
    fileprivate var flipped: Review {
        Review(side: side.opponent, batter: batter, decision: decision, isUmpiresCall: isUmpiresCall)
    }
}

extension Replacement {
    fileprivate var flipped: Replacement {
        Replacement(scope: scope, incoming: incoming, outgoing: outgoing, side: side?.opponent, reason: reason)
    }
}
