// The play of a match: order and totals of innings, target, result, who is in.

import MatchEngine
import ScoreTypes

/// Writes `play`.
struct RoanuzPlayWriter {
    let match: RoanuzWriter

    private var score: ShownScore { match.score }
    private var info: MatchInfo { score.snapshot.info }

    func write(to json: inout JSONWriter) {
        json.field("day_number", score.snapshot.status.day ?? score.state.day ?? 1)
        json.key("overs_per_innings")
        if let limit = info.ballLimit { overs(limit, to: &json) } else { json.null() }
        json.key("reduced_overs")
        json.null()
        json.key("innings_order")
        json.array { list in
            for key in match.order { list.string(key) }
        }
        json.key("innings")
        json.object { innings in
            for (index, card) in score.state.innings.enumerated() where match.order.indices.contains(index) {
                innings.key(dynamic: match.order[index])
                innings.object { write(card, match.order[index], to: &$0) }
            }
        }
        writeTarget(to: &json)
        writeResult(to: &json)
        writeLive(to: &json)
        writeRelatedBalls(to: &json)
    }

    private func overs(_ balls: Int, to json: inout JSONWriter) {
        json.array { list in
            list.integer(balls / info.ballsPerOver)
            list.integer(balls % info.ballsPerOver)
        }
    }

    private func write(_ card: InningsState, _ key: String, to json: inout JSONWriter) {
        json.field("index", key)
        json.key("overs")
        overs(card.ballsCalled, to: &json)
        json.field("is_completed", card.isClosed && card.end != .matchOver)
        json.field("wickets", card.wickets)
        json.key("score")
        json.object { total in
            total.field("runs", card.runs)
            total.field("balls", card.legalBalls)
        }
        json.key("extra_runs")
        json.object { extras in
            extras.field("bye", card.extras.byes)
            extras.field("leg_bye", card.extras.legByes)
            extras.field("wide", card.extras.wides)
            extras.field("no_ball", card.extras.noBalls)
            extras.field("penalty", card.extras.penalty)
            extras.field("extra", card.extras.total)
        }
    }

    private func writeTarget(to json: inout JSONWriter) {
        json.key("target")
        let chasing = info.format.inningsPerMatch
        guard let target = score.card(chasing)?.target else { return json.null() }
        json.object { entry in
            entry.field("runs", target.runs)
            entry.field("balls", target.balls ?? 0)
            entry.field("dl_applied", target.method != nil)
        }
    }

    private func writeResult(to json: inout JSONWriter) {
        json.key("result")
        guard let result = score.snapshot.result else { return json.null() }
        json.object { entry in
            entry.key("winner")
            entry.text((result.winner ?? result.tieBreakWinner)?.roanuzLetter)
            entry.field("result_type", result.roanuzWord(in: info.format))
            entry.field("msg", score.resultSentence ?? "")
            entry.key("pom")
            entry.array { list in
                for name in result.playersOfMatch { list.string(match.key(named: name)) }
            }
        }
    }

    /// The batters at the crease; empty before the first ball and after the last.
    private func writeLive(to json: inout JSONWriter) {
        json.key("live")
        guard score.state.phase != .over, let current = score.state.current, match.order.indices.contains(current),
            let card = score.state.currentInnings
        else { return json.null() }
        let players = card.atCrease.filter { card.batters[$0].status == .batting }
        let striker = players.first { $0 == card.onStrike }
        let nonStriker = players.first { $0 != card.onStrike }
        json.object { live in
            live.field("innings", match.order[current])
            live.field("batting_team", card.info.batting.roanuzLetter)
            live.key("striker_key")
            live.text(striker.map { match.key(card.batters[$0].player.id) })
            live.key("non_striker_key")
            live.text(nonStriker.map { match.key(card.batters[$0].player.id) })
            live.key("last_ball_key")
            live.text(match.overs.last?.rows.last.map { String($0.key) })
            live.key("match_break")
            live.null()
            live.key("session")
            live.whole(score.snapshot.status.session)
        }
    }

    /// The balls that other parts of the reply mention: those of the newest over.
    private func writeRelatedBalls(to json: inout JSONWriter) {
        json.key("related_balls")
        json.object { balls in
            for row in match.overs.last?.rows ?? [] {
                balls.key(dynamic: String(row.key))
                balls.object { RoanuzBallWriter(match: match).write(row, to: &$0) }
            }
        }
    }
}
