// The rules of language and documentation; a failure lists all violations by target.

import Testing

/// A rule of language or documentation.
enum LanguageRule {
    case metaphors, riddles, messages, testComments, testNames, errors, parameters, limits

    /// The rule in words, for messages.
    var text: String {
        switch self {
        case .metaphors: "a comment uses the terms of the field"
        case .riddles: "a sentence opens with its subject"
        case .messages: "a message or help text uses the terms of the field"
        case .testComments: "a comment of a test uses the terms of the field and opens with its subject"
        case .testNames: "a test name uses the terms of the field and opens with its subject"
        case .errors: "a public function that throws documents it under - Throws:"
        case .parameters: "a parameter is documented by its meaning and unit"
        case .limits: "a limit is declared in Limits.swift"
        }
    }

    /// Fails when there are violations.
    ///
    /// - Parameters:
    ///   - violations: All violations of the rule.
    ///   - location: The test.
    func check(_ violations: [Violation], location: SourceLocation = #_sourceLocation) {
        guard !violations.isEmpty else { return }
        let byTarget = Dictionary(grouping: violations, by: \.target).sorted { $0.key < $1.key }
        let counts = byTarget.map { "\($0.key) \($0.value.count)" }.joined(separator: ", ")
        let list = violations.map(\.description).joined(separator: "\n")
        Issue.record("\(text), violations: \(counts)\n\(list)", sourceLocation: location)
    }
}

/// One place that breaks a rule.
struct Violation: Sendable, CustomStringConvertible {
    let target: String
    /// Path, line and the text that breaks the rule.
    let description: String

    init(_ file: SourceFile, line: Int, _ text: some StringProtocol) {
        target = file.target
        description = "\(file.path):\(line + 1) \(text)"
    }
}
