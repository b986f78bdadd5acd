// Balls have the ids of people; the names are in lists of their own.

internal import MatchEngine
internal import ScoreTypes

/// The people of a match by id and by short name.
struct EntitySportPeople: Sendable, Hashable {
    private var known: [Int: Player] = [:]
    private var byShortName: [String: Int] = [:]

    /// Adds a list; people who are known keep their names.
    mutating func add(_ players: [EntitySportPlayer]?) {
        for player in (players ?? []).prefix(AdapterLimits.people) {
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
