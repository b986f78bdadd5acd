// One over, ball by ball, as it is in the record of the match.

import MatchEngine
import MatchJournal
import ScoreTypes

/// Writes an over.
struct OverDocument: Sendable {
    let over: OverCard
    let innings: Int
    let match: MatchID
    let epoch: Epoch
    /// The revision of each ball.
    let revisions: [Int64]

    init(_ over: OverCard, innings: Int, of view: MatchView, in history: BallHistory) {
        (self.over, self.innings, match, epoch) = (over, innings, view.match, view.revision.epoch)
        revisions = over.balls.map { history.revision(of: $0.delivery.key) ?? 0 }
    }

    /// Body of `GET /v1/matches/{id}/innings/{n}/overs/{o}`; equal for all revisions that change no ball of the over.
    var bytes: [UInt8] {
        JSONWriter.document(reservingBytes: 2_048) { json in
            json.field("id", match.text)
            json.field("epoch", epoch.text)
            json.field("innings", innings)
            json.field("over", over.number)
            json.field("complete", over.isComplete)
            json.field("runs", over.runs)
            json.field("wickets", over.wickets)
            json.objects("balls", zip(over.balls, revisions)) { item, json in
                let (ball, revision) = item
                ball.delivery.write(into: &json)
                json.field("label", ball.label.description)
                json.field("ball", ball.label.ball)
                json.field("text", ball.mark.text)
                json.field("rev", revision)
            }
        }
    }
}
