// Balls name people and sides by number; names stand in the line-up and on the cards.

internal import MatchEngine

/// The people and sides of a fixture.
struct SportmonksPeople: Sendable {
    /// Most people that one fixture names.
    static let peopleMax = 500

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
        guard lineup.count <= Self.peopleMax else {
            throw .outOfRange(path: "data.lineup", expected: "at most \(Self.peopleMax) players")
        }
        for player in squads.all { add(player) }
        for player in lineup {
            add(player)
            if player.lineup?.substitution?.value == true { bench.insert(player.id) } else { eleven.insert(player.id) }
        }
        for row in fixture.batting?.rows.prefix(Self.peopleMax) ?? [] {
            for include in [row.batsman, row.catchstump, row.runoutby] { add(include?.thing) }
        }
        for row in fixture.bowling?.rows.prefix(Self.peopleMax) ?? [] { add(row.bowler?.thing) }
    }

    private mutating func add(_ player: SportmonksPlayer?) {
        guard let player, let name = player.name else { return }
        known[player.id] = Player(id: String(player.id), name: FeedText.clean(name))
    }

    /// A person; one whom nothing names is called by number until something does.
    func player(_ id: Int) -> Player { known[id] ?? Player(id: String(id), name: "Player \(id)") }

    /// A person who may not be given; nobody has an empty id.
    func player(ifGiven id: Int?) -> Player { id.map(player) ?? Player(id: "", name: "") }

    /// Whether somebody is no member of an eleven.
    func isSubstitute(_ id: Int) -> Bool { bench.contains(id) || !eleven.isEmpty && !eleven.contains(id) }

    /// The side of a team that has to play.
    func side(_ team: Int, at path: @autoclosure () -> String) throws(AdapterError) -> Side {
        if team == local { return .first }
        if team == visitor { return .second }
        throw .contradiction(path: path(), expected: "localteam_id or visitorteam_id")
    }
}
