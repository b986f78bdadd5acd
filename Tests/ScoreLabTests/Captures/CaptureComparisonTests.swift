// The comparison reports each way in which two journals differ.

import MatchEngine
import Providers
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreLab

@Suite struct CaptureComparisonTests {
    private static let match = MatchID(unchecked: "m1")

    private static func change(_ revision: Int64) -> Change {
        .status(StatusReport(status: .live, note: "entry \(revision)"))
    }

    private static func replayed(_ revisions: [Int64], of match: MatchID = match) -> [ReplayedEntry] {
        revisions.map { revision in
            ReplayedEntry(
                match: match,
                revision: revision,
                change: change(revision),
                source: JournalSource(.cricsheet, FeedID(unchecked: "main"))
            )
        }
    }

    /// Compares with a journal that has these revisions, read in pages of two.
    private static func compare(
        _ entries: [ReplayedEntry],
        with stored: [Int64],
        otherwise: Set<Int64> = []
    ) async throws -> CaptureComparison {
        try await CaptureComparison.between(entries) { _, after in
            stored.filter { $0 > after }.prefix(2).map { revision in
                JournalEntry(
                    revision: revision,
                    at: Instant(milliseconds: revision),
                    change: change(otherwise.contains(revision) ? -revision : revision)
                )
            }
        }
    }

    @Test func equalJournalsHaveNoDifference() async throws {
        let comparison = try await Self.compare(Self.replayed([1, 2, 3, 4, 5]), with: [1, 2, 3, 4, 5])
        #expect(comparison.isSame && comparison.lines == [])
        let text = comparison.text(skipped: 2)
        #expect(text == "5 entries replayed, 2 captured entries skipped, 0 differ from the journal")
    }

    @Test func entriesOutsideTheCapturesAreNoDifference() async throws {
        let comparison = try await Self.compare(Self.replayed([4, 5, 6]), with: Array(1...9))
        #expect(comparison.isSame && comparison.replayed == 3)
    }

    @Test func anEntryMissingFromTheReplayIsADifference() async throws {
        let comparison = try await Self.compare(Self.replayed([4, 6]), with: Array(1...9))
        #expect(!comparison.isSame && comparison.differing == 1)
        #expect(comparison.lines == ["m1 revision 5 is stored but was not replayed"])
    }

    @Test func anEntryMissingFromTheJournalIsADifference() async throws {
        let comparison = try await Self.compare(Self.replayed([4, 5, 6]), with: [4, 5])
        #expect(!comparison.isSame && comparison.differing == 1)
        #expect(comparison.lines.first?.hasPrefix("m1 revision 6 is not stored, replayed {") == true)
    }

    @Test func anEntryWithOtherContentIsADifference() async throws {
        let comparison = try await Self.compare(Self.replayed([4, 5, 6]), with: [4, 5, 6], otherwise: [5])
        #expect(!comparison.isSame && comparison.differing == 1)
        #expect(comparison.lines.first?.hasPrefix("m1 revision 5 is stored with other content, replayed {") == true)
    }

    @Test func allDifferencesAreCountedAndTheFirstListed() async throws {
        let other = MatchID(unchecked: "m2")
        let entries = Self.replayed(Array(1...20)) + Self.replayed([1, 2], of: other)
        let comparison = try await Self.compare(entries, with: Array(1...20), otherwise: Set(2...20))
        #expect(comparison.replayed == 22 && comparison.differing == 20)
        #expect(comparison.lines.count == LabLimits.differencesOfMatch + 1)
        let text = comparison.text(skipped: 0)
        #expect(text.hasSuffix("22 entries replayed, 0 captured entries skipped, 20 differ from the journal"))
    }

    @Test func anEmptyReplayFails() async throws {
        let comparison = try await Self.compare([], with: Array(1...9))
        #expect(!comparison.isSame)
        #expect(comparison.text(skipped: 7).hasPrefix("nothing was replayed (7 captured entries skipped)"))
    }
}
