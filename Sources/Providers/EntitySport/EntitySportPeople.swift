// Balls have the ids of people; the names are in lists of their own.

internal import MatchEngine
internal import ScoreTypes

/// The people of a match by id and by short name.
struct EntitySportPeople {
    private var known: [Int: Player] = [:]
    private var byShortName: [String: Int] = [:]

    /// Adds a list; people who are known keep their names.
    mutating func add(_ players: [EntitySportPlayer]?) {
        for player in (players ?? []).prefix(EntitySportLimits.playersMax) {
            guard let id = player.pid.whole, known[id] == nil,
                let name = [player.title, player.shortName].compactMap(\.self).first(where: { !$0.isEmpty })
            else { continue }
            known[id] = Player(id: String(id), name: SafeText.clean(name))
            if let short = player.shortName { byShortName[short] = id }
        }
    }

    /// A person; without an entry in a list the name is that of the ball's text, else the id.
    func player(_ id: Int, calledBy text: String? = nil) -> Player {
        if let player = known[id] { return player }
        let name = text.map(SafeText.clean).flatMap { $0.isEmpty ? nil : $0 } ?? "Player \(id)"
        return Player(id: String(id), name: name)
    }

    /// The name of an id; nil when no list has it.
    func name(_ id: Int) -> String? { known[id]?.name }

    /// The full name of a short one; the short one when no list has it.
    func name(calling text: String) -> String { byShortName[text].flatMap(name) ?? SafeText.clean(text) }
}

/// Upper bounds of the numbers in a reply; a larger number refuses the reply.
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
