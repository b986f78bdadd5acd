// EntitySport knows people and teams by number; a number made out of the name is the same in every reply.

import MatchEngine
internal import Providers
internal import ScoreTypes

/// Numbers for the people and teams of a document.
struct EntitySportNumbers {
    private let document: CricsheetDocument
    private let teams: [Int]

    init(_ document: CricsheetDocument) {
        self.document = document
        let numbers = document.info.teams.map { 1 + Int(FNV1a.hash32($0.utf8) % 90_000) }
        let first = numbers.first ?? 1
        let second = numbers.last ?? 2
        teams = [first, first == second ? second + 1 : second]
    }

    /// The number of a team.
    func team(_ side: Side) -> Int { teams[side.rawValue] }

    /// The number of a player.
    func player(_ player: Player) -> Int { Self.number(player.id) }

    /// The number of a person by name.
    func person(_ name: String) -> Int { Self.number(document.personID(name)) }

    /// The number of a match: its id where that is one.
    static func match(_ id: ProviderMatchID) -> Int { Int(id.text) ?? 1 + Int(FNV1a.hash32(id.text.utf8)) }

    /// The register's ids are written in eight hexadecimal digits; others get numbers above all of those.
    private static func number(_ id: String) -> Int {
        if id.utf8.count == 8, let number = Int(id, radix: 16) { return number + 1 }
        return Int(FNV1a.hash32(id.utf8)) + 1 << 33
    }
}
