// In balls mode each revision is one event, rendered once for all streams and for those that resume later.

import MatchEngine
import MatchJournal
import ScoreTypes

extension StreamFrame {
    /// The event of a revision: a ball, a correction, a deletion, else a `state`.
    ///
    /// - `head`: The view at this revision, whose complete state the event contains; nil for an older revision.
    init(_ entry: JournalEntry, of match: MatchID, epoch: Epoch, head: MatchView? = nil) {
        let data = JSONWriter.document(reservingBytes: head == nil ? 512 : 4096) { json in
            json.field("matchId", match.text)
            json.field("epoch", epoch.text)
            json.field("prev", entry.revision &- 1)
            if entry.isBall {
                entry.write(into: &json)
            } else {
                json.field("rev", entry.revision)
                json.field("atMs", entry.at.milliseconds)
                json.object("change") { entry.write(into: &$0) }
            }
            if let head { Self.writeState(of: head, into: &json) }
        }
        self.init(
            event: entry.streamEvent,
            data: data,
            of: match,
            at: Revision(epoch: epoch, number: entry.revision),
            end: head.flatMap { StreamEnding($0) }
        )
    }
}

extension JournalEntry {
    /// Whether it reports a ball, or a change of one.
    fileprivate var isBall: Bool {
        switch change {
        case .inserted, .amended, .withdrawn: true
        default: false
        }
    }

    /// The name of its event.
    fileprivate var streamEvent: StaticString {
        switch change {
        case .inserted: "ball"
        case .amended: "correction"
        case .withdrawn: "deletion"
        default: "state"
        }
    }
}
