// Balls have the ids of people and teams; names are in the line-up and the scorecards.

internal import MatchEngine
internal import ScoreTypes

/// The people and sides of a fixture.
struct SportmonksPeople: Sendable, Hashable {
    private let local: Int
    private let visitor: Int
    private var known: [Int: Player] = [:]
    private var bench: Set<Int> = []
    private var eleven: Set<Int> = []

    init(_ fixture: SportmonksFixture, _ squads: SportmonksSquads = SportmonksSquads()) throws(AdapterError) {
        local = fixture.localteamId
        visitor = fixture.visitorteamId
        guard local != visitor else {
            throw .contradiction(path: "data.visitorteam_id", expected: "another team than localteam_id")
        }
        let lineup = fixture.lineup?.rows ?? []
        try AdapterError.check(lineup, atMost: AdapterLimits.people, at: "data.lineup")
        for player in squads.all { add(player) }
        for player in lineup {
            add(player)
            if player.lineup?.substitution?.value == true { bench.insert(player.id) } else { eleven.insert(player.id) }
        }
        for row in fixture.batting?.rows.prefix(AdapterLimits.people) ?? [] {
            for include in [row.batsman, row.catchstump, row.runoutby] { add(include?.thing) }
        }
        for row in fixture.bowling?.rows.prefix(AdapterLimits.people) ?? [] { add(row.bowler?.thing) }
    }

    private mutating func add(_ player: SportmonksPlayer?) {
        guard let player, let name = player.name else { return }
        known[player.id] = Player(id: String(player.id), name: SafeText.clean(name))
    }

    /// A person; without a name the id is the name.
    func player(_ id: Int) -> Player { known[id] ?? Player(id: String(id), name: "Player \(id)") }

    /// A person; an empty id and name for nil.
    func player(ifGiven id: Int?) -> Player { id.map(player) ?? Player(id: "", name: "") }

    /// Whether a person is in neither eleven.
    func isSubstitute(_ id: Int) -> Bool { bench.contains(id) || !eleven.isEmpty && !eleven.contains(id) }

    /// The side of a team id.
    func side(_ team: Int, at path: @autoclosure () -> String) throws(AdapterError) -> Side {
        if team == local { return .first }
        if team == visitor { return .second }
        throw .contradiction(path: path(), expected: "localteam_id or visitorteam_id")
    }
}
