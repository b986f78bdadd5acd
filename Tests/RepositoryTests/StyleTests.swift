// Checks the lengths, opening comments and banned calls of all Swift files.

import Foundation
import Testing

@Suite struct StyleTests {
    static let fileLinesMax = 350
    static let functionLinesMax = 60
    static let lineColumnsMax = 120

    @Test func filesStayShort() {
        for file in Repository.sources + Repository.tests {
            #expect(file.lines.count <= Self.fileLinesMax + 1, "\(file.path) has \(file.lines.count) lines")
            for (number, line) in file.lines.enumerated() where line.count > Self.lineColumnsMax {
                // A regular expression cannot be broken.
                if line.contains("#/") { continue }
                Issue.record("\(file.path):\(number + 1) has \(line.count) columns")
            }
        }
    }

    @Test func filesOpenWithTheReasonForThem() {
        for file in Repository.sources {
            let first = file.lines.first ?? ""
            #expect(first.hasPrefix("// ") && first.count > 20, "\(file.path) opens with: \(first)")
        }
    }

    @Test func functionsStayShort() {
        for file in Repository.sources + Repository.tests {
            for function in FunctionSpan.all(in: file.lines) where function.lineCount > Self.functionLinesMax {
                Issue.record("\(file.path):\(function.start + 1) spans \(function.lineCount) lines")
            }
        }
    }

    /// Expressions that shipped code does not contain, and their replacements.
    static let banned: [(pattern: String, instead: String)] = [
        (#"\btry!"#, "throw or handle"),
        (#"\bas!"#, "as? with an error"),
        (#"\bfatalError\("#, "a typed error"),
        (#"\bprecondition(Failure)?\("#, "a typed error"),
        (#"\bassertionFailure\("#, "a typed error"),
        (#"\bTask\.detached\b"#, "a service in the group"),
        (#"\bDispatchQueue\b"#, "an actor or an OwnedThread"),
        (#"\bTODO\b|\bFIXME\b"#, "an implementation"),
    ]

    @Test func sourcesContainNoBannedCall() throws {
        for file in Repository.sources {
            for (pattern, instead) in Self.banned {
                let expression = try Regex(pattern)
                for (number, line) in file.lines.enumerated() where line.firstMatch(of: expression) != nil {
                    Issue.record("\(file.path):\(number + 1) has \(pattern); write \(instead)")
                }
            }
        }
    }

    @Test func onlyCommandsPrint() {
        for file in Repository.sources {
            if file.path.contains(#/^Sources/Score(Server|Lab)/Commands//#) { continue }
            for (number, line) in file.lines.enumerated() where line.contains(#/(^|[^.\w])(print|debugPrint|dump)\(/#) {
                Issue.record("\(file.path):\(number + 1) prints")
            }
        }
    }

    @Test func uncheckedSendabilityHasAReason() {
        for file in Repository.sources {
            for (number, line) in file.lines.enumerated()
            where line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") {
                let above = file.lines[..<number].last { !$0.trimmingCharacters(in: .whitespaces).isEmpty } ?? ""
                #expect(above.contains("//"), "\(file.path):\(number + 1) has no comment that says why it holds")
            }
        }
    }

    @Test func testsNeverSleep() {
        for file in Repository.tests {
            if file.path.hasSuffix("StyleTests.swift") { continue }
            for (number, line) in file.lines.enumerated()
            where line.contains(#/Task\.sleep|\busleep\(|Thread\.sleep/#) && !line.contains("// deadline") {
                Issue.record("\(file.path):\(number + 1) sleeps; wait for an event with a deadline")
            }
        }
    }

    @Test func folderNamesAreNouns() {
        let bad = (Repository.sources + Repository.tests).filter {
            $0.path.contains(#/(Utils|Util|Helper|Manager|Shared|Misc)/#)
        }
        #expect(bad.isEmpty, "\(bad)")
    }
}

/// The lines of one function, found by its `func` or `init` line and the brace that closes at the same indentation.
struct FunctionSpan {
    let start: Int
    let lineCount: Int

    static func all(in lines: [String]) -> [FunctionSpan] {
        let opening = #/^(\s*)(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\(\w+\))?\s+)*(?:func\s|init[?(<]|deinit\b)/#
        var spans: [FunctionSpan] = []
        for (number, line) in lines.enumerated() {
            guard let match = line.firstMatch(of: opening) else { continue }
            let closing = String(match.1) + "}"
            guard !line.hasSuffix("}"),
                let end = lines[(number + 1)...].firstIndex(where: { $0.hasPrefix(closing) })
            else { continue }
            spans.append(FunctionSpan(start: number, lineCount: end - number + 1))
        }
        return spans
    }
}
