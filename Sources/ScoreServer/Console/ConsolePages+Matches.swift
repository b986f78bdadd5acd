// The pages about matches: all of them, one, and one of its revisions.

import MatchEngine
import MatchJournal
import ScoreTypes

extension ConsolePages {
    /// A choice of matches.
    private enum Choice: String, CaseIterable {
        case all, live, scheduled, over, held

        func includes(_ view: MatchView) -> Bool {
            switch self {
            case .all: true
            case .live: view.phase == .live || view.phase == .onBreak
            case .scheduled: view.phase == .scheduled
            case .over: view.phase == .over
            case .held: view.news.isHeld
            }
        }

        var name: String { self == .live ? "In play" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    }

    /// The matches in memory that fit a choice and a search, those in play first.
    func matches(state: String?, search: String) -> ConsoleView {
        let choice = state.flatMap(Choice.init) ?? .all
        let all = dependencies.matches.views()
        let words = search.lowercased().split(separator: " ")
        let fitting = all.filter { view in
            guard choice.includes(view) else { return false }
            let text = ([view.match.text, view.info.competition ?? ""] + view.info.teams.map(\.name))
                .joined(separator: " ").lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        let order: [MatchPhase] = [.live, .onBreak, .scheduled, .over]
        let sorted = fitting.sorted { left, right in
            let ranks = (order.firstIndex(of: left.phase) ?? 4, order.firstIndex(of: right.phase) ?? 4)
            return ranks.0 == ranks.1
                ? left.publication.committedAt > right.publication.committedAt : ranks.0 < ranks.1
        }
        let streams = dependencies.hub.watcherCounts
        let shown = sorted.prefix(ServerLimits.consoleRows)
        return ConsoleView(
            title: "Matches",
            template: "matches",
            context: [
                "filters": Choice.allCases.map { filter -> [String: Any] in
                    [
                        "state": filter.rawValue, "name": filter.name, "isCurrent": filter == choice,
                        "count": all.count { filter.includes($0) },
                    ]
                },
                "matches": shown.map { MatchCard(view: $0, streams: streams[$0.match] ?? 0).context },
                "search": search, "state": choice.rawValue, "isCut": shown.count < sorted.count,
                "shown": shown.count, "count": sorted.count,
            ]
        )
    }

    /// One match: its board, its journal, its audience and its acts; nil when there is none.
    func match(_ match: MatchID) async throws -> ConsoleView? {
        guard let view = try await dependencies.matches.view(of: match) else { return nil }
        let streams = dependencies.hub.watcherCounts[match] ?? 0
        let detail = try await dependencies.control.detail(of: match, countsWithin: ServerLimits.pageCountWait)
        var context = MatchCard(view: view, streams: streams).board
        context["isHeld"] = view.news.isHeld
        context["phones"] = Self.phones(of: view)
        if let hold = view.news.hold { context["held"] = ["reason": hold.reason] }
        context["timeline"] = try await timeline(of: view)
        context["difference"] = try await difference(of: view, at: view.revision.number)
        context["publication"] = Self.facts(of: view)
        context["audience"] = Self.audience(detail)
        context["overrides"] = try await dependencies.overrides.overrides(of: match).map { override -> [String: Any] in
            var row = ConsoleContext.members(override.json)
            row["until"] = override.expiresAt.rfc3339
            row["match"] = match.text
            row["body"] = String(
                decoding: JSONValue.record(["field": .text(override.value.field)]).bytes,
                as: UTF8.self
            )
            return row
        }
        context["choices"] = Self.choices(of: view)
        let phase = context["phase"] as? String ?? ""
        return ConsoleView(
            title: view.info.teams.map(\.name).joined(separator: " v "),
            template: "match",
            context: context,
            state: (phase, context["tone"] as? String ?? "")
        )
    }

    /// The values that the forms of overrides offer.
    private static func choices(of view: MatchView) -> [String: Any] {
        let names = view.info.teams.map(\.name)
        return [
            "id": view.match.text, "statuses": MatchStatus.allCases.map(\.rawValue),
            "results": OverrideBody.results, "first": names.first ?? "first",
            "second": names.dropFirst().first ?? "second",
            "shortest": OverrideRoutes.secondsRange.lowerBound, "longest": OverrideRoutes.secondsRange.upperBound,
        ]
    }

    private static func facts(of view: MatchView) -> [[String: Any]] {
        let publication = view.publication
        return [
            ConsoleContext.fact("Revision", view.revision.description),
            ConsoleContext.fact("Published", at: publication.committedAt.rfc3339),
            ConsoleContext.fact(
                "Behind its reply",
                "\((publication.committedAt - publication.seenAt).milliseconds) ms"
            ),
            ConsoleContext.fact("Cause", publication.cause.rawValue),
            ConsoleContext.fact("Feed", view.news.publication.feed?.text ?? ""),
            ConsoleContext.fact("Silent since", at: view.news.staleSince?.rfc3339),
            ConsoleContext.fact("Alert", publication.alert?.title),
            ConsoleContext.fact("Relevance", "\(publication.relevance)"),
            ConsoleContext.fact("Content state", "\(publication.contentState.count) bytes"),
            ConsoleContext.fact("Match", view.match.text),
        ].compactMap { $0 }
    }

    private static func audience(_ detail: JSONValue?) -> [[String: Any]] {
        if detail?.member("counted") == .bool(false) {
            return [ConsoleContext.fact("Followers", "are being counted")].compactMap { $0 }
        }
        let receipts = detail?.member("receipts")
        func fact(_ name: String, _ json: JSONValue?, _ key: String, tone: String = "") -> [String: Any]? {
            ConsoleContext.fact(name, ConsoleContext.grouped(ConsoleContext.number(json, key)), tone: tone)
        }
        return [
            fact("Follows", detail, "follows"),
            fact("Activities with a token", detail, "activitiesByToken"),
            fact("Activities on channels", detail, "activitiesOnChannels"),
            fact("Open streams", detail, "streams"),
            fact("Newest state accepted by APNs", receipts, "accepted"),
            fact(
                "Shown, by receipts",
                receipts,
                "confirmed",
                tone: ConsoleContext.number(receipts, "confirmed") > 0 ? "good" : ""
            ),
            fact("Unknown", receipts, "unknown"),
            fact("Stuck", receipts, "stuck", tone: ConsoleContext.number(receipts, "stuck") > 0 ? "warn" : ""),
        ].compactMap { $0 }
    }
}
