// Sportmonks knows people and teams by number; a number made out of the name is the same in every reply.

import MatchEngine
internal import Providers
internal import ScoreTypes

/// Numbers for the people and teams of a document.
struct SportmonksNumbers {
    private let document: CricsheetDocument
    private let teams: [Int]

    init(_ document: CricsheetDocument) {
        self.document = document
        let first = 1 + Int(FNV1a.hash32((document.info.teams.first ?? "").utf8) % 90_000)
        let second = 1 + Int(FNV1a.hash32((document.info.teams.last ?? "").utf8) % 90_000)
        teams = [first, first == second ? second + 1 : second]
    }

    /// The number of a team.
    func team(_ side: Side) -> Int { teams[side.rawValue] }

    /// The number of the season.
    var season: Int {
        let event = document.info.event?.name ?? ""
        return 1 + Int(FNV1a.hash32("\(event)/\(document.info.season?.characters ?? "")".utf8) % 90_000)
    }

    /// The number of a player: the register's, which is written in eight hexadecimal digits, else one of the name.
    func player(_ player: Player) -> Int { Self.number(player.id) }

    /// The number of a person by name.
    func person(_ name: String) -> Int { Self.number(document.personID(name)) }

    private static func number(_ id: String) -> Int {
        if id.utf8.count == 8, let number = Int(id, radix: 16) { return number + 1 }
        return Int(FNV1a.hash32(id.utf8)) + 1 << 33
    }
}
