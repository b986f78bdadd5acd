// Apps let people select teams and tournaments; both are those of the matches in memory.

import MatchEngine
import MatchJournal
import NIOCore
import ScoreTypes
import Synchronization

/// A team as its newest match shows it.
struct ListedTeam: Sendable, Hashable {
    let id: String
    let name: String
    let abbreviation: String
    let color: String?

    /// Writes the members.
    func write(into json: inout JSONWriter) {
        json.field("id", id)
        json.field("name", name)
        json.field("abbr", abbreviation)
        json.field("color", ifPresent: color)
    }
}

/// A competition, which feeds identify by its name.
struct ListedTournament: Sendable, Hashable {
    let name: String
    var seasons: Set<String> = []
    var formats: Set<Format> = []

    /// Writes the members.
    func write(into json: inout JSONWriter) {
        json.field("name", name)
        json.strings("seasons", seasons.sorted())
        json.strings("formats", formats.map(\.rawValue).sorted())
    }
}

/// The teams and tournaments of some matches, in order of id and name.
final class MatchDirectory: Sendable {
    private enum Page: Hashable, Sendable {
        case teams(after: String, limit: Int)
        case tournaments(after: String, limit: Int)
        case team(String)
    }

    private let teams: [ListedTeam]
    private let tournaments: [ListedTournament]
    private let answers = Mutex(GenerationCache<Page, StoredAnswer>(capacity: ServerLimits.directoryPages))

    init(of views: [MatchView]) {
        var teams: [String: ListedTeam] = [:]
        var tournaments: [String: ListedTournament] = [:]
        for view in views.sorted(by: { Self.order($0) < Self.order($1) }) {
            for side in Side.allCases {
                let team = view.info.team(side)
                // A side that is not known yet has no id.
                guard !team.id.isEmpty else { continue }
                let abbreviation = view.publication.state.abbreviations[side]
                teams[team.id] = ListedTeam(
                    id: team.id,
                    name: team.name,
                    abbreviation: abbreviation,
                    color: team.color ?? teams[team.id]?.color
                )
            }
            guard let name = view.info.competition, !name.isEmpty else { continue }
            tournaments[name, default: ListedTournament(name: name)].formats.insert(view.info.format)
            if let season = view.info.season { tournaments[name]?.seasons.insert(season) }
        }
        self.teams = teams.values.sorted { $0.id < $1.id }
        self.tournaments = tournaments.values.sorted { $0.name < $1.name }
    }

    /// A page of the teams after an id.
    func teams(after id: String, limit: Int) -> StoredAnswer {
        stored(.teams(after: id, limit: limit)) {
            Self.page(of: teams, after: id, limit: limit, key: \.id) { $0.write(into: &$1) }
        }
    }

    /// A page of the tournaments after a name.
    func tournaments(after name: String, limit: Int) -> StoredAnswer {
        stored(.tournaments(after: name, limit: limit)) {
            Self.page(of: tournaments, after: name, limit: limit, key: \.name) { $0.write(into: &$1) }
        }
    }

    /// A team; nil when no match in memory has it.
    func team(_ id: String) -> StoredAnswer? {
        guard let team = teams.first(where: { $0.id == id }) else { return nil }
        return stored(.team(id)) { JSONWriter.document { team.write(into: &$0) } }
    }

    /// The newest match last, so that its names count; equal times in order of the ids.
    private static func order(_ view: MatchView) -> (Instant, MatchID) { (view.publication.committedAt, view.match) }

    private func stored(_ page: Page, _ bytes: () -> [UInt8]) -> StoredAnswer {
        answers.withLock { answers in
            if let known = answers[page] { return known }
            let body = bytes()
            let answer = StoredAnswer(tag: Answer.tag(of: body), body: ByteBuffer(bytes: body))
            answers[page] = answer
            return answer
        }
    }

    private static func page<Item>(
        of items: [Item],
        after place: String,
        limit: Int,
        key: (Item) -> String,
        write: (Item, inout JSONWriter) -> Void
    ) -> [UInt8] {
        let rest = items.drop { key($0) <= place }
        let page = rest.prefix(limit)
        let next = rest.count > page.count ? page.last.map { Base64URL.text(Array(key($0).utf8)) } : nil
        return JSONWriter.document { json in
            json.objects("items", page, write)
            json.field("nextCursor", ifPresent: next)
        }
    }
}
