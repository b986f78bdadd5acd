// The limits of a target are declared in its `Limits.swift` and its aspects, where operators and reviewers find them.

import Testing

@Suite struct LimitsTests {
    private static func isLimits(_ file: SourceFile) -> Bool {
        file.path.hasSuffix("/Limits.swift") || file.path.has("/Limits+")
    }

    @Test func limitsAreDeclaredInOneFileOfATarget() {
        let limit =
            #/\bstatic\s+(?:let|var)\s+(\w*(?:Max|Min|Limit|Timeout|Interval|Capacity|Floor|Window|Grace)|max|min|limit|timeout|interval|capacity|floor|window|grace)\b/#
        var found: [Violation] = []
        for file in Repository.sources where !Self.isLimits(file) {
            for (number, line) in file.lines(with: "static ") {
                guard let match = line.firstMatch(of: limit) else { continue }
                found.append(Violation(file, line: number, match.1))
            }
        }
        LanguageRule.limits.check(found)
    }

    @Test func architectureLinksTheLimitsOfEachTarget() throws {
        let text = try Repository.text(of: "ARCHITECTURE.md")
        for file in Repository.sources where Self.isLimits(file) {
            #expect(text.has("](\(file.path))"), "ARCHITECTURE.md does not link \(file.path)")
        }
    }

    @Test func limitsAreUsedAndDocumented() {
        let files = Repository.sources.filter(Self.isLimits)
        let declared = files.flatMap { file in
            file.lines.indices.compactMap { number in
                file.lines[number].firstMatch(of: #/^\s+(?:(?:public|package)\s+)?static let (\w+)/#)
                    .map { (file: file, number: number, name: $0.1) }
            }
        }
        for (file, number, name) in declared {
            let place = "\(file.path):\(number + 1) \(name)"
            let above = number > 0 ? file.lines[number - 1].drop { $0 == " " } : ""
            #expect(above.hasPrefix("///"), "\(place) has no documentation")
            #expect(Self.isUsed(String(name)), "\(place) is not used")
        }
    }

    /// Whether the code of the sources has a name outside its declaration.
    private static func isUsed(_ name: String) -> Bool {
        Repository.sources.contains { file in
            file.lines(with: name).contains { _, line in
                if line.has("static let \(name) ") || line.has("static let \(name):") { return false }
                if line.drop(while: { $0 == " " }).hasPrefix("//") { return false }
                return line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains(Substring(name))
            }
        }
    }
}
