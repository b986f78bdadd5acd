// Balls, totals and cards of a fixture, each only when the request includes it.

import MatchEngine
import ScoreTypes

/// Writes the rows of a fixture.
struct SportmonksRowsWriter {
    let fixture: SportmonksWriter

    private var score: ShownScore { fixture.score }
    private var numbers: ShapeNumbers { fixture.numbers }
    private var now: String { ShapeTime.iso(fixture.match.updatedAt) }

    func write(to json: inout JSONWriter) {
        writeBalls(to: &json)
        writeRuns(to: &json)
        writeScoreboards(to: &json)
        writeBatting(to: &json)
        writeBowling(to: &json)
    }

    private func scoreboard(_ ordinal: Int) -> String {
        "S\(SportmonksWords.number(of: ordinal, score.snapshot.info.format))"
    }

    // MARK: Balls

    private func writeBalls(to json: inout JSONWriter) {
        fixture.array("balls", in: &json) { list in
            fixture.texts.write(balls, of: .init(match: fixture.match.id), to: &list) { ball, list in
                for row in ball.rows { list.object { write(row, of: ball, to: &$0) } }
            }
        }
    }

    private var balls: [SportmonksShownBall] {
        score.snapshot.innings.flatMap { frame in
            var labels = OverLabels()
            let (team, scoreboard) = (numbers.team(frame.batting), scoreboard(frame.ordinal))
            let balls = score.balls[frame.ordinal] ?? []
            return balls.indices.map { index in
                SportmonksShownBall(
                    delivery: balls[index],
                    id: fixture.match.ballIDs[index],
                    label: labels.label(of: balls[index]),
                    team: team,
                    scoreboard: scoreboard,
                    editedAt: fixture.match.editTimes[index]
                )
            }
        }
    }

    private func write(_ row: SportmonksBallRows.Row, of ball: SportmonksShownBall, to json: inout JSONWriter) {
        let delivery = ball.delivery
        json.field("resource", "balls")
        json.field("id", row.id)
        json.field("team_id", ball.team)
        json.number("ball", ball.label)
        json.field("scoreboard", ball.scoreboard)
        // The two at the crease stand in no fixed order: here by number.
        let pair = [delivery.striker, delivery.nonStriker].map(numbers.player).sorted()
        json.field("batsman_one_on_creeze_id", pair[0])
        json.field("batsman_two_on_creeze_id", pair[1])
        json.field("batsman_id", numbers.player(delivery.striker))
        json.field("bowler_id", numbers.player(delivery.bowler))
        let hands = row.dismissal?.hands(bowler: delivery.bowler)
        json.field("batsmanout_id", orNull: row.dismissal.map { numbers.player($0.out) })
        json.field("catchstump_id", orNull: hands?.catcher.map(numbers.person))
        json.field("runout_by_id", orNull: hands?.thrower.map(numbers.person))
        json.field("score_id", row.score)
        if let entry = SportmonksCatalogue.shared.entry(row.score) { fixture.one("score", in: &json, entry.write) }
        json.field("updated_at", ShapeTime.iso(ball.editedAt))
    }

    // MARK: Totals

    private func writeRuns(to json: inout JSONWriter) {
        fixture.list("runs", score.state.innings, in: &json) { card, row in
            row.field("resource", "runs")
            row.field("team_id", numbers.team(card.info.batting))
            row.field("inning", SportmonksWords.number(of: card.info.ordinal, score.snapshot.info.format))
            row.field("score", card.runs)
            row.field("wickets", card.wickets)
            row.number("overs", fixture.overs(card.ballsCalled))
            row.field("updated_at", now)
        }
    }

