// A replay has to report entries that it lacks as well as entries that differ from the journal.

import MatchEngine
import MatchJournal
import ScoreIngest
import ScoreTypes

/// The result of a comparison of replayed entries with the stored journal.
///
/// It covers each match from its first to its last replayed revision: older captures are deleted, and the newest may
/// not have been written.
struct CaptureComparison: Sendable {

    /// Entries that were replayed.
    private(set) var replayed = 0
    /// Revisions that only one of both has, or that say something else.
    private(set) var differing = 0
    /// The first of them for each match, a line each.
    private(set) var lines: [String] = []

    /// Whether something was compared and nothing differs.
    var isSame: Bool { replayed > 0 && differing == 0 }

    /// Compares replayed entries with those that `page` reads after a revision, in order, none at the end.
    static func between(
        _ entries: [ReplayedEntry],
        _ page: (MatchID, _ after: Int64) async throws -> [JournalEntry]
    ) async throws -> CaptureComparison {
        var comparison = CaptureComparison()
        for (match, mine) in Dictionary(grouping: entries, by: \.match).sorted(by: { $0.key < $1.key }) {
            let revisions = mine.map(\.revision)
            guard let first = revisions.min(), let last = revisions.max() else { continue }
            var stored: [Int64: Change] = [:]
            var read = first - 1
            while read < last {
                let entries = try await page(match, read)
                guard let newest = entries.last else { break }
                for entry in entries where entry.revision <= last { stored[entry.revision] = entry.change }
                read = newest.revision
            }
            comparison.add(mine, stored, of: match)
        }
        return comparison
    }

    private mutating func add(_ mine: [ReplayedEntry], _ stored: [Int64: Change], of match: MatchID) {
        var found: [(revision: Int64, line: String)] = []
        for entry in mine where stored[entry.revision] != entry.change {
            let fault = stored[entry.revision] == nil ? "is not stored" : "is stored with other content"
            found.append((entry.revision, "\(fault), replayed \(entry.line)"))
        }
        let replayed = Set(mine.map(\.revision))
        for revision in stored.keys where !replayed.contains(revision) {
            found.append((revision, "is stored but was not replayed"))
        }
        self.replayed += mine.count
        differing += found.count
        lines += found.sorted { $0.revision < $1.revision }.prefix(LabLimits.differencesOfMatch)
            .map { "\(match) revision \($0.revision) \($0.line)" }
    }

    /// The differences and a last line with the counts.
    func text(skipped: Int) -> String {
        let counts =
            replayed == 0
            ? "nothing was replayed (\(skipped) captured entries skipped), so nothing was compared"
            : "\(replayed) entries replayed, \(skipped) captured entries skipped, \(differing) differ from the journal"
        return (lines + [counts]).joined(separator: "\n")
    }
}
