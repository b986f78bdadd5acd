// Two scorecards are the same when every line of them is, however the players are numbered.

import MatchEngine
import Simulators

/// A scorecard written out line by line.
struct ScoreSheet: Sendable, Hashable {
    private static let marksPerLine = 30

    /// The lines, from the format to the result.
    let lines: [String]

    /// Writes the whole card of a match.
    init(_ snapshot: MatchSnapshot) {
        let state = snapshot.folded
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
            lines += card.partnerships.map { stand in
                "  stand \(stand.wicket): \(stand.runs) (\(stand.balls)), "
                    + [stand.first, stand.second].map { "\($0.runs) (\($0.balls))" }.joined(separator: " and ")
            }
            lines += Self.marks(of: card)
            lines += card.moments.filter { $0.isAlert && $0.delivery != nil }.map { "  \($0.title): \($0.body)" }
            lines.append("  end: \(card.end.map { "\($0)" } ?? "open")")
            lines.append(
                "  target \(card.target?.runs ?? 0) in \(card.target?.balls ?? 0), follow-on \(card.isFollowOn)"
            )
        }
        lines.append("\(snapshot.status.status): " + (state.result?.text(team) ?? "no result yet"))
        self.lines = lines
    }

    /// Writes what a feed without balls can get right: totals and the result; a forfeited innings has no total.
    init(totalsOf snapshot: MatchSnapshot) {
        let state = snapshot.folded
        func team(_ side: Side) -> String { snapshot.info.team(side).name }
        lines =
            state.innings.filter { $0.runs > 0 || $0.ballsCalled > 0 }.map { card in
                "\(team(card.info.batting)) \(card.runs)/\(card.wickets) in \(card.overs.text)"
            } + [
                "\(state.result.map { "\($0.kind)" } ?? "open"), \(state.result?.winner.map(team) ?? "no side")"
            ]
    }

    /// The runs of each ball, some overs a line; of balls that do not count, which share the label of the next one, no
    /// label says which came first.
    private static func marks(of card: InningsState) -> [String] {
        let marks = card.balls.split(omittingEmptySubsequences: false, whereSeparator: \.isLegal)
        var ball = 0
        var words: [String] = []
        for extras in marks {
            words += extras.map(\.text).sorted()
            ball += extras.count
            if ball < card.balls.count { words.append(card.balls[ball].text) }
            ball += 1
        }
        return stride(from: 0, to: words.count, by: marksPerLine).map { start in
            "  from \(start): " + words[start..<min(start + marksPerLine, words.count)].joined(separator: " ")
        }
    }

    /// The lines that only one of the two sheets has: `now` this one, `was` the other.
    func differences(from other: ScoreSheet) -> [String] {
        lines.difference(from: other.lines).map { change in
            switch change {
            case .insert(_, let line, _): "now  \(line)"
            case .remove(_, let line, _): "was  \(line)"
            }
        }
    }
}
