// One ball's life on one page: from the bytes of the feed to what phones confirmed.

import MatchEngine
import MatchJournal
import ScoreTypes
import SurfaceImages

extension ConsolePages {
    /// One revision: its life from the reply to the phones, its content and what was said; nil when there is none.
    func revision(_ number: Int64, of match: MatchID) async throws -> ConsoleView? {
        guard let view = try await dependencies.matches.view(of: match) else { return nil }
        let log = dependencies.overrides
        let row = try await log.publications(of: match, after: number - 1, through: number).first
        let isPublished = row != nil || number == view.revision.number
        let before = try await log.publishedRevision(of: match, notAfter: number - 1) ?? 0
        let own = try await log.statements(of: match, about: nil, after: isPublished ? before : number - 1, limit: 40)
            .filter { $0.entry.revision <= number }
        guard !own.isEmpty || isPublished else { return nil }
        var context: [String: Any] = [
            "id": match.text, "title": view.info.teams.map(\.name).joined(separator: " v "),
            "entries": own.map { JournalLine(match: match, statement: $0).context },
        ]
        if number > 1 { context["earlier"] = isPublished && before > 0 ? before : number - 1 }
        if number < view.revision.number { context["later"] = number + 1 }
        context["steps"] = try await life(of: number, view, own, row)
        if isPublished, let surface = try await contents.content(at: number, of: view) {
            let phones = SurfacePhone.allCases.map { ($0.title, $0.rawValue) }
            context["phones"] = Self.pictures(of: match, at: number, phones)
            let layouts = SurfaceLayout.allCases.map { ($0.title, $0.rawValue) }
            context["pictures"] = Self.pictures(of: match, at: number, layouts)
            context["difference"] = try await difference(of: view, at: number)
            if let content = try? JSONValue(parsing: surface.bytes) {
                context["content"] = [
                    "bytes": surface.byteCount, "json": SchemaExample.indented(content),
                    "layouts": ContentBytes(content, of: surface).context,
                ]
            }
            if let reason = surface.undecodable { context["undecodable"] = reason }
        }
        return ConsoleView(title: "Revision \(number)", template: "revision", context: context, isLive: false)
    }

    private static func pictures(
        of match: MatchID,
        at revision: Int64,
        _ layouts: [(title: String, name: String)]
    ) -> [[String: Any]] {
        layouts.map { layout in
            [
                "title": layout.title,
                "address": "/admin/api/v1/matches/\(match)/preview?rev=\(revision)&layout=\(layout.name)",
            ]
        }
    }

    /// The stages that a revision passed, in order, with the time since the reply.
    private func life(
        of number: Int64,
        _ view: MatchView,
        _ statements: [JournalStatement],
        _ row: PublicationRow?
    ) async throws -> [[String: Any]] {
        var steps: [[String: Any]] = []
        func step(_ name: String, _ text: String, after: Int64? = nil, at time: Instant? = nil, tone: String = "") {
            var step: [String: Any] = ["name": name, "text": text, "tone": tone]
            step["after"] = after.map { "\($0) ms" }
            step["at"] = time?.rfc3339
            steps.append(step)
        }
        let newest = statements.last
        let source = newest.map { JournalLine(match: view.match, statement: $0).source } ?? "server"
        let seen = newest?.seenAt ?? row?.seenAt
        if let seen {
            step("Feed", "\(source) replied", after: 0, at: seen)
            let feed = newest?.source.feed ?? ""
            if dependencies.captures.isStoring, !feed.isEmpty {
                let query = "match=\(view.match)&at=\(seen.milliseconds)"
                steps[0]["capture"] = "/admin/api/v1/feeds/\(feed)/captures?\(query)"
            }
        }
        if let newest {
            let count = statements.count
            step("Gate", "accepted, \(count) change\(count == 1 ? "" : "s") to the journal", tone: "good")
            let written = seen.map { max(0, (newest.entry.at - $0).milliseconds) }
            step("Commit", "appended to the journal in one transaction", after: written, at: newest.entry.at)
        }
        guard let row else {
            step("Publication", "none of its own: a later revision of the same reply was published", tone: "dim")
            return steps
        }
        let story = PublicationStory(row: row)
        if let announced = story.announced { step("Moments", announced) }
        step("Publication", story.priority, after: story.lag, tone: row.alertKey == nil ? "" : "warn")
        try await steps.append(contentsOf: pushes(of: number, view, story))
        return steps
    }

    /// The first request, and the receipts of the newest revision.
    private func pushes(of number: Int64, _ view: MatchView, _ story: PublicationStory) async throws -> [[String: Any]]
    {
        let fanout = await dependencies.pipeline().member("dispatcher")?.member("matches")?.asElements?.first {
            ConsoleContext.text($0, "matchId") == view.match.text
        }
        var steps: [[String: Any]] = []
        let first = fanout?.member("firstRequests")?.asElements?.first { ConsoleContext.number($0, "rev") == number }
        if let first {
            let wait = ConsoleContext.number(first, "ms")
            let text = "\(wait) ms after the commit"
            steps.append(["name": "First push", "text": text, "after": "\(story.lag &+ wait) ms", "tone": "good"])
        }
        guard number == view.revision.number else { return steps }
        let detail = try await dependencies.control.detail(
            of: view.match,
            countsWithin: ServerLimits.pageCountWait
        )
        let receipts = detail?.member("receipts")
        let (accepted, confirmed) = (
            ConsoleContext.number(receipts, "accepted"), ConsoleContext.number(receipts, "confirmed")
        )
        let share = "\(ConsoleContext.grouped(confirmed)) of \(ConsoleContext.grouped(accepted))"
        steps.append(["name": "Phones", "tone": "", "text": "\(share) confirmed that they show it"])
        return steps
    }
}
