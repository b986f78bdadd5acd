// Filters, orders and pages the list of matches.

import MatchEngine
import MatchJournal
import ScoreTypes

/// The query of `GET /v1/matches`.
struct MatchFilter: Sendable {
    fileprivate enum Group: String, CaseIterable { case live, upcoming, finished }

    private let groups: Set<Group>
    private let date: String?
    private let team: String?
    private let tournament: String?
    private let after: Place?
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
        date = try query.day("date")
        team = query["team"]
        tournament = query["tournament"]
        limit = Int(try query.integer("limit", 1...ServerLimits.matchesPerPage) ?? 50)
        if let cursor = query["cursor"] {
            guard let bytes = Base64URL.bytes(cursor.utf8), let place = Place(String(decoding: bytes, as: UTF8.self))
            else {
                throw .invalid("cursor", "expected the nextCursor of an earlier page")
            }
            after = place
        } else {
            after = nil
        }
    }

    /// The page, and the cursor of the next one when there is more.
    ///
    /// Live matches first, then by start and id. A page goes on behind the place of the one before, whatever has
    /// become of the match that stood there.
    func page(of views: [MatchView], now: Instant) -> (page: [MatchView], next: String?) {
        let ordered = views.filter { accepts($0, now) }.map { (place: Place($0), view: $0) }
            .sorted { $0.place < $1.place }
        let rest = ordered.drop { entry in after.map { entry.place <= $0 } ?? false }
        let page = rest.prefix(limit)
        guard rest.count > page.count, let last = page.last else { return (page.map(\.view), nil) }
        return (page.map(\.view), Base64URL.text(Array(last.place.text.utf8)))
    }

    /// The last time before a finished match leaves the list; nil when none will.
    static func nextExpiry(of views: [MatchView], now: Instant) -> Instant? {
        views.lazy.filter { $0.phase == .over }
            .map { $0.publication.committedAt + ServerLimits.finishedMatchAge }
            .filter { $0 >= now }.min()
    }

    /// The cache lifetimes of the list.
    var cacheControl: String {
        if groups.contains(.live) {
            return "public, max-age=2, s-maxage=2, stale-while-revalidate=4, stale-if-error=60"
        }
        return groups.contains(.upcoming) ? "public, max-age=60, s-maxage=300" : "public, max-age=300, s-maxage=3600"
    }

    private func accepts(_ view: MatchView, _ now: Instant) -> Bool {
        guard groups.contains(Self.group(of: view.phase)) else { return false }
        if view.phase == .over, now - view.publication.committedAt > ServerLimits.finishedMatchAge { return false }
        if let team, view.side(named: team) == nil { return false }
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

    fileprivate static func group(of phase: MatchPhase) -> Group {
        switch phase {
        case .scheduled: .upcoming
        case .live, .onBreak: .live
        case .over: .finished
        }
    }
}

/// The position of a match in the list.
private struct Place: Comparable, Sendable {
    private let group: Int
    private let start: Int64
    private let match: MatchID

    init(_ view: MatchView) {
        let start = view.info.startsAt ?? .max
        match = view.match
        switch MatchFilter.group(of: view.phase) {
        case .live: (group, self.start) = (0, start)
        case .upcoming: (group, self.start) = (1, start)
        case .finished: (group, self.start) = (2, start == .max ? 0 : 0 &- start)
        }
    }

    /// Reads `text`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let group = Int(parts[0]), let start = Int64(parts[1]),
            let match = MatchID(String(parts[2]))
        else { return nil }
        (self.group, self.start, self.match) = (group, start, match)
    }

    /// The text in a cursor; no id contains a comma.
    var text: String { "\(group),\(start),\(match)" }

    static func < (left: Place, right: Place) -> Bool {
        (left.group, left.start, left.match) < (right.group, right.start, right.match)
    }
}
