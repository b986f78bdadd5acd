// The statements on a table are in the target that owns it, so that a change of the table stays inside one target.

import Testing

@Suite struct TableOwnerTests {
    /// Code that inspects the store from outside, as a test does.
    static let inspections = ["Sources/ScoreLab/"]

    /// The target that owns each table, as the comments of `sql/` name it; views may be read by every target.
    static func owners() -> [String: String] {
        var owners = ["schema_migration": "Postgres"]
        for file in Repository.files(below: "sql", ending: ".up.sql") {
            var writer: String?
            for line in file.lines {
                if let match = line.firstMatch(of: #/^-- Written: (\w+)/#) { writer = String(match.1) }
                guard let match = line.firstMatch(of: #/^create table (\w+)/#) else { continue }
                owners[String(match.1)] = writer ?? ""
                writer = nil
            }
        }
        return owners
    }

    private static let verbs: Set<Substring> = [
        "select", "insert", "update", "delete", "with", "copy", "truncate", "lock", "create", "alter", "drop",
    ]

    /// The string literals of a file that begin with a verb of SQL, comments left out.
    ///
    /// A literal of several lines is found by the quotes at the ends of its lines, one of a line by the quotes in it.
    static func statements(in file: SourceFile) -> [String] {
        var literals: [String] = []
        var open: [String]?
        for line in file.lines {
            let text = open == nil && !line.has("\"") ? "" : line.drop { $0 == " " }
            if let lines = open {
                open = text.hasPrefix("\"\"\"") ? nil : lines + [String(text)]
                if open == nil { literals.append(lines.joined(separator: "\n")) }
            } else if line.hasSuffix("\"\"\"") {
                open = []
            } else if !text.hasPrefix("//"), line.has("\"") {
                literals += line.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
            }
        }
        return literals.filter { verbs.contains($0.drop { $0 == " " }.prefix { $0.isLetter }) }
    }

    @Test func everyTableHasAnOwner() {
        let targets = Set(Repository.sources.map(\.target))
        let owners = Self.owners()
        #expect(owners.count > 20)
        for (table, owner) in owners { #expect(targets.contains(owner), "sql/ names no owner of \(table)") }
    }

    @Test func statementsAreInTheOwnerOfTheirTable() {
        let owners = Self.owners()
        let tables = #/\b(?:from|join|update|into|table|lock|truncate|copy)\s+(?:only\s+)?(\w+)/#
        for file in Repository.sources where !Self.inspections.contains(where: file.path.hasPrefix) {
            for statement in Self.statements(in: file) {
                for match in statement.matches(of: tables) {
                    let table = String(match.1)
                    guard let owner = owners[table], owner != file.target else { continue }
                    Issue.record("\(file.path) has a statement on \(table), which \(owner) owns")
                }
            }
        }
    }

    /// A renamed type is renamed in the comments of the schema too.
    @Test func theSchemaNamesDeclaredTypes() {
        let types = TypeNameTests.types(in: Repository.sources, topLevelOnly: false)
        for file in Repository.files(below: "sql", ending: ".sql") {
            for (_, line) in file.lines(with: "--") {
                for match in line.matches(of: #/`([A-Z]\w+)`/#) {
                    let type = String(match.1)
                    #expect(types[type] != nil, "\(file.path) names \(type), which Sources do not declare")
                }
            }
        }
    }
}
