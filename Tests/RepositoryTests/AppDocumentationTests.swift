// Each code block of the page for app developers is a part of the example app.

import Foundation
import Testing

@Suite struct AppDocumentationTests {
    /// A part of the example between `// begin NAME` and `// end NAME`, without its common indentation.
    private struct Part: Sendable {
        let name: Substring
        let text: String

        static func all(in file: SourceFile) -> [Part] {
            file.lines.indices.compactMap { number in
                guard let name = file.lines[number].firstMatch(of: #/^ *\/\/ begin (\w+)$/#)?.1,
                    let count = file.lines[number...].firstIndex(where: { $0.hasSuffix("// end \(name)") })
                else { return nil }
                let lines = file.lines[(number + 1)..<count]
                let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
                return Part(name: name, text: lines.map { $0.dropFirst(indentation) + "\n" }.joined())
            }
        }
    }

    private static let example = Repository.files(below: "Examples/ScoreBoard", ending: ".swift")

    @Test func codeBlocksAreThoseOfTheExample() throws {
        let page = try Repository.text(of: "docs/ios.md")
        let parts = Self.example.flatMap(Part.all)
        let opened = Self.example.flatMap { $0.lines(with: "// begin ") }
        #expect(parts.count == opened.count, "a part of the example has no end")
        for part in parts {
            let block = "<!-- example: \(part.name) -->\n```swift\n\(part.text)```\n"
            #expect(page.components(separatedBy: block).count == 2, "docs/ios.md does not have once:\n\(block)")
        }
        // Every other block would not be compared.
        #expect(page.components(separatedBy: "```swift").count - 1 == parts.count)
    }

    @Test func theFilesOfTheExampleKeepTheRulesOfStyle() {
        for file in Self.example {
            #expect(file.lines.first?.hasPrefix("// ") == true, "\(file.path) does not open with its purpose")
            for (number, line) in file.lines.enumerated() where line.count > StyleTests.lineColumnsMax {
                Issue.record("\(file.path):\(number + 1) has \(line.count) columns")
            }
        }
    }
}
