// An operator reads the journal in words.

import MatchEngine
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite struct JournalLineTests {
    private static func text(_ change: Change) throws -> String? {
        let entry = JournalEntry(revision: 3, at: Instant(milliseconds: 1_772_370_000_000), change: change)
        let statement = JournalStatement(entry: entry, source: .server, seenAt: nil)
        return JournalLine(match: MatchID(unchecked: "ipl-final"), statement: statement).context["text"] as? String
    }

    @Test func momentsAndStatusesAreWritten() throws {
        let keys = ["w:1:3", "inn:2", "res", "b50:1:rohit", "p100:2:1", "t150:2", "5w:1:boult", "cut:12"]
        let words = [
            "wicket 3 of innings 1", "the end of innings 2", "the result", "50 runs of a batter in innings 1",
            "a partnership of 100 in innings 2", "150 runs of the side in innings 2",
            "5 wickets of a bowler in innings 1", "cut:12",
        ]
        for (key, text) in zip(keys, words) {
            #expect(try Self.text(.confirmed([MomentKey(key)])) == "Confirmed: \(text)")
        }
        let two = [MomentKey("res"), MomentKey("inn:2")]
        #expect(try Self.text(.confirmed(two)) == "Confirmed: the result, the end of innings 2")
        #expect(try Self.text(.status(StatusReport(status: .inningsBreak))) == "Status: innings break")
        #expect(try Self.text(.status(StatusReport(status: .live))) == "Status: live")
    }
}
