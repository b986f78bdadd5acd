// Without an alias, players of the same name in the same side are taken for the same person.

public import MatchEngine

/// The ids and names under which a match is stored, by the ids that another provider gives its teams and players.
public struct NameMatching {
    /// The stored match.
    private let record: MatchRecord
    /// The match's team ids by the snapshot's, where they differ.
    private(set) var teams: [String: String] = [:]
    /// The same of players.
    private(set) var players: [String: String] = [:]
    /// Whether both sides of the snapshot are sides of the match.
    public private(set) var hasSameSides: Bool

    /// Compares the sides of another provider's snapshot or list with those of a stored match.
    public init(_ listed: [TeamInfo], in record: MatchRecord) {
        self.record = record
        hasSameSides = record.info == nil
        guard let known = record.info?.teams, known.count == 2, listed.count == 2 else { return }
        var found: [String?] = []
        for team in listed {
            let same = known.first { $0.id == team.id } ?? known.first { Self.isSame($0, team) }
            found.append(same?.id)
            guard let same else { continue }
            if same.id != team.id { teams[team.id] = same.id }
            note(team.players, among: same.players)
        }
        hasSameSides = Set(found.compactMap(\.self)).count == 2
    }

    /// The snapshot with the match's ids, and with the stored names of the teams and people that the match has.
    ///
    /// Another name for the same person would change the words of announced alerts.
    func apply(to snapshot: MatchSnapshot) -> MatchSnapshot {
        guard let info = record.info else { return snapshot }
        let known = Dictionary(info.teams.map { ($0.id, $0) }) { first, _ in first }
        var renaming = renaming(knownTeams: known, knownPlayers: record.people)
        return renaming.apply(to: snapshot)
    }

    /// The entry of a list with the match's ids.
    func apply(to fixture: Fixture) -> Fixture {
        var (renaming, named) = (renaming(), fixture)
        named.teams = fixture.teams.map { renaming.named($0) }
        return named
    }

    private func renaming(
        knownTeams: [String: TeamInfo] = [:],
        knownPlayers: [String: Player] = [:]
    ) -> Renaming {
        Renaming(
            team: { teams[$0] ?? $0 },
            player: { players[$0] ?? $0 },
            knownTeams: knownTeams,
            knownPlayers: knownPlayers
        )
    }

    /// Matches players one to one: by id, then by the whole name, then by initials.
    private mutating func note(_ theirs: [Player], among ours: [Player]) {
        let reported = Set(theirs.map(\.id))
        var seen = Set(ours.map(\.id))
        var known = ours.filter { !reported.contains($0.id) }
        var strange = theirs.filter { seen.insert($0.id).inserted }
        for form in [Self.letters, Self.initials] {
            let groups = Dictionary(grouping: known) { form($0.name) }
            for (name, people) in Dictionary(grouping: strange, by: { form($0.name) }) {
                // Brothers with one initial need an alias.
                guard people.count == 1, let same = groups[name], same.count == 1 else { continue }
                players[people[0].id] = same[0].id
                known.removeAll { $0.id == same[0].id }
            }
            strange.removeAll { players[$0.id] != nil }
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

extension MatchRecord {
    /// The people of the match by id, with the name of the newest ball, else of the crease, else of the line-up.
    fileprivate var people: [String: Player] {
        var people: [String: Player] = [:]
        for person in info?.teams.flatMap(\.players) ?? [] { people[person.id] = person }
        for crease in innings.compactMap(\.crease) {
            for person in [crease.striker, crease.nonStriker].compactMap(\.self) { people[person.id] = person }
        }
        for ball in deliveries {
            for person in [ball.striker, ball.nonStriker, ball.bowler] { people[person.id] = person }
            for dismissal in ball.dismissals { people[dismissal.out.id] = dismissal.out }
        }
        return people.filter { $0.value.isNamed }
    }
}

extension Player {
    /// Whether it has a name; a feed that has none writes `Player 812`, or its key of the player.
    fileprivate var isNamed: Bool {
        let isKey = name.hasSuffix(id) && id.contains { $0.isNumber || $0 == "_" }
        return !id.isEmpty && !name.isEmpty && !isKey
    }
}
