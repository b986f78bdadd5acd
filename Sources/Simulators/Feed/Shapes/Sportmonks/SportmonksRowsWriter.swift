// Balls, totals and cards of a fixture, each only when the request includes it.

import MatchEngine
import ScoreTypes

/// Writes the rows of a fixture.
struct SportmonksRowsWriter {
    let fixture: SportmonksWriter

    private var score: ShownScore { fixture.score }
    private var numbers: SportmonksNumbers { fixture.numbers }
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
        fixture.list("balls", in: &json) { rows in
            for frame in score.snapshot.innings {
                var labels = OverLabels()
                for (index, delivery) in score.balls[frame.ordinal] ?? [] {
                    let label = labels.label(of: delivery)
                    for row in SportmonksBallRows.rows(of: delivery, ballID: fixture.match.ballIDs[index]) ?? [] {
                        rows.object { write(row, delivery, frame, label, index, to: &$0) }
                    }
                }
            }
        }
    }

    private func write(
        _ row: SportmonksBallRows.Row,
        _ delivery: Delivery,
        _ frame: InningsInfo,
        _ label: Double,
        _ index: Int,
        to json: inout JSONWriter
    ) {
        json.field("resource", "balls")
        json.field("id", row.id)
        json.field("team_id", numbers.team(frame.batting))
        json.key("ball")
        json.number(label)
        json.field("scoreboard", scoreboard(frame.ordinal))
        // The two at the crease stand in no fixed order: here by number.
        let pair = [delivery.striker, delivery.nonStriker].map(numbers.player).sorted()
        json.field("batsman_one_on_creeze_id", pair[0])
        json.field("batsman_two_on_creeze_id", pair[1])
        json.field("batsman_id", numbers.player(delivery.striker))
        json.field("bowler_id", numbers.player(delivery.bowler))
        let hands = row.dismissal?.hands(bowler: delivery.bowler)
        json.key("batsmanout_id")
        json.whole(row.dismissal.map { numbers.player($0.out) })
        json.key("catchstump_id")
        json.whole(hands?.catcher.map(numbers.person))
        json.key("runout_by_id")
        json.whole(hands?.thrower.map(numbers.person))
        json.field("score_id", row.score)
        if let entry = SportmonksCatalogue.shared.entry(row.score) { fixture.one("score", in: &json, entry.write) }
        json.field("updated_at", ShapeTime.iso(fixture.match.editTimes[index]))
    }

    // MARK: Totals

    private func writeRuns(to json: inout JSONWriter) {
        fixture.list("runs", in: &json) { rows in
            for card in score.state.innings {
                rows.object { row in
                    row.field("resource", "runs")
                    row.field("team_id", numbers.team(card.info.batting))
                    row.field("inning", SportmonksWords.number(of: card.info.ordinal, score.snapshot.info.format))
                    row.field("score", card.runs)
                    row.field("wickets", card.wickets)
                    row.key("overs")
                    row.number(fixture.overs(card.ballsCalled))
                    row.field("updated_at", now)
                }
            }
        }
    }

    private func writeScoreboards(to json: inout JSONWriter) {
        fixture.list("scoreboards", in: &json) { rows in
            for card in score.state.innings {
                for type in ["extra", "total"] {
                    rows.object { row in
                        row.field("resource", "scoreboards")
                        row.field("team_id", numbers.team(card.info.batting))
                        row.field("type", type)
                        row.field("scoreboard", scoreboard(card.info.ordinal))
                        let isExtra = type == "extra"
                        row.field("wide", isExtra ? card.extras.wides : 0)
                        row.field("noball_runs", isExtra ? card.extras.noBalls : 0)
                        row.field("bye", isExtra ? card.extras.byes : 0)
                        row.field("leg_bye", isExtra ? card.extras.legByes : 0)
                        row.field("penalty", isExtra ? card.extras.penalty : 0)
                        row.field("total", isExtra ? card.extras.total : card.runs)
                        row.field("updated_at", now)
                    }
                }
            }
        }
    }

    // MARK: Cards

    private func writeBatting(to json: inout JSONWriter) {
        guard fixture.includes.contains(where: { $0.hasPrefix("batting") }) else { return }
        json.key("batting")
        json.array { rows in
            for card in score.state.innings {
                for (index, line) in card.batters.enumerated() {
                    rows.object { write(line, index, card, to: &$0) }
                }
            }
        }
    }

    private func write(_ line: BatterLine, _ index: Int, _ card: InningsState, to json: inout JSONWriter) {
        json.field("resource", "battings")
        json.field("sort", line.position)
        json.field("team_id", numbers.team(card.info.batting))
        json.field("scoreboard", scoreboard(card.info.ordinal))
        json.field("player_id", numbers.player(line.player))
        json.key("wicket_id")
        json.whole(wicketID(line))
        json.field("ball", line.balls)
        json.field("score", line.runs)
        json.field("four_x", line.fours)
        json.field("six_x", line.sixes)
        let fall = card.falls.first { $0.batter == index }
        json.key("fow_score")
        json.whole(fall?.runs)
        json.key("fow_balls")
        if let fall { json.number(Double(fall.label.over) + Double(fall.label.ball) / 10) } else { json.null() }
        json.field("updated_at", now)
        if fixture.includes.contains("batting.batsman") {
            fixture.one("batsman", in: &json) { player in
                player.field("id", numbers.player(line.player))
                player.field("fullname", line.player.name)
            }
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
        json.key("bowling")
        json.array { rows in
            for card in score.state.innings {
                for line in card.bowlers {
                    rows.object { row in
                        row.field("resource", "bowlings")
                        row.field("team_id", numbers.team(card.info.batting.opponent))
                        row.field("scoreboard", scoreboard(card.info.ordinal))
                        row.field("player_id", numbers.player(line.player))
                        row.key("overs")
                        row.number(fixture.overs(line.balls))
                        row.field("medians", line.maidens)
                        row.field("runs", line.runs)
                        row.field("wickets", line.wickets)
                        row.field("wide", line.wideRuns)
                        row.field("noball", line.noBallCount)
                        row.field("updated_at", now)
                        if fixture.includes.contains("bowling.bowler") {
                            fixture.one("bowler", in: &row) { player in
                                player.field("id", numbers.player(line.player))
                                player.field("fullname", line.player.name)
                            }
                        }
                    }
                }
            }
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
    mutating func label(of delivery: Delivery) -> Double {
        let place = place(of: delivery)
        return (Double(delivery.over * 10 + place) / 10)
    }
}
