// The provider has the format as a text and as a number, and both include whether women play.

internal import MatchEngine

/// Reads the format, and whether women play.
enum EntitySportFormat {
    /// The format; a known text takes precedence over the number, and the number over an unknown text.
    ///
    /// - Throws: `AdapterError` when neither is known.
    static func format(of match: EntitySportMatch) throws(AdapterError) -> Format {
        if let format = match.formatStr.flatMap(Self.format) ?? match.format?.whole.flatMap({ numbers[$0] }) {
            return format
        }
        if let text = match.formatStr, !text.isEmpty {
            throw .unknownWord(path: "match:response.format_str", word: text)
        }
        throw .unknownWord(path: "match:response.format", word: match.format?.whole.map { String($0) } ?? "")
    }

    private static func format(named text: String) -> Format? {
        var word = text.lowercased().filter { $0.isLetter || $0.isNumber }
        for prefix in ["women", "woman", "youth", "other"] where word.hasPrefix(prefix) {
            word = String(word.dropFirst(prefix.count))
        }
        return Format(word: word) ?? (word.hasPrefix("s") ? Format(word: String(word.dropFirst())) : nil)
    }

    /// The provider's table; 11 is `Other`.
    private static let numbers: [Int: Format] = [
        1: .odi, 2: .test, 3: .t20i, 4: .listA, 5: .firstClass, 6: .t20, 7: .odi, 8: .t20, 9: .odi, 10: .t20,
        12: .listA, 13: .firstClass, 14: .t20, 15: .test, 16: .test, 17: .t10, 18: .hundred, 19: .hundred, 20: .t10,
        21: .t20i, 22: .t10,
    ]
    /// The numbers of women's formats.
    private static let womens: Set = [7, 8, 16, 19, 21, 22]

    /// Whether women play.
    static func isWomens(_ match: EntitySportMatch) -> Bool {
        let words = [match.formatStr, match.competition?.category].compactMap { $0?.lowercased() }
        return words.contains { $0.hasPrefix("wom") } || match.format?.whole.map(womens.contains) == true
    }
}
