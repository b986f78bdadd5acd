// Ids of teams and players stand in many places of a snapshot; one walk replaces all of them.

/// Replaces the ids of teams and players; their names stay.
public struct Renaming {
    private let team: (String) -> String
    private let player: (String) -> String
    private var people: [Player: Player] = [:]

    /// Makes a renaming.
    ///
    /// - Parameters:
    ///   - team: The new id of a team, by its id.
    ///   - player: The new id of a player, by its id.
    public init(team: @escaping (String) -> String, player: @escaping (String) -> String) {
        self.team = team
        self.player = player
    }

    /// Replaces the ids in a snapshot.
    ///
    /// - Parameter snapshot: The snapshot.
    /// - Returns: A copy with other ids.
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
        return renamed
    }

    /// Replaces the ids of a team and its players.
    ///
    /// - Parameter info: The team.
    /// - Returns: A copy with other ids.
    public mutating func named(_ info: TeamInfo) -> TeamInfo {
        var renamed = info
        renamed.id = team(info.id)
        renamed.players = info.players.map { named($0) }
        renamed.keeper = info.keeper.map(player)
        return renamed
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
        let renamed = id == person.id ? person : Player(id: id, name: person.name)
        people[person] = renamed
        return renamed
    }
}
