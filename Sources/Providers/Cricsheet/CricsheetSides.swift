// Cricsheet identifies people and teams by name; the model needs ids and sides.

internal import MatchEngine
internal import ScoreTypes

/// The two sides of a document and the ids of all its people.
struct CricsheetSides: Sendable, Equatable {
    let names: [String]
    private let ids: [String: String]

    init(_ info: CricsheetInfo) throws(AdapterError) {
        guard info.teams.count == 2, info.teams[0] != info.teams[1] else {
            throw .outOfRange(path: "info.teams", expected: "two different teams")
        }
        names = info.teams
        ids = info.registry?.people ?? [:]
    }

    /// The side of a team's name; nil for another name.
    func side(_ name: String) -> Side? { names.firstIndex(of: name).flatMap(Side.init) }

    /// The side of a team's name.
    func side(_ name: String, at path: @autoclosure () -> String) throws(AdapterError) -> Side {
        guard let side = side(name) else {
            throw .contradiction(path: path(), expected: "one of the two names in info.teams")
        }
        return side
    }

    /// A person by name, with Cricsheet's id where the file has one.
    func player(_ name: String) -> Player {
        let cleaned = SafeText.clean(name)
        return Player(id: SafeText.clean(ids[name] ?? cleaned), name: cleaned)
    }
}
