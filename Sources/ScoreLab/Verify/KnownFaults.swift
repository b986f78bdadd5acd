// Published files have mistakes of their own; each that is known stands in a committed list with its reason.

import CDocuments
import Foundation

/// Matches whose published result or balls are at fault, by id.
struct KnownFaults: Sendable {
    private let reasons: [String: String]

    /// The list that this version was built with: `docs/special_cases.md`.
    static var committed: KnownFaults {
        var count = 0
        guard let start = special_cases_document(&count) else { return KnownFaults(markdown: "") }
        return KnownFaults(markdown: String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    }

    /// Reads the rows `| id | format | reason |` of a page; all else of it is for people.
    init(markdown: String) {
        var reasons: [String: String] = [:]
        for line in markdown.split(whereSeparator: \.isNewline) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 3, let id = cells[0].split(separator: " ").first, id.contains(where: \.isNumber) else {
                continue
            }
            reasons[String(id)] = cells[2]
        }
        self.reasons = reasons
    }

    /// Why a match may disagree; nil when it may not.
    subscript(_ id: String) -> String? { reasons[id] }

    /// How many matches the list has.
    var count: Int { reasons.count }
}
