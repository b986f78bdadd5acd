// Scoreboards are numbered S1 to S4 for two innings a side, and super overs stand above them.

internal import MatchEngine

/// Turns the number of a scoreboard into the ordinal of an innings.
struct SportmonksInningsOrder: Sendable {
    /// The greatest number of a scoreboard: four innings, or two, and a dozen super overs.
    static let numberMax = 40

    let format: Format

    /// `S5` is the first super over's first innings: the third innings of a match of one innings a side.
    func ordinal(of scoreboard: String, at path: @autoclosure () -> String) throws(AdapterError) -> Int {
        guard scoreboard.hasPrefix("S"), let number = Int(scoreboard.dropFirst()) else {
            throw .unknownWord(path: path(), word: scoreboard)
        }
        return try ordinal(of: number, at: path())
    }

    /// The ordinal of an innings by its number.
    func ordinal(of number: Int, at path: @autoclosure () -> String) throws(AdapterError) -> Int {
        guard (1...Self.numberMax).contains(number) else {
            throw .outOfRange(path: path(), expected: "1 to \(Self.numberMax)")
        }
        return format.isLimitedOvers && number > 4 ? number - 2 : number
    }

    /// Which super over an innings belongs to, from 1; nil for an ordinary one.
    func superOver(_ ordinal: Int) -> Int? {
        let ordinary = format.inningsPerMatch
        return ordinal > ordinary ? (ordinal - ordinary + 1) / 2 : nil
    }
}
