// A provider that has lost its balls for a moment answers with everything around them, and with no ball.

import ScoreTypes

/// Takes the rows of the score out of a reply of any provider.
struct EmptiedLists {
    /// Names of the lists that hold balls, overs of balls or totals, at one provider or another.
    private static let names: Set<String> = ["balls", "commentaries", "overs", "score"]

    /// Whether only the last such list is emptied, such as that of the innings in play.
    let onlyLast: Bool

    /// The reply with its lists emptied; one that has none stays as it is.
    func body(of body: [UInt8]) -> [UInt8] {
        guard let whole = try? JSONElement(parsing: body, .lenient) else { return body }
        var lists: [JSONElement] = []
        find(in: whole, &lists)
        let chosen = onlyLast ? lists.suffix(1) : lists[...]
        var emptied = body
        // From the end to the beginning, so that the places of those before stay.
        for list in chosen.reversed() {
            emptied.replaceSubrange(list.range, with: Array((list.isArray ? "[]" : #"{"data":[]}"#).utf8))
        }
        return emptied
    }

    /// Collects the lists in the order of the text.
    private func find(in value: JSONElement, _ lists: inout [JSONElement]) {
        for element in value.elements ?? [] { find(in: element, &lists) }
        for (name, value) in value.members ?? [] {
            if Self.isOfScore(name, value) { lists.append(value) } else { find(in: value, &lists) }
        }
    }

    /// Lists of objects only, bare or inside `data`: some names stand for numbers too.
    private static func isOfScore(_ name: String, _ value: JSONElement) -> Bool {
        names.contains(name) && (value["data"] ?? value).elements?.first?.isObject == true
    }
}
