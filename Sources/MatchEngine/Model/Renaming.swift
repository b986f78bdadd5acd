// Ids of teams and players stand in many places of a snapshot; one walk replaces all of them.

/// Replaces the ids of teams and players, and the names of those that are known.
public struct Renaming {
    private let team: (String) -> String
    private let player: (String) -> String
    private let knownTeams: [String: TeamInfo]
    private let knownPlayers: [String: Player]
    private var people: [Player: Player] = [:]

    /// Makes a renaming.
    ///
    /// - Parameters:
    ///   - team: The new id of a team, by its id.
    ///   - player: The new id of a player, by its id.
    ///   - knownTeams: Teams whose names, abbreviations and colors are kept, by their new ids.
    ///   - knownPlayers: Players whose names are kept, by their new ids.
    public init(
        team: @escaping (String) -> String,
        player: @escaping (String) -> String,
        knownTeams: [String: TeamInfo] = [:],
        knownPlayers: [String: Player] = [:]
    ) {
        self.team = team
        self.player = player
        self.knownTeams = knownTeams
        self.knownPlayers = knownPlayers
    }

    /// Replaces the ids in a snapshot, and the names of known teams and players.
    ///
    /// - Parameter snapshot: The snapshot.
    /// - Returns: A copy with other ids and names.
    public mutating func apply(to snapshot: MatchSnapshot) -> MatchSnapshot {
        var renamed = snapshot
        renamed.info.teams = snapshot.info.teams.map { named($0) }
        for index in renamed.innings.indices {
            renamed.innings[index].absent = snapshot.innings[index].absent.map { named($0) }
            guard let crease = snapshot.innings[index].crease else { continue }
            renamed.innings[index].crease?.striker = crease.striker.map { named($0) }
            renamed.innings[index].crease?.nonStriker = crease.nonStriker.map { named($0) }
        }
        for index in renamed.deliveries.indices { rename(&renamed.deliveries[index]) }
        let names = replacedNames
        guard !names.isEmpty else { return renamed }
        for index in renamed.deliveries.indices { Self.renameFielders(of: &renamed.deliveries[index], names) }
        return renamed
    }

    /// Replaces the ids of a team and its players, and the names of those that are known.
    ///
    /// - Parameter info: The team.
    /// - Returns: A copy with other ids and names.
    public mutating func named(_ info: TeamInfo) -> TeamInfo {
        let id = team(info.id)
        let known = knownTeams[id]
        return TeamInfo(
            id: id,
            name: known?.name ?? info.name,
            abbreviation: known?.abbreviation ?? info.abbreviation,
            color: known?.color ?? info.color,
            players: info.players.map { named($0) },
            keeper: info.keeper.map(player)
        )
    }

    private mutating func rename(_ ball: inout Delivery) {
        ball.striker = named(ball.striker)
        ball.nonStriker = named(ball.nonStriker)
        ball.bowler = named(ball.bowler)
        for index in ball.dismissals.indices { ball.dismissals[index].out = named(ball.dismissals[index].out) }
        for index in ball.reviews.indices {
            ball.reviews[index].batter = ball.reviews[index].batter.map { named($0) }
        }
        for index in ball.replacements.indices {
            ball.replacements[index].incoming = named(ball.replacements[index].incoming)
            ball.replacements[index].outgoing = ball.replacements[index].outgoing.map { named($0) }
        }
    }

    /// One value for each person, since the fold is quick where two are one and the same.
    private mutating func named(_ person: Player) -> Player {
        if let known = people[person] { return known }
        let id = player(person.id)
        let renamed = knownPlayers[id] ?? (id == person.id ? person : Player(id: id, name: person.name))
        people[person] = renamed
        return renamed
    }

    /// The names that were replaced; a name of two people that have different names now is not among them.
    private var replacedNames: [String: String] {
        Dictionary(grouping: people) { $0.key.name }.compactMapValues { pairs -> String? in
            let names = Set(pairs.map { $0.value.name })
            guard names.count == 1, let name = names.first, name != pairs[0].key.name else { return nil }
            return name
        }
    }

    /// Replaces the names of fielders, who have no ids.
    private static func renameFielders(of ball: inout Delivery, _ names: [String: String]) {
        let fielders = ball.dismissals.flatMap(\.fielders).compactMap(\.name)
        guard fielders.contains(where: { names[$0] != nil }) else { return }
        ball.dismissals = ball.dismissals.map { dismissal in
            let fielders = dismissal.fielders.map { fielder in
                Fielder(name: fielder.name.map { names[$0] ?? $0 }, isSubstitute: fielder.isSubstitute)
            }
            return Dismissal(kind: dismissal.kind, out: dismissal.out, fielders: fielders)
        }
    }
}
