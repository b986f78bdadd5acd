// The Dynamic Island has space for two to four letters of a side; the names of the two sides have to differ.

/// The short names of both sides of a match: two to four characters each, and different from each other.
public struct Abbreviations: Sendable, Hashable {
    /// Of `Side.first`.
    public let first: String
    /// Of `Side.second`.
    public let second: String

    /// Takes the feed's short names, else the common ones, else derives them from the names.
    ///
    /// - Parameter info: The facts of the match.
    public init(_ info: MatchInfo) {
        let one = Self.candidates(info.team(.first), spare: "1")
        let two = Self.candidates(info.team(.second), spare: "2")
        first = one[0]
        second = two.first { $0 != one[0] } ?? "TBC2"
    }

    /// The short name of a side.
    public subscript(side: Side) -> String { side == .first ? first : second }

    /// Short names in order of preference; never empty, the last is the least likely to equal that of the other side.
    static func candidates(_ team: TeamInfo, spare: Character) -> [String] {
        let words = Self.words(of: team.name)
        let letters = words.joined()
        var found: [String?] = [team.abbreviation.map { Self.characters(of: $0) }, KnownTeams.abbreviation(of: words)]
        if let first = words.first, let last = words.last, words.count > 1 {
            found.append(String(words.prefix(4).compactMap(\.first)))
            found += [String(first.prefix(2) + last.prefix(2)), String(first.prefix(1) + last.prefix(3))]
        }
        let start = String(letters.prefix(3))
        found += [start, String(letters.prefix(2) + letters.suffix(1)), start + String(spare), "TBC", "TBC\(spare)"]
        return found.compactMap { $0 }.filter { (2...4).contains($0.unicodeScalars.count) }
    }

    /// Letters and digits in upper case, at most four.
    private static func characters(of text: String) -> String {
        String(text.prefix(64).uppercased().filter { $0.isLetter || $0.isNumber }.prefix(4))
    }

    /// Words of a name in upper case, without words that do not distinguish sides.
    static func words(of name: String) -> [String] {
        let left: Set<String> = ["WOMEN", "MEN", "AND", "OF", "THE", "CRICKET", "CLUB", "XI", "A"]
        let all = name.prefix(128).uppercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let kept = all.filter { !left.contains($0) }
        return kept.isEmpty ? all : kept
    }
}
