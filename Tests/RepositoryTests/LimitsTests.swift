// The limits of a target stand in its `Limits.swift`, where an operator or a reviewer finds all of them.

import Testing

@Suite struct LimitsTests {
    private static func isLimits(_ file: SourceFile) -> Bool { file.path.hasSuffix("/Limits.swift") }

    @Test func limitsAreDeclaredInOneFileOfATarget() {
        let limit =
            #/\bstatic\s+(?:let|var)\s+(\w*(?:Max|Min|Limit|Timeout|Interval|Capacity|Floor|Window|Grace)|max|min|limit|timeout|interval|capacity|floor|window|grace)\b/#
        var found: [Violation] = []
        for file in Repository.sources where !Self.isLimits(file) {
            for (number, line) in file.lines.enumerated() where line.contains("static ") {
                guard let match = line.firstMatch(of: limit) else { continue }
                found.append(Violation(file, line: number, match.1))
            }
        }
        CountedRule.limits.check(found)
    }

    @Test func limitsAreUsedAndDocumented() {
        let files = Repository.sources.filter(Self.isLimits)
        let declared = files.flatMap { file in
            file.lines.indices.compactMap { number in
                file.lines[number].firstMatch(of: #/^\s+(?:(?:public|package)\s+)?static let (\w+)/#)
                    .map { (file: file, number: number, name: $0.1) }
            }
        }
        let uses = Self.identifiers(in: Repository.sources, among: Set(declared.map(\.name)))
        for (file, number, name) in declared {
            let place = "\(file.path):\(number + 1) \(name)"
            let above = number > 0 ? file.lines[number - 1].drop { $0 == " " } : ""
            #expect(above.hasPrefix("///"), "\(place) has no documentation")
            #expect(uses[name, default: 0] > 1, "\(place) is not used")
        }
    }

    /// How often names stand in the code of files, comments left out.
    private static func identifiers(in files: [SourceFile], among names: Set<Substring>) -> [Substring: Int] {
        guard !names.isEmpty else { return [:] }
        var counts: [Substring: Int] = [:]
        for line in files.flatMap(\.lines) {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("//") { continue }
            for word in code.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") })
            where names.contains(word) {
                counts[word, default: 0] += 1
            }
        }
        return counts
    }
}