    private func writeScoreboards(to json: inout JSONWriter) {
        let rows = score.state.innings.flatMap { [(card: $0, isExtra: true), (card: $0, isExtra: false)] }
        fixture.list("scoreboards", rows, in: &json) { entry, row in
            let (card, isExtra) = entry
            row.field("resource", "scoreboards")
            row.field("team_id", numbers.team(card.info.batting))
            row.field("type", isExtra ? "extra" : "total")
            row.field("scoreboard", scoreboard(card.info.ordinal))
            row.field("wide", isExtra ? card.extras.wides : 0)
            row.field("noball_runs", isExtra ? card.extras.noBalls : 0)
            row.field("bye", isExtra ? card.extras.byes : 0)
            row.field("leg_bye", isExtra ? card.extras.legByes : 0)
            row.field("penalty", isExtra ? card.extras.penalty : 0)
            row.field("total", isExtra ? card.extras.total : card.runs)
            row.field("updated_at", now)
        }
    }

    // MARK: Cards

    private func writeBatting(to json: inout JSONWriter) {
        guard fixture.includes.contains(where: { $0.hasPrefix("batting") }) else { return }
        let lines = score.state.innings.flatMap { card in card.batters.enumerated().map { (card, $0.offset) } }
        json.objects("batting", lines) { write($0.0.batters[$0.1], $0.1, $0.0, to: &$1) }
    }

    private func write(_ line: BatterLine, _ index: Int, _ card: InningsState, to json: inout JSONWriter) {
        json.field("resource", "battings")
        json.field("sort", line.position)
        json.field("team_id", numbers.team(card.info.batting))
        json.field("scoreboard", scoreboard(card.info.ordinal))
        json.field("player_id", numbers.player(line.player))
        json.field("wicket_id", orNull: wicketID(line))
        json.field("ball", line.balls)
        json.field("score", line.runs)
        json.field("four_x", line.fours)
        json.field("six_x", line.sixes)
        let fall = card.falls.first { $0.batter == index }
        json.field("fow_score", orNull: fall?.runs)
        json.number("fow_balls", fall.map { Double($0.label.over) + Double($0.label.ball) / 10 })
        json.field("updated_at", now)
        write(line.player, as: "batsman", includedBy: "batting.batsman", to: &json)
    }

    private func write(_ player: Player, as name: StaticString, includedBy include: String, to json: inout JSONWriter) {
        guard fixture.includes.contains(include) else { return }
        fixture.one(name, in: &json) { json in
            json.field("id", numbers.player(player))
            json.field("fullname", player.name)
        }
    }

    private func wicketID(_ line: BatterLine) -> Int? {
        let catalogue = SportmonksCatalogue.shared
        if line.status == .absent { return catalogue.id(SportmonksCatalogue.Meaning(isAbsence: true)) }
        guard let kind = line.dismissal?.scoreKind else { return nil }
        return catalogue.id(SportmonksCatalogue.Meaning(kind: kind))
            ?? catalogue.id(SportmonksCatalogue.Meaning(kind: kind, isBall: false))
    }

    private func writeBowling(to json: inout JSONWriter) {
        guard fixture.includes.contains(where: { $0.hasPrefix("bowling") }) else { return }
        let lines = score.state.innings.flatMap { card in card.bowlers.map { (card: card, bowler: $0) } }
        json.objects("bowling", lines) { entry, row in
            let (card, line) = entry
            row.field("resource", "bowlings")
            row.field("team_id", numbers.team(card.info.batting.opponent))
            row.field("scoreboard", scoreboard(card.info.ordinal))
            row.field("player_id", numbers.player(line.player))
            row.number("overs", fixture.overs(line.balls))
            row.field("medians", line.maidens)
            row.field("runs", line.runs)
            row.field("wickets", line.wickets)
            row.field("wide", line.wideRuns)
            row.field("noball", line.noBallCount)
            row.field("updated_at", now)
            write(line.player, as: "bowler", includedBy: "bowling.bowler", to: &row)
        }
    }
}

/// Gives balls their printed labels: a wide or no-ball has the number of the ball that replaces it.
struct OverLabels {
    private var over = -1
    private var legal = 0

    /// The place of a ball in its over, from 1.
    mutating func place(of delivery: Delivery) -> Int {
        if delivery.over != over { (over, legal) = (delivery.over, 0) }
        let place = legal + 1
        if delivery.isLegal { legal += 1 }
        return place
    }

    /// The label as a decimal that is none.
    mutating func label(of delivery: Delivery) -> Double { Double(delivery.over * 10 + place(of: delivery)) / 10 }
}
