// Comments are plain technical English: the project's former metaphors do not return.

import Foundation
import Testing

@Suite struct LanguageTests {
    /// Words of the metaphors.
    ///
    /// A word with a technical meaning (book, stage, word) is not listed.
    private static let words: Set<Substring> = [
        "tell", "tells", "told", "telling", "hear", "hears", "heard", "speak", "speaks", "bring", "brings",
        "ask", "asks", "asked", "asking", "whoever", "nobody", "somebody", "house", "room", "rooms", "village",
        "understudy", "standing", "dialect", "picture", "pictures", "desk", "desks", "door", "doors",
        "ladder", "ladders", "shelf", "shelves", "ledger", "ledgers", "trail", "trails",
    ]

    private static let phrases = ["let go", "lets go", "letting go", "of which"]

    private static let openings: Set<Substring> = ["Who", "Whoever", "Whose", "What", "Nobody", "Those"]

    /// Whether a text has such a word or phrase; an identifier such as `announced_moment` is a word of its own.
    private static func hasMetaphor(_ text: Substring) -> Bool {
        let text = text.lowercased()
        let parts = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return parts.contains(where: words.contains) || phrases.contains(where: text.has)
    }

    /// Whether a comment, or the description of a parameter in it, opens as a riddle.
    private static func isRiddle(_ text: Substring) -> Bool {
        var text = text
        if text.hasPrefix("- "), let colon = text.firstRange(of: ": ") { text = text[colon.upperBound...] }
        return openings.contains(text.prefix { $0.isLetter })
    }

    /// The comment lines of the sources for which a condition holds.
    private static func comments(where isBad: (Substring) -> Bool) -> [Violation] {
        Repository.sources.flatMap { file in
            file.lines.enumerated().compactMap { number, line in
                let trimmed = line.drop { $0 == " " }
                guard trimmed.hasPrefix("//") else { return nil }
                let text = trimmed.drop { $0 == "/" || $0 == " " }
                return isBad(text) ? Violation(file, line: number, text) : nil
            }
        }
    }

    @Test func commentsUseTheTermsOfTheField() {
        CountedRule.metaphors.check(Self.comments(where: Self.hasMetaphor))
    }

    @Test func commentsOpenWithTheirSubject() {
        CountedRule.riddles.check(Self.comments(where: Self.isRiddle))
    }

    @Test func schemaUsesTheTermsOfTheField() {
        for file in Repository.files(below: "sql", ending: ".sql") {
            for (number, line) in file.lines.enumerated() {
                guard let comment = line.firstRange(of: "--") else { continue }
                #expect(!Self.hasMetaphor(line[comment.upperBound...]), "\(file.path):\(number + 1) \(line)")
            }
        }
    }
}
