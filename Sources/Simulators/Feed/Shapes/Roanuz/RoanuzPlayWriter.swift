// The play of a match: order and totals of innings, target, result, who is in.

import MatchEngine
import ScoreTypes

/// Writes `play`.
struct RoanuzPlayWriter {
    let match: RoanuzWriter

    private var score: ShownScore { match.score }
    private var info: MatchInfo { score.snapshot.info }

    func write(to json: inout JSONWriter) {
        json.field("day_number", score.day)
        if let limit = info.ballLimit {
            write("overs_per_innings", limit, to: &json)
        } else {
            json.null("overs_per_innings")
        }
        json.null("reduced_overs")
        json.strings("innings_order", match.order)
        json.object("innings") { innings in
            for (index, card) in score.state.innings.enumerated() where match.order.indices.contains(index) {
                innings.object(dynamic: match.order[index]) { write(card, match.order[index], to: &$0) }
            }
        }
        writeTarget(to: &json)
        writeResult(to: &json)
        writeLive(to: &json)
        writeRelatedBalls(to: &json)
    }

    private func write(_ name: StaticString, _ balls: Int, to json: inout JSONWriter) {
        json.array(name, [balls / info.ballsPerOver, balls % info.ballsPerOver])
    }

    private func write(_ card: InningsState, _ key: String, to json: inout JSONWriter) {
        json.field("index", key)
        write("overs", card.ballsCalled, to: &json)
        json.field("is_completed", card.isClosed && card.end != .matchOver)
        json.field("wickets", card.wickets)
        json.object("score") { total in
            total.field("runs", card.runs)
            total.field("balls", card.legalBalls)
        }
        json.object("extra_runs") { extras in
            extras.field("bye", card.extras.byes)
            extras.field("leg_bye", card.extras.legByes)
            extras.field("wide", card.extras.wides)
            extras.field("no_ball", card.extras.noBalls)
            extras.field("penalty", card.extras.penalty)
            extras.field("extra", card.extras.total)
        }
    }

    private func writeTarget(to json: inout JSONWriter) {
        let chasing = info.format.inningsPerMatch
        guard let target = score.card(chasing)?.target else { return json.null("target") }
        json.object("target") { entry in
            entry.field("runs", target.runs)
            entry.field("balls", target.balls ?? 0)
            entry.field("dl_applied", target.method != nil)
        }
    }

    private func writeResult(to json: inout JSONWriter) {
        guard let result = score.snapshot.result else { return json.null("result") }
        json.object("result") { entry in
            entry.field("winner", orNull: (result.winner ?? result.tieBreakWinner)?.roanuzLetter)
            entry.field("result_type", result.roanuzWord(in: info.format))
            entry.field("msg", score.resultSentence ?? "")
            entry.strings("pom", result.playersOfMatch.map(match.key(named:)))
        }
    }

    /// The batters at the crease; empty before the first ball and after the last.
    private func writeLive(to json: inout JSONWriter) {
        guard score.state.phase != .over, let current = score.state.current, match.order.indices.contains(current),
            let card = score.state.currentInnings
        else { return json.null("live") }
        let players = card.atCrease.filter { card.batters[$0].status == .batting }
        let striker = players.first { $0 == card.onStrike }
        let nonStriker = players.first { $0 != card.onStrike }
        json.object("live") { live in
            live.field("innings", match.order[current])
            live.field("batting_team", card.info.batting.roanuzLetter)
            live.field("striker_key", orNull: striker.map { match.key(card.batters[$0].player.id) })
            live.field("non_striker_key", orNull: nonStriker.map { match.key(card.batters[$0].player.id) })
            live.field("last_ball_key", orNull: match.overs.last?.rows.last.map { String($0.key) })
            live.null("match_break")
            live.field("session", orNull: score.snapshot.status.session)
        }
    }

    /// The balls that other parts of the reply mention: those of the newest over.
    private func writeRelatedBalls(to json: inout JSONWriter) {
        json.object("related_balls") { balls in
            for row in match.overs.last?.rows ?? [] {
                balls.object(dynamic: String(row.key)) { RoanuzBallWriter(match: match).write(row, to: &$0) }
            }
        }
    }
}
