// The timeline of a match has one step for each publication: the image, the changes and their author.

import MatchEngine
import MatchJournal
import ScoreTypes
import SurfaceImages

extension ConsolePages {
    /// The newest publications of a match with their entries, newest first; entries that wait stand before them.
    func timeline(of view: MatchView) async throws -> [[String: Any]] {
        let from = max(0, view.revision.number - Int64(ServerLimits.consoleEntries))
        let statements = try await dependencies.overrides.statements(
            of: view.match,
            about: nil,
            after: from,
            limit: ServerLimits.consoleEntries * 2
        )
        let newest = view.revision.number
        let rows = try await dependencies.overrides.publications(of: view.match, after: from, through: newest)
        var steps: [[String: Any]] = []
        var last = from
        for row in rows {
            let own = statements.filter { $0.entry.revision > last && $0.entry.revision <= row.revision }
            last = row.revision
            steps.append(step(row.revision, own, of: view.match, row))
        }
        let waiting = statements.filter { $0.entry.revision > last }
        if let next = waiting.last { steps.append(step(next.entry.revision, waiting, of: view.match, nil)) }
        return steps.reversed()
    }

    private func step(
        _ revision: Int64,
        _ statements: [JournalStatement],
        of match: MatchID,
        _ row: PublicationRow?
    ) -> [String: Any] {
        let lines = statements.map { JournalLine(match: match, statement: $0).context }
        var step: [String: Any] = ["match": match.text, "revision": revision, "lines": lines]
        let sources = lines.compactMap { $0["source"] as? String }
        if let first = sources.first { step["source"] = Set(sources).count == 1 ? first : "several sources" }
        step["at"] = row?.at.rfc3339 ?? statements.last?.entry.at.rfc3339
        guard let row else { return step }
        let story = PublicationStory(row: row)
        step["picture"] = Self.picture(of: match, at: revision, .carPlayNarrow)
        step["delay"] = story.lag
        step["isUrgent"] = row.alertKey != nil
        step["why"] = story.priority
        return step
    }

    /// The address of an image; it has the revision, so that a browser loads each image once.
    static func picture(of match: MatchID, at revision: Int64, _ layout: SurfaceLayout) -> String {
        "/admin/api/v1/matches/\(match)/preview?rev=\(revision)&layout=\(layout.rawValue)"
    }

    /// The values that a publication changed on phones; nil for the first one.
    func difference(of view: MatchView, at number: Int64) async throws -> [String: Any]? {
        guard let before = try await dependencies.overrides.publishedRevision(of: view.match, notAfter: number - 1),
            let old = try await contents.content(at: before, of: view),
            let new = try await contents.content(at: number, of: view)
        else { return nil }
        guard let first = try? JSONValue(parsing: old.bytes), let second = try? JSONValue(parsing: new.bytes) else {
            return nil
        }
        return ["since": before, "match": view.match.text, "rows": ContentDifference(from: first, to: second).context]
    }
}
