// The balls of an innings as a list of events: `ball`, `wicket`, `overend`.

import MatchEngine
import ScoreTypes

/// Writes `commentaries`.
struct EntitySportEventWriter {
    let card: EntitySportCardWriter
    /// Whether only the fields of the provider's older replies are written.
    let isTerse: Bool

    private var match: ShownMatch { card.match }
    private var numbers: ShapeNumbers { card.numbers }

    /// Writes all events of an innings, the oldest first.
    func write(_ ordinal: Int, to list: inout JSONWriter) {
        let balls = card.score.balls[ordinal] ?? []
        var (legal, runs) = (0, 0)
        for (place, entry) in balls.enumerated() {
            let ball = entry.delivery
            if place > 0, balls[place - 1].delivery.over != ball.over {
                list.object { writeEnd(ofOver: balls[place - 1].delivery.over, runs: runs, to: &$0) }
                (legal, runs) = (0, 0)
            }
            write(ball, index: entry.index, label: legal + 1, to: &list)
            if ball.isLegal { legal += 1 }
            runs += ball.runs.sum
        }
        if let last = balls.last?.delivery, legal >= card.score.snapshot.info.ballsPerOver {
            list.object { writeEnd(ofOver: last.over, runs: runs, to: &$0) }
        }
    }

    private func write(_ ball: Delivery, index: Int, label: Int, to list: inout JSONWriter) {
        let onBall = ball.dismissals.filter { !$0.kind.isBetweenBalls }
        let between = ball.dismissals.filter(\.kind.isBetweenBalls)
        list.object { json in
            begin(onBall.isEmpty ? "ball" : "wicket", ball, index: index, label: label, to: &json)
            writeScore(of: ball, to: &json)
            if !isTerse { writeParts(of: ball, index: index, to: &json) }
            if let first = onBall.first { write(first, on: ball, to: &json) }
        }
        for dismissal in onBall.dropFirst() + between {
            list.object { json in
                begin("wicket", ball, index: index, label: label, to: &json)
                json.field("score", "w")
                write(dismissal, on: ball, to: &json)
            }
        }
    }

    private func begin(_ event: String, _ ball: Delivery, index: Int, label: Int, to json: inout JSONWriter) {
        if !isTerse { json.field("event_id", match.ballIDs.indices.contains(index) ? "\(match.ballIDs[index])" : "0") }
        json.field("event", event)
        json.field("batsman_id", numbers.player(ball.striker))
        json.field("bowler_id", numbers.player(ball.bowler))
        json.field("over", String(ball.over))
        json.field("ball", String(label))
        json.field("commentary", "\(ball.bowler.name) to \(ball.striker.name)")
    }

    private func writeScore(of ball: Delivery, to json: inout JSONWriter) {
        let text = EntitySportWords.score(ball)
        json.key("score")
        if let number = Int(text) { json.integer(number) } else { json.string(text) }
    }

    /// The fields that newer replies have: runs by kind, who is in, when it was.
    private func writeParts(of ball: Delivery, index: Int, to json: inout JSONWriter) {
        let runs = ball.runs
        json.field("run", runs.sum)
        json.field("noball_run", String(runs.noBalls))
        json.field("wide_run", String(runs.wides))
        json.field("bye_run", String(runs.byes))
        json.field("legbye_run", String(runs.legByes))
        json.field("bat_run", String(runs.bat))
        json.field("noball", !ball.isLegal && runs.noBalls > 0)
        json.field("wideball", !ball.isLegal && runs.wides > 0)
        json.field("four", runs.bat == 4 && !ball.isAllRun)
        json.field("six", runs.bat == 6 && !ball.isAllRun)
        if match.ballTimes.indices.contains(index) { json.field("timestamp", match.ballTimes[index]) }
        json.objects("batsmen", [ball.striker, ball.nonStriker]) { $1.field("batsman_id", numbers.player($0)) }
    }

    private func write(_ dismissal: Dismissal, on ball: Delivery, to json: inout JSONWriter) {
        json.field("wicket_batsman_id", String(numbers.player(dismissal.out)))
        json.field("how_out", EntitySportWords.dismissal(dismissal, bowler: ball.bowler.name).howOut)
    }

    private func writeEnd(ofOver over: Int, runs: Int, to json: inout JSONWriter) {
        json.field("event", "overend")
        json.field("over", over + 1)
        json.field("runs", runs)
        json.field("commentary", "End of over \(over + 1) (\(runs) runs)")
    }
}

extension DeliveryRuns {
    /// All runs of the ball.
    fileprivate var sum: Int { bat + wides + noBalls + byes + legByes + penalty }
}

extension DismissalKind {
    /// Whether it happens between balls and has an event of its own.
    fileprivate var isBetweenBalls: Bool {
        switch self {
        case .retiredHurt, .retiredOut, .retiredNotOut, .timedOut: true
        default: false
        }
    }
}
