// Providers know people and teams by number; a number made out of the name is the same in every reply.

import MatchEngine
internal import Providers
internal import ScoreTypes

/// Numbers for the people and teams of a document.
struct ShapeNumbers {
    private let document: CricsheetDocument
    private let teams: [Int]

    init(_ document: CricsheetDocument) {
        self.document = document
        let numbers = [document.info.teams.first, document.info.teams.last].map { Self.small($0 ?? "") }
        teams = [numbers[0], numbers[0] == numbers[1] ? numbers[1] + 1 : numbers[1]]
    }

    /// The number of a team.
    func team(_ side: Side) -> Int { teams[side.rawValue] }

    /// The number of the season.
    var season: Int {
        Self.small("\(document.info.event?.name ?? "")/\(document.info.season?.characters ?? "")")
    }

    /// The number of a player.
    func player(_ player: Player) -> Int { Self.number(player.id) }

    /// The number of a person by name.
    func person(_ name: String) -> Int { Self.number(document.personID(name)) }

    /// The number of a match: its id where that is one.
    static func match(_ id: ProviderMatchID) -> Int { Int(id.text) ?? 1 + Int(FNV1a.hash32(id.text.utf8)) }

    private static func small(_ name: String) -> Int { 1 + Int(FNV1a.hash32(name.utf8) % 90_000) }

    /// The register's ids are written in eight hexadecimal digits; others get numbers above all of those.
    private static func number(_ id: String) -> Int {
        if id.utf8.count == 8, let number = Int(id, radix: 16) { return number + 1 }
        return Int(FNV1a.hash32(id.utf8)) + 1 << 33
    }
}
