// Two scorecards are the same when every line of them is, however the players are numbered.

import MatchEngine

/// A scorecard written out line by line.
struct ScoreSheet {
    let lines: [String]

    init(_ snapshot: MatchSnapshot) {
        var replica = MatchReplica()
        replica.apply(
            [.info(snapshot.info)] + snapshot.innings.map(Change.innings)
                + snapshot.deliveries.map(Change.inserted) + [.status(snapshot.status), .result(snapshot.result)]
        )
        let state = replica.state
        func team(_ side: Side) -> String { snapshot.info.team(side).name }
        var lines = ["\(snapshot.info.format)"]
        for card in state.innings {
            lines.append("\(card.info.ordinal) \(team(card.info.batting)) \(card.score) \(card.runs)/\(card.wickets)")
            let extras = card.extras
            lines.append(
                "  \(card.overs) of \(card.deliveries), b \(extras.byes) lb \(extras.legByes) w \(extras.wides)"
                    + " nb \(extras.noBalls) p \(extras.penalty), super over \(card.info.superOver ?? 0)"
            )
            lines += card.batters.map {
                "  \($0.position) \($0.player.name) \($0.howOut) \($0.runs) (\($0.balls)) \($0.fours)x4 \($0.sixes)x6"
            }
            lines += card.bowlers.map {
                "  \($0.player.name) \($0.balls)-\($0.maidens)-\($0.runs)-\($0.wickets) \($0.dots) dots,"
                    + " wides \($0.wideCount)/\($0.wideRuns), no-balls \($0.noBallCount)/\($0.noBallRuns)"
            }
            lines += card.falls.map { "  \($0.number)-\($0.runs) \(card.batters[$0.batter].player.name) \($0.label)" }
            lines.append(
                "  target \(card.target?.runs ?? 0) in \(card.target?.balls ?? 0), follow-on \(card.isFollowOn)"
            )
        }
        lines.append("\(snapshot.status.status): " + (state.result?.text(team) ?? "no result yet"))
        self.lines = lines
    }

    /// Lines that the other sheet does not have, and those that only it has; empty when both are the same.
    func differences(from other: ScoreSheet) -> [String] {
        lines.difference(from: other.lines).map { change in
            switch change {
            case .insert(_, let line, _): "now  \(line)"
            case .remove(_, let line, _): "was  \(line)"
            }
        }
    }
}
