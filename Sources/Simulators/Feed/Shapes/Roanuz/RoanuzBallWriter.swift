// One row of balls as Roanuz has it: what it brought the batter, the bowler and the team.

import MatchEngine
import ScoreTypes

/// Writes rows.
struct RoanuzBallWriter {
    let match: RoanuzWriter

    func write(_ row: RoanuzRow, to json: inout JSONWriter) {
        let delivery = row.delivery
        let runs = row.isBall ? delivery.runs : DeliveryRuns()
        let charged = runs.wides + runs.noBalls
        let extras = charged + runs.byes + runs.legByes + runs.penalty
        let isWicket = row.dismissal.map { $0.kind != .retiredHurt && $0.kind != .retiredNotOut } ?? false
        let counts = row.isBall && delivery.isLegal ? 1 : 0
        json.field("key", String(row.key))
        json.field("ball_type", row.type)
        let innings = match.score.snapshot.innings.first { $0.ordinal == delivery.innings }
        json.field("batting_team", innings?.batting.roanuzLetter ?? "a")
        json.field("innings", match.order[Int(row.key >> 19) - 1])
        json.array("overs", [row.over, row.place])
        json.object("batsman") { batter in
            batter.field("player_key", match.key(delivery.striker.id))
            batter.field("runs", runs.bat)
            batter.field("ball_count", row.isBall && runs.wides == 0 ? 1 : 0)
            batter.field("is_four", runs.bat == 4 && !delivery.isAllRun)
            batter.field("is_six", runs.bat == 6 && !delivery.isAllRun)
            batter.field("is_dot_ball", row.isBall && runs.bat == 0 && runs.wides == 0)
        }
        json.object("bowler") { bowler in
            bowler.field("player_key", match.key(delivery.bowler.id))
            bowler.field("runs", runs.bat + charged)
            bowler.field("extras", charged)
            bowler.field("ball_count", counts)
            bowler.field("is_wicket", isWicket)
        }
        json.object("team_score") { team in
            team.field("runs", runs.bat + extras)
            team.field("extras", extras)
            team.field("ball_count", counts)
            team.field("is_wicket", isWicket)
        }
        writeWicket(row, to: &json)
        json.field("non_striker_key", match.key(delivery.nonStriker.id))
        json.field("entry_time", match.match.ballTimes[row.index])
        json.field("updated_time", match.match.editTimes[row.index])
        json.field("ball_play_status", row.isBall ? "played" : "non_play_event")
    }

    private func writeWicket(_ row: RoanuzRow, to json: inout JSONWriter) {
        let kind = row.dismissal?.kind
        // A catch off one's own bowling has the bowler for its fielder.
        let isOwn = kind == .caughtAndBowled
        let names = isOwn ? [row.delivery.bowler.name] : row.dismissal?.fielders.map(\.name) ?? []
        json.objects("fielders", names) { name, entry in
            entry.field("player_key", orNull: name.map(match.key(named:)))
            entry.field("is_catch", kind == .caught || isOwn)
            entry.field("is_stumps", kind == .stumped)
            entry.field("is_run_out", kind == .runOut)
        }
        guard let dismissal = row.dismissal else { return json.null("wicket") }
        json.object("wicket") { wicket in
            wicket.field("player_key", match.key(dismissal.out.id))
            wicket.field("wicket_type", dismissal.kind.roanuzWord)
        }
    }
}
