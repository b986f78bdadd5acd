// The balls of an innings as a list of events: `ball`, `wicket`, `overend`.

import MatchEngine
import ScoreTypes

/// A ball with everything that its events depend on.
struct EntitySportShownBall: Sendable, Equatable {
    /// An over that ended.
    struct Over: Sendable, Equatable {
        let number: Int
        let runs: Int
    }

    let delivery: Delivery
    let id: Int64
    /// When it was bowled, in seconds since 1970.
    let bowledAt: Int64
    /// Its number in the over, from 1.
    let label: Int
    /// The over that ended before it.
    let ended: Over?
}

/// Writes `commentaries`.
struct EntitySportEventWriter {
    let card: EntitySportCardWriter
    /// The balls of earlier replies.
    let texts: ListTexts<EntitySportShownBall>
    /// Whether only the fields of the provider's older replies are written.
    let isTerse: Bool

    private var match: ShownMatch { card.match }
    private var numbers: ShapeNumbers { card.numbers }

    /// Writes all events of an innings, the oldest first.
    func write(_ ordinal: Int, to list: inout JSONWriter) {
        let balls = card.score.balls[ordinal] ?? []
        var (legal, runs) = (0, 0)
        let entries = balls.indices.map { index in
            let ball = balls[index]
            var ended: EntitySportShownBall.Over?
            if index > balls.startIndex, balls[index - 1].over != ball.over {
                ended = EntitySportShownBall.Over(number: balls[index - 1].over, runs: runs)
                (legal, runs) = (0, 0)
            }
            let label = legal + 1
            if ball.isLegal { legal += 1 }
            runs += ball.runs.sum
            return EntitySportShownBall(
                delivery: ball,
                id: match.ballIDs[index],
                bowledAt: match.ballTimes[index],
                label: label,
                ended: ended
            )
        }
        texts.write(entries, of: .init(match: match.id, innings: ordinal), to: &list) { ball, list in
            if let over = ball.ended { list.object { write(over, to: &$0) } }
            write(ball, to: &list)
        }
        if let last = balls.last, legal >= card.score.snapshot.info.ballsPerOver {
            list.object { write(EntitySportShownBall.Over(number: last.over, runs: runs), to: &$0) }
        }
    }

    private func write(_ entry: EntitySportShownBall, to list: inout JSONWriter) {
        let ball = entry.delivery
        let onBall = ball.dismissals.filter { !$0.kind.isBetweenBalls }
        let between = ball.dismissals.filter(\.kind.isBetweenBalls)
        list.object { json in
            begin(onBall.isEmpty ? "ball" : "wicket", entry, to: &json)
            writeScore(of: ball, to: &json)
            if !isTerse { writeParts(of: entry, to: &json) }
            if let first = onBall.first { write(first, on: ball, to: &json) }
        }
        for dismissal in onBall.dropFirst() + between {
            list.object { json in
                begin("wicket", entry, to: &json)
                json.field("score", "w")
                write(dismissal, on: ball, to: &json)
            }
        }
    }

    private func begin(_ event: String, _ entry: EntitySportShownBall, to json: inout JSONWriter) {
        let ball = entry.delivery
        if !isTerse { json.field("event_id", "\(entry.id)") }
        json.field("event", event)
        json.field("batsman_id", numbers.player(ball.striker))
        json.field("bowler_id", numbers.player(ball.bowler))
        json.field("over", String(ball.over))
        json.field("ball", String(entry.label))
        json.field("commentary", "\(ball.bowler.name) to \(ball.striker.name)")
    }

    private func writeScore(of ball: Delivery, to json: inout JSONWriter) {
        let text = EntitySportWords.score(ball)
        json.key("score")
        if let number = Int(text) { json.integer(number) } else { json.string(text) }
    }

    /// The fields that newer replies have: runs by kind, who is in, when it was.
    private func writeParts(of entry: EntitySportShownBall, to json: inout JSONWriter) {
        let ball = entry.delivery
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
        json.field("timestamp", entry.bowledAt)
        json.objects("batsmen", [ball.striker, ball.nonStriker]) { $1.field("batsman_id", numbers.player($0)) }
    }

    private func write(_ dismissal: Dismissal, on ball: Delivery, to json: inout JSONWriter) {
        json.field("wicket_batsman_id", String(numbers.player(dismissal.out)))
        json.field("how_out", EntitySportWords.dismissal(dismissal, bowler: ball.bowler.name).howOut)
    }

    private func write(_ over: EntitySportShownBall.Over, to json: inout JSONWriter) {
        json.field("event", "overend")
        json.field("over", over.number + 1)
        json.field("runs", over.runs)
        json.field("commentary", "End of over \(over.number + 1) (\(over.runs) runs)")
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
