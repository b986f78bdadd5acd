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
            for (number, line) in file.lines.enumerated() where line.utf8.count > Self.lineColumnsMax {
                // A regular expression cannot be broken.
                if line.has("#/") || line.count <= Self.lineColumnsMax { continue }
                Issue.record("\(file.path):\(number + 1) has \(line.count) columns")
            }
        }
    }

    @Test func filesOpenWithTheirPurpose() {
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

    /// Texts that shipped code does not contain as words, and their replacements.
    static let banned: [(text: String, instead: String)] = [
        ("try!", "throw or handle"),
        ("as!", "as? with an error"),
        ("fatalError(", "a typed error"),
        ("precondition(", "a typed error"),
        ("preconditionFailure(", "a typed error"),
        ("assertionFailure(", "a typed error"),
        ("Task.detached", "a service in the group"),
        ("DispatchQueue", "an actor or an OwnedThread"),
        ("TODO", "an implementation"),
        ("FIXME", "an implementation"),
    ]

    @Test("S31: the sources contain no banned call") func sourcesContainNoBannedCall() throws {
        for (text, instead) in Self.banned {
            let isWord = text.last?.isLetter == true
            let word = try Regex(#"\b"# + NSRegularExpression.escapedPattern(for: text) + (isWord ? #"\b"# : ""))
            for file in Repository.sources {
                for (number, line) in file.lines(with: text) where line.firstMatch(of: word) != nil {
                    Issue.record("\(file.path):\(number + 1) has \(text); write \(instead)")
                }
            }
        }
    }

    /// An assignment through an optional chain takes its place before its value is awaited: other calls of the actor
    /// then read a collection in the middle of a change.
    private static func awaitsInside(_ text: String) -> [Substring] {
        text.matches(of: #/\?\.[\w.\[\]()?, ]*\s[-+*\/]?=\s+(?:try[?!]?\s+)?await\b/#).map(\.0)
    }

    @Test func noAssignmentThroughAnOptionalChainAwaits() {
        #expect(Self.awaitsInside("known[key]?.items[kind] = try await read(kind)").count == 1)
        #expect(Self.awaitsInside("known[key]?.count +=\n    await read()").count == 1)
        #expect(Self.awaitsInside("let item = try await read(kind)\nknown[key]?.items[kind] = item").isEmpty)
        #expect(Self.awaitsInside("let first = try await read(key)?.count").isEmpty)
        for file in Repository.sources {
            for found in Self.awaitsInside(file.lines.joined(separator: "\n")) {
                Issue.record("\(file.path): \(found): await the value first, and assign it then")
            }
        }
    }

    @Test func onlyCommandsPrint() {
        for file in Repository.sources {
            if ["Sources/ScoreServer/Commands/", "Sources/ScoreLab/Commands/"].contains(where: file.path.hasPrefix) {
                continue
            }
            for (number, line) in file.lines(with: "rint(", "dump(")
            where line.contains(#/(^|[^.\w])(print|debugPrint|dump)\(/#) {
                Issue.record("\(file.path):\(number + 1) prints")
            }
        }
    }

    @Test func uncheckedSendabilityHasAReason() {
        for file in Repository.sources {
            for (number, _) in file.lines(with: "@unchecked Sendable", "nonisolated(unsafe)") {
                let above = file.lines[..<number].last { !$0.trimmingCharacters(in: .whitespaces).isEmpty } ?? ""
                #expect(above.contains("//"), "\(file.path):\(number + 1) has no comment that says why it holds")
            }
        }
    }

    @Test func testsNeverSleep() {
        for file in Repository.tests {
            if file.path.hasSuffix("StyleTests.swift") { continue }
            for (number, line) in file.lines(with: "Task.sleep", "usleep(", "Thread.sleep")
            where !line.has("// deadline") {
                Issue.record("\(file.path):\(number + 1) sleeps; wait for an event with a deadline")
            }
        }
    }

    @Test func folderNamesAreNouns() {
        let names: Set<Substring> = ["Utils", "Util", "Helper", "Manager", "Shared", "Misc"]
        let bad = (Repository.sources + Repository.tests).filter {
            !names.isDisjoint(with: $0.path.split(separator: "/"))
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
            guard line.has("func ") || line.has("init"), let match = line.firstMatch(of: opening) else { continue }
            let closing = String(match.1) + "}"
            guard !line.hasSuffix("}"),
                let end = lines[(number + 1)...].firstIndex(where: { $0.hasPrefix(closing) }),
                // A requirement of a protocol has no body: the next declaration follows at its indentation.
                !lines[(number + 1)..<end].contains(where: { $0.firstMatch(of: opening)?.1 == match.1 })
            else { continue }
            spans.append(FunctionSpan(start: number, lineCount: end - number + 1))
        }
        return spans
    }
}
