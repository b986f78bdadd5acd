// A docstring documents the errors of a function, and the meaning of each parameter.

import Testing

@Suite struct DocumentationTests {
    @Test func publicFunctionsDocumentWhatTheyThrow() {
        var found: [Violation] = []
        for file in Repository.sources {
            for function in PublicFunction.all(in: file.lines) where function.throwsErrors {
                if function.documentation.contains(where: { $0.contains("- Throws:") }) { continue }
                found.append(Violation(file, line: function.line, file.lines[function.line].drop { $0 == " " }))
            }
        }
        LanguageRule.errors.check(found)
    }

    @Test func parametersAreDocumentedByTheirMeaning() {
        var found: [Violation] = []
        for file in Repository.sources {
            for (number, line) in file.lines(with: "ot needed") {
                if line.contains(#/^\s*///.*\b[Nn]ot needed\b/#) { found.append(Violation(file, line: number, line)) }
            }
        }
        LanguageRule.parameters.check(found)
    }
}

/// A public function or initializer with the comment above it.
struct PublicFunction {
    /// The index of its first line.
    let line: Int
    let documentation: [String]
    let throwsErrors: Bool

    static func all(in lines: [String]) -> [PublicFunction] {
        let opening =
            #/^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|package)\s+(?:[a-z]+(?:\(\w+\))?\s+)*(?:func\b|init[?(<]|subscript\b)/#
        let candidates = lines.indices.filter { lines[$0].has("public ") || lines[$0].has("package ") }
        return candidates.filter { lines[$0].contains(opening) }.map { number in
            var first = number
            while first > 0, lines[first - 1].contains(#/^\s*(?:///|@)/#) { first -= 1 }
            return PublicFunction(
                line: number,
                documentation: Array(lines[first..<number]),
                throwsErrors: throwsErrors(lines[number...].prefix(20))
            )
        }
    }

    /// Whether `throws` stands after the parameter list, before the body.
    private static func throwsErrors(_ lines: ArraySlice<String>) -> Bool {
        var depth = 0
        var effects = ""
        var isPastParameters = false
        for line in lines {
            for character in line {
                switch character {
                case "(": depth += 1
                case ")":
                    depth -= 1
                    if depth == 0 { isPastParameters = true }
                case "{" where depth == 0: return effects.contains(#/\b(?:re)?throws\b/#)
                default: if depth == 0, isPastParameters { effects.append(character) }
                }
            }
            if depth == 0, isPastParameters, !line.hasSuffix(",") { effects.append(" ") }
        }
        return false
    }
}
