// Rules that the code does not keep everywhere yet: how many violations each target may have, and which names.

import Testing

/// A rule whose violations are counted.
enum CountedRule: Int, CaseIterable {
    case metaphors, riddles, errors, parameters, limits

    /// The rule in words, for messages.
    var text: String {
        switch self {
        case .metaphors: "a comment uses the terms of the field"
        case .riddles: "a sentence opens with its subject"
        case .errors: "a public function that throws documents it under - Throws:"
        case .parameters: "a parameter is documented by its meaning and unit"
        case .limits: "a limit is declared in Limits.swift"
        }
    }
}

enum Maxima {
    /// Most violations by target and rule, in the order of ``CountedRule``; lower a number when the code allows it.
    ///
    /// A target without a row is limited by the total alone, so that files can move to a new target. The numbers are
    /// rounded up to fives; ScoreTypes has room for nouns that move there.
    static let table = """
        target          metaphors  riddles  errors  parameters  limits
        LiveSurface     15         45       35      0           5
        ScoreTypes      40         40       15      0           20
        MatchEngine     100        95       10      0           20
        Postgres        50         45       40      0           20
        HTTP2           20         15       0       0           20
        FollowService   80         95       50      0           35
        PushDispatcher  145        95       15      0           70
        ScoreIngest     695        385      10      30          150
        Simulators      190        130      5       0           35
        ScoreServer     260        175      0       0           95
        total           1565       1080     155     30          435
        """

    private static let rows: [String: [Int]] = Dictionary(
        uniqueKeysWithValues: table.split(separator: "\n").dropFirst().map { row in
            let cells = row.split(separator: " ")
            return (String(cells[0]), cells.dropFirst().compactMap { Int($0) })
        }
    )

    /// Most violations of a rule in a target, or in all targets for "total"; nil without a row.
    static func maximum(of rule: CountedRule, in target: String) -> Int? { rows[target]?[rule.rawValue] }

    /// Fails when a target or the sum of all targets exceeds its maximum, and prints how far the sum is below it.
    ///
    /// - Parameters:
    ///   - violations: All violations of the rule.
    ///   - rule: The rule.
    ///   - location: The test.
    static func check(_ violations: [Violation], of rule: CountedRule, location: SourceLocation = #_sourceLocation) {
        let found = Dictionary(grouping: violations, by: \.target).sorted { $0.key < $1.key }
        for (target, places) in found {
            guard let most = maximum(of: rule, in: target), places.count > most else { continue }
            let list = places.prefix(60).map(\.description).joined(separator: "\n")
            Issue.record("\(target): \(places.count), at most \(most): \(rule.text)\n\(list)", sourceLocation: location)
        }
        let counts = found.map { "\($0.key) \($0.value.count)" }.joined(separator: ", ")
        let most = maximum(of: rule, in: "total") ?? 0
        print("\(rule): \(violations.count), \(most - violations.count) below the maximum (\(counts))")
        #expect(violations.count <= most, "\(rule.text): \(counts)", sourceLocation: location)
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

@Suite struct MaximaTests {
    @Test func tableHasARowForTheSumAndAColumnForEachRule() {
        let columns = Maxima.table.prefix { $0 != "\n" }.split(separator: " ").dropFirst().map(String.init)
        #expect(columns == CountedRule.allCases.map { "\($0)" })
        let targets = Maxima.table.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first }
        #expect(targets.last == "total")
        for target in targets {
            for rule in CountedRule.allCases { #expect(Maxima.maximum(of: rule, in: String(target)) != nil) }
        }
    }
}
