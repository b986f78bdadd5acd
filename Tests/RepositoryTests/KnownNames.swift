// Names that break a rule today; each list becomes shorter until it is empty.

import Testing

struct KnownNames: Sendable {
    let rule: String
    let names: Set<String>

    /// Fails for a name that breaks the rule and is not in the list; prints the names of the list that no longer do.
    ///
    /// - Parameters:
    ///   - found: The names that break the rule, with the paths of their files.
    ///   - location: The test.
    func check(_ found: [String: [String]], location: SourceLocation = #_sourceLocation) {
        for (name, places) in found.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            Issue.record("\(name): \(rule): \(places.joined(separator: ", "))", sourceLocation: location)
        }
        let gone = names.subtracting(found.keys).sorted()
        if !gone.isEmpty { print("remove from the list of known names: \(gone.joined(separator: ", "))") }
    }

    /// Types whose suffix is a metaphor.
    static let metaphors = KnownNames(
        rule: "the name of a type ends in a term of the field",
        names: ["FanoutStage", "Stage"]
    )

    /// Statements on tables of other targets, as "target: table".
    static let foreignTables = KnownNames(
        rule: "SQL stands in the target that owns the table",
        names: []
    )
}
