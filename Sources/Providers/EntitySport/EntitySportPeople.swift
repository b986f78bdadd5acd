// This provider numbers its people and lists their names apart from what they do.

internal import MatchEngine

/// The people of a match by number, and by the name that texts call them.
struct EntitySportPeople {
    private var known: [Int: Player] = [:]
    private var byShortName: [String: Int] = [:]

    /// Takes in a list; people who are known already keep their names.
    mutating func add(_ players: [EntitySportPlayer]?) {
        for player in (players ?? []).prefix(EntitySportLimits.playersMax) {
            guard let id = player.id.whole, known[id] == nil,
                let name = [player.title, player.shortName].compactMap(\.self).first(where: { !$0.isEmpty })
            else { continue }
            known[id] = Player(id: String(id), name: FeedText.clean(name))
            if let short = player.shortName { byShortName[short] = id }
        }
    }

    /// A person; one whom no list names goes by what the ball's text calls him or her, else by number.
    func player(_ id: Int, calledBy text: String? = nil) -> Player {
        if let player = known[id] { return player }
        let name = text.map(FeedText.clean).flatMap { $0.isEmpty ? nil : $0 } ?? "Player \(id)"
        return Player(id: String(id), name: name)
    }

    /// The name of a number; nil when no list has it.
    func name(_ id: Int) -> String? { known[id]?.name }

    /// The whole name of somebody whom a text calls by a short one.
    func name(calling text: String) -> String { byShortName[text].flatMap(name) ?? FeedText.clean(text) }
}

/// What a number of a reply may be at most; beyond it the reply is a mistake or an attack.
enum EntitySportLimits {
    /// Innings with super overs: four, or two and a dozen super overs, with room.
    static let inningsMax = 40
    /// People in one list: two squads with all their officials.
    static let playersMax = 400
    /// The number of an over; the longest innings ever had 335.
    static let oversMax = 9_999
    /// The label of a ball; the longest over known had 77.
    static let ballsMax = 500
    /// Runs of one kind on one ball; the most ever claimed is 286.
    static let runsMax = 999
    /// Runs of a target.
    static let totalMax = 99_999
    /// Matches in one list.
    static let matchesMax = 10_000
}
