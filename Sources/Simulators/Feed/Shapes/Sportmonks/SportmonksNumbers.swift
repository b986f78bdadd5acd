// Sportmonks knows people and teams by number; a number made out of the name is the same in every reply.

import MatchEngine
import ScoreIngest

/// Numbers for the people and teams of a document.
struct SportmonksNumbers {
    private let document: CricsheetDocument
    private let teams: [Int]

    init(_ document: CricsheetDocument) {
        self.document = document
        let first = 1 + Int(Self.hash(document.info.teams.first ?? "") % 90_000)
        let second = 1 + Int(Self.hash(document.info.teams.last ?? "") % 90_000)
        teams = [first, first == second ? second + 1 : second]
    }

    /// The number of a team.
    func team(_ side: Side) -> Int { teams[side.rawValue] }

    /// The number of the season.
    var season: Int {
        let event = document.info.event?.name ?? ""
        return 1 + Int(Self.hash("\(event)/\(document.info.season?.characters ?? "")") % 90_000)
    }

    /// The number of a player: the register's, which is written in eight hexadecimal digits, else one of the name.
    func player(_ player: Player) -> Int { Self.number(player.id) }

    /// The number of a person by name.
    func person(_ name: String) -> Int { Self.number(document.personID(name)) }

    private static func number(_ id: String) -> Int {
        if id.utf8.count == 8, let number = Int(id, radix: 16) { return number + 1 }
        return Int(hash(id)) + 1 << 33
    }

    /// FNV-1a in 32 bits.
    private static func hash(_ text: String) -> UInt32 {
        text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
