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
        let keys = ["w:1:3", "inn:2", "res", "b50:1:rohit"].map { MomentKey($0) }
        #expect(
            try Self.text(.confirmed(keys))
                == "Confirmed: wicket 3 of innings 1, the end of innings 2, the result, b50:1:rohit"
        )
        #expect(try Self.text(.status(StatusReport(status: .inningsBreak))) == "Status: innings break")
        #expect(try Self.text(.status(StatusReport(status: .live))) == "Status: live")
    }
}
