// Which matches a list shows, in which order, from where on.

import MatchEngine
import ScoreTypes

/// The query of `GET /v1/matches`.
struct MatchFilter: Sendable {
    /// Most matches in one page.
    static let limitMax: Int64 = 100

    private enum Group: String, CaseIterable { case live, upcoming, finished }

    private let groups: Set<Group>
    private let date: String?
    private let team: String?
    private let tournament: String?
    private let after: MatchID?
    private let limit: Int

    init(_ query: QueryFields) throws(ServiceProblem) {
        var groups: Set<Group> = []
        for word in (query["status"] ?? "").split(separator: ",") {
            guard let group = Group(rawValue: String(word)) else {
                throw .invalid("status", "expected live, upcoming, finished, separated by commas")
            }
            groups.insert(group)
        }
        self.groups = groups.isEmpty ? Set(Group.allCases) : groups
        date = query["date"]
        team = query["team"]
        tournament = query["tournament"]
        limit = Int(try query.integer("limit", 1...Self.limitMax) ?? 50)
        if let cursor = query["cursor"] {
            guard let bytes = Base64URL.bytes(cursor), let match = MatchID(String(decoding: bytes, as: UTF8.self))
            else {
                throw .invalid("cursor", "expected the nextCursor of an earlier page")
            }
            after = match
        } else {
            after = nil
        }
    }

    /// The page, and the cursor of the next one when there is more. Live matches first, then by start and id.
    func page(of views: [MatchView]) -> (page: [MatchView], next: String?) {
        let ordered = views.filter(accepts).sorted { Self.order($0) < Self.order($1) }
        let start = after.flatMap { after in ordered.firstIndex { $0.match == after } }.map { $0 + 1 } ?? 0
        let rest = ordered.dropFirst(start)
        let page = Array(rest.prefix(limit))
        guard rest.count > page.count, let last = page.last else { return (page, nil) }
        return (page, Base64URL.text(Array(last.match.text.utf8)))
    }

    /// How long caches may keep the list (ops 4.4 R1).
    var cacheControl: String {
        if groups.contains(.live) {
            return "public, max-age=2, s-maxage=2, stale-while-revalidate=4, stale-if-error=60"
        }
        return groups.contains(.upcoming) ? "public, max-age=60, s-maxage=300" : "public, max-age=300, s-maxage=3600"
    }

    private func accepts(_ view: MatchView) -> Bool {
        guard groups.contains(Self.group(of: view.phase)) else { return false }
        if let team, !view.info.teams.contains(where: { $0.id == team || $0.abbreviation == team }) { return false }
        if let tournament, view.info.competition != tournament { return false }
        if let date { return view.info.days.contains(date) || Self.day(of: view) == date }
        return true
    }

    private static func day(of view: MatchView) -> String? {
        guard let start = view.info.startsAt else { return nil }
        return String(
            Instant(milliseconds: start.multipliedReportingOverflow(by: 1000).partialValue).rfc3339.prefix(10)
        )
    }

    private static func group(of phase: MatchPhase) -> Group {
        switch phase {
        case .scheduled: .upcoming
        case .live, .onBreak: .live
        case .over: .finished
        }
    }

    private static func order(_ view: MatchView) -> (Int, Int64, MatchID) {
        let start = view.info.startsAt ?? .max
        switch group(of: view.phase) {
        case .live: return (0, start, view.match)
        case .upcoming: return (1, start, view.match)
        case .finished: return (2, start == .max ? 0 : -start, view.match)
        }
    }
}
