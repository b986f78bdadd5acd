// One name has one meaning in the whole project, and it is a noun of the field.

import Testing

@Suite struct TypeNameTests {
    private static let keywords = ["struct ", "class ", "enum ", "actor ", "protocol ", "typealias "]

    /// Finds the declarations of types.
    ///
    /// - Parameters:
    ///   - files: The files to read.
    ///   - topLevelOnly: Whether to leave out types inside of other types.
    /// - Returns: The paths of the files of each name, one a declaration.
    static func types(in files: [SourceFile], topLevelOnly: Bool) -> [String: [String]] {
        let declaration =
            #/^(\s*)(?:(?:public|package|internal|fileprivate|private|final|indirect|nonisolated|@\w+(?:\([^)]*\))?)\s+)*(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)/#
        var places: [String: [String]] = [:]
        for file in files {
            for line in file.lines where keywords.contains(where: line.has) {
                guard let match = line.firstMatch(of: declaration), !topLevelOnly || match.1.isEmpty else { continue }
                places[String(match.2), default: []].append(file.path)
            }
        }
        return places
    }

    @Test func topLevelTypesHaveDifferentNames() {
        let types = Self.types(in: Repository.sources, topLevelOnly: true)
        #expect(types.count > 500)
        for (name, places) in types where places.count > 1 { Issue.record("\(name) stands in \(places)") }
    }

    @Test func typesAreNamedByTermsOfTheField() {
        let types = Self.types(in: Repository.sources + Repository.tests, topLevelOnly: false)
        let suffixes = [
            "Desk", "Join", "Door", "Book", "Rooms", "Stage", "Keeper", "Shelf", "Ladder", "Ledger", "Trail",
        ]
        // `Stage` is a word of the snapshot contract.
        for (name, places) in types where name != "Stage" && suffixes.contains(where: name.hasSuffix) {
            Issue.record("\(name) ends in a metaphor: \(places)")
        }
    }
}
