// Clients that fell behind read the journal's changes in the API's form.

import MatchEngine
import MatchJournal
import ScoreTypes

extension JournalEntry {
    /// Writes `rev`, `kind`, `atMs` and the members of the kind.
    func write(into json: inout JSONWriter) {
        json.field("rev", revision)
        json.field("kind", kind)
        json.field("atMs", at.milliseconds)
        switch change {
        case .inserted(let delivery), .amended(let delivery):
            json.field("ballKey", delivery.key.text)
            json.object("ball") { delivery.write(into: &$0) }
            if let before { json.object("before") { before.write(into: &$0) } }
        case .withdrawn(let key):
            json.field("ballKey", key.text)
            if let before { json.object("before") { before.write(into: &$0) } }
        case .status(let report):
            json.field("status", report.status.rawValue)
            json.field("note", ifPresent: report.note)
        case .innings(let innings): json.field("innings", innings.ordinal)
        case .inningsWithdrawn(let ordinal): json.field("innings", ordinal)
        case .confirmed(let keys): json.strings("moments", keys.map(\.text))
        case .info, .result, .keepAlive: break
        }
    }

    private var kind: String {
        switch change {
        case .inserted: "ball"
        case .amended: "correction"
        case .withdrawn: "deletion"
        case .status: "status"
        case .info: "info"
        case .innings, .inningsWithdrawn: "innings"
        case .result: "result"
        case .confirmed: "moments"
        case .keepAlive: "keepAlive"
        }
    }
}

extension Delivery {
    /// Writes the members of the ball that its feed provides.
    func write(into json: inout JSONWriter) {
        json.field("key", key.text)
        json.field("innings", innings)
        json.field("over", over)
        json.field("batter", striker.name)
        json.field("nonStriker", nonStriker.name)
        json.field("bowler", bowler.name)
        json.field("runsBat", runs.bat)
        json.field("runsExtras", runs.wides &+ runs.noBalls &+ runs.byes &+ runs.legByes &+ runs.penalty)
        json.field("legal", isLegal)
        guard !dismissals.isEmpty else { return }
        json.objects("wickets", dismissals) { dismissal, json in
            json.field("kind", dismissal.kind.rawValue)
            json.field("playerOut", dismissal.out.name)
        }
    }
}
