// Clients that fell behind read the journal's changes in the API's form.

import MatchEngine
import ScoreTypes

extension MatchChange {
    /// Writes `{rev, kind, atMs, …}`.
    func write(into json: inout JSONWriter) {
        json.object { json in
            json.field("rev", number)
            json.field("kind", kind)
            json.field("atMs", at.milliseconds)
            switch change {
            case .inserted(let delivery), .amended(let delivery):
                json.field("ballKey", delivery.key.text)
                json.key("ball")
                delivery.write(into: &json)
            case .withdrawn(let key): json.field("ballKey", key.text)
            case .status(let report):
                json.field("status", report.status.rawValue)
                json.field("note", ifPresent: report.note)
            case .innings(let innings): json.field("innings", innings.ordinal)
            case .inningsWithdrawn(let ordinal): json.field("innings", ordinal)
            case .confirmed(let keys):
                json.key("moments")
                json.array { json in for key in keys { json.string(key.text) } }
            case .info, .result, .keepAlive: break
            }
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
    /// Writes the ball, with the fields that its feed provides.
    fileprivate func write(into json: inout JSONWriter) {
        json.object { json in
            json.field("key", key.text)
            json.field("innings", innings)
            json.field("over", over)
            json.field("batter", striker.name)
            json.field("nonStriker", nonStriker.name)
            json.field("bowler", bowler.name)
            json.field("runsBat", runs.bat)
            json.field("runsExtras", runs.wides &+ runs.noBalls &+ runs.byes &+ runs.legByes &+ runs.penalty)
            json.field("legal", isLegal)
            if !dismissals.isEmpty {
                json.key("wickets")
                json.array { json in
                    for dismissal in dismissals {
                        json.object { json in
                            json.field("kind", dismissal.kind.rawValue)
                            json.field("playerOut", dismissal.out.name)
                        }
                    }
                }
            }
        }
    }
}
