// Comments, messages and test names are plain technical English: the project's former metaphors do not return.

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

    /// The comment lines of some files for which a condition holds.
    private static func comments(in files: [SourceFile], where isBad: (Substring) -> Bool) -> [Violation] {
        files.flatMap { file in
            file.lines.enumerated().compactMap { number, line in
                let trimmed = line.drop { $0 == " " }
                guard trimmed.hasPrefix("//") else { return nil }
                let text = trimmed.drop { $0 == "/" || $0 == " " }
                return isBad(text) ? Violation(file, line: number, text) : nil
            }
        }
    }

    /// The texts between quotation marks and the lines of long literals of a file, comments left out.
    private static func literals(in file: SourceFile) -> [(line: Int, text: Substring)] {
        var literals: [(line: Int, text: Substring)] = []
        var isOpen = false
        for (number, line) in file.lines.enumerated() where isOpen || line.has("\"") {
            let text = line.drop { $0 == " " }
            if isOpen {
                isOpen = !text.hasPrefix("\"\"\"")
                literals.append((number, text))
            } else if line.hasSuffix("\"\"\"") {
                isOpen = true
            } else if !text.hasPrefix("//") {
                let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
                literals += parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { (number, $0.element) }
            }
        }
        return literals
    }

    /// The words of a name in camel case, in lower case.
    private static func parts(of name: Substring) -> [Substring] {
        let starts = [name.startIndex] + name.indices.dropFirst().filter { name[$0].isUppercase }
        let ends = starts.dropFirst() + [name.endIndex]
        return zip(starts, ends).map { Substring(name[$0..<$1].lowercased()) }
    }

    /// Whether the name of a function has a word of the metaphors or opens as a riddle.
    private static func isMetaphor(name: Substring) -> Bool {
        let parts = Self.parts(of: name)
        return parts.contains(where: words.contains) || openings.contains(parts[0].capitalized[...])
    }

    /// Whether the display name of a test has a metaphor or opens as a riddle; a number such as `F15:` may precede it.
    private static func isMetaphor(title: Substring) -> Bool {
        let text = title.firstRange(of: ": ").map { title[$0.upperBound...] } ?? title
        return hasMetaphor(title) || openings.contains(text.prefix { $0.isLetter }.capitalized[...])
    }

    @Test func commentsUseTheTermsOfTheField() {
        LanguageRule.metaphors.check(Self.comments(in: Repository.sources, where: Self.hasMetaphor))
    }

    @Test func commentsOpenWithTheirSubject() {
        LanguageRule.riddles.check(Self.comments(in: Repository.sources, where: Self.isRiddle))
    }

    @Test func commentsOfTestsUseTheTermsOfTheField() {
        let comments = Self.comments(in: Repository.tests) { Self.hasMetaphor($0) || Self.isRiddle($0) }
        LanguageRule.testComments.check(comments)
    }

    @Test func messagesUseTheTermsOfTheField() {
        let texts = Repository.sources.flatMap { file in
            // A score that is behind has this text.
            Self.literals(in: file).filter { _, text in
                text.split(separator: " ").count >= 3 && Self.hasMetaphor(text) && !text.contains("trail by")
            }
            .map { Violation(file, line: $0.line, $0.text) }
        }
        LanguageRule.messages.check(texts)
    }

    @Test func testNamesUseTheTermsOfTheField() {
        let names = Repository.tests.flatMap { file in
            file.lines(with: "func ").compactMap { number, line -> Violation? in
                guard let keyword = line.firstRange(of: "func ") else { return nil }
                let name = line[keyword.upperBound...].prefix { $0.isLetter || $0.isNumber }
                return Self.isMetaphor(name: name) ? Violation(file, line: number, name) : nil
            }
        }
        let titles = Repository.tests.flatMap { file in
            file.lines(with: "@Test(\"").compactMap { number, line -> Violation? in
                let title = line.split(separator: "\"").dropFirst().first ?? ""
                return Self.isMetaphor(title: title) ? Violation(file, line: number, title) : nil
            }
        }
        LanguageRule.testNames.check(names + titles)
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
