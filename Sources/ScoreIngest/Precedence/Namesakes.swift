// Without an alias, a player of the same name in the same side is the same player.

internal import MatchEngine

/// Maps the teams and players of another provider's snapshot to the ids of a match.
struct Namesakes {
    /// The match's ids by the snapshot's ids, of teams that have another id there.
    private(set) var teams: [String: String] = [:]
    /// The same for players.
    private(set) var players: [String: String] = [:]
    /// Whether both sides of the snapshot are sides of the match.
    private(set) var hasSameSides: Bool

    init(_ snapshot: MatchSnapshot, in record: MatchRecord) { self.init(snapshot.info.teams, in: record) }

    /// The same for the sides of a list's entry.
    init(_ teams: [TeamInfo], in record: MatchRecord) {
        hasSameSides = record.info == nil
        guard let known = record.info?.teams, known.count == 2, teams.count == 2 else { return }
        var found: [String?] = []
        for team in teams {
            let same = known.first { $0.id == team.id } ?? known.first { Self.isSame($0, team) }
            found.append(same?.id)
            guard let same else { continue }
            if same.id != team.id { self.teams[team.id] = same.id }
            note(team.players, among: same.players)
        }
        hasSameSides = Set(found.compactMap(\.self)).count == 2
    }

    /// The snapshot with the match's ids.
    func apply(to snapshot: MatchSnapshot) -> MatchSnapshot {
        guard !teams.isEmpty || !players.isEmpty else { return snapshot }
        var renaming = renaming
        return renaming.apply(to: snapshot)
    }

    /// The entry with the match's ids.
    func apply(to fixture: Fixture) -> Fixture {
        var renaming = renaming
        return fixture.with(teams: fixture.teams.map { renaming.named($0) })
    }

    private var renaming: Renaming { Renaming(team: { teams[$0] ?? $0 }, player: { players[$0] ?? $0 }) }

    /// Pairs players by id, then the others by full name, then the rest by initial and surname.
    private mutating func note(_ theirs: [Player], among ours: [Player]) {
        let named = Set(theirs.map(\.id))
        var seen = Set(ours.map(\.id))
        var known = ours.filter { !named.contains($0.id) }
        var unpaired = theirs.filter { seen.insert($0.id).inserted }
        for form in [Self.letters, Self.initials] {
            let groups = Dictionary(grouping: known) { form($0.name) }
            for (name, people) in Dictionary(grouping: unpaired, by: { form($0.name) }) {
                // Only an alias tells two brothers with one initial apart.
                guard people.count == 1, let same = groups[name], same.count == 1 else { continue }
                players[people[0].id] = same[0].id
                known.removeAll { $0.id == same[0].id }
            }
            unpaired.removeAll { players[$0.id] != nil }
        }
    }

    private static func isSame(_ ours: TeamInfo, _ theirs: TeamInfo) -> Bool {
        if letters(ours.name) == letters(theirs.name) { return true }
        guard let one = ours.abbreviation, let other = theirs.abbreviation else { return false }
        return one.uppercased() == other.uppercased()
    }

    private static func letters(_ name: String) -> String {
        String(String.UnicodeScalarView(name.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic }))
    }

    /// First letter and surname: `RG Sharma` and `Rohit Sharma`.
    private static func initials(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter }
        guard words.count > 1, let first = words.first?.first, let last = words.last else { return name.lowercased() }
        return "\(first) \(last)"
    }
}
