// Rules that the code does not keep everywhere yet: how many violations it may have.

import Testing

/// A rule whose violations are counted.
enum CountedRule {
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

    /// Most violations in all targets together, so that files can move between targets; lower it with the code.
    var maximum: Int {
        switch self {
        case .metaphors: 4
        case .riddles: 4
        case .messages: 0
        case .testComments: 0
        case .testNames: 0
        case .errors: 0
        case .parameters: 0
        case .limits: 1
        }
    }

    /// Fails when there are more violations than the maximum, and prints how many each target has.
    ///
    /// - Parameters:
    ///   - violations: All violations of the rule.
    ///   - location: The test.
    func check(_ violations: [Violation], location: SourceLocation = #_sourceLocation) {
        let byTarget = Dictionary(grouping: violations, by: \.target).sorted { $0.key < $1.key }
        let counts = byTarget.map { "\($0.key) \($0.value.count)" }.joined(separator: ", ")
        print("\(self): \(violations.count), at most \(maximum) (\(counts))")
        guard violations.count > maximum else { return }
        let list = violations.map(\.description).joined(separator: "\n")
        Issue.record("\(violations.count), at most \(maximum): \(text): \(counts)\n\(list)", sourceLocation: location)
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
