// Several wickets that are announced at once, as after an outage of the feed, are one notification that says so.

internal import LiveSurface

/// One moment for several wickets of an innings.
public enum WicketDigest {
    /// The moments that are announced at once, with the last of several wickets of an innings in the words of all.
    ///
    /// - Parameters:
    ///   - moments: The moments of one announcement, in match order.
    ///   - state: The folded match.
    /// - Returns: As many moments; key, kind and subject of each stay.
    public static func of(_ moments: [Moment], in state: MatchState) -> [Moment] {
        var digest = moments
        let places = moments.indices.filter { moments[$0].kind == .wicket }
        let wickets = Dictionary(grouping: places) { moments[$0].innings }
        for (innings, places) in wickets where places.count > 1 {
            guard let last = places.last, let card = state.innings.first(where: { $0.info.ordinal == innings }),
                let body = body(of: places.map { moments[$0] }, on: card, in: state)
            else { continue }
            digest[last] = moments[last].saying(NotificationText(.manyWickets, String(places.count)), body)
        }
        return digest
    }

    /// `3 wickets in 2 overs: MI 96/7`; nil for wickets that are not on the card.
    private static func body(of wickets: [Moment], on card: InningsState, in state: MatchState) -> NotificationText? {
        let out = Set(wickets.map(\.subject))
        let labels = card.falls.filter { out.contains(card.batters[$0.batter].player.id) }.map(\.label)
        guard labels.count == wickets.count, let first = labels.min(), let last = labels.max() else { return nil }
        let (count, team) = (String(wickets.count), state.abbreviations[card.info.batting])
        if state.rules.countsBalls {
            let balls = (last.over - first.over) * card.ballsPerOver + last.ball - first.ball + 1
            return NotificationText(.wicketsInBalls, count, String(balls), team, card.score)
        }
        let overs = last.over - first.over + 1
        return overs == 1
            ? NotificationText(.wicketsInOver, count, team, card.score)
            : NotificationText(.wicketsInOvers, count, String(overs), team, card.score)
    }
}
