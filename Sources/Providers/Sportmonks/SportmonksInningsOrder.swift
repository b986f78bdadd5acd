// Scoreboards are numbered S1 to S4 for two innings a side; super overs have higher numbers.

internal import MatchEngine

/// Converts the number of a scoreboard into the ordinal of an innings.
struct SportmonksInningsOrder: Sendable, Hashable {
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
        try AdapterError.check(number, in: 1...AdapterLimits.innings, at: path())
        return format.isLimitedOvers && number > 4 ? number - 2 : number
    }

    /// The number of the super over of an innings, from 1; nil for an ordinary innings.
    func superOver(_ ordinal: Int) -> Int? {
        let ordinary = format.inningsPerMatch
        return ordinal > ordinary ? (ordinal - ordinary + 1) / 2 : nil
    }
}
