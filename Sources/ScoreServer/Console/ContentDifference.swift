// An operator reads what a revision changed on phones, and not two documents side by side.

import ScoreTypes

/// The values in which two content states differ.
struct ContentDifference {
    /// One value.
    struct Value: Hashable {
        /// The members on the way to it, such as `expanded.teams.0.score`.
        let path: String
        /// nil when it was absent.
        let before: String?
        /// nil when it is absent.
        let after: String?
    }

    private(set) var values: [Value] = []

    /// Compares two documents; the revision itself is no difference.
    init(from before: JSONValue, to after: JSONValue) {
        compare(before, after, "")
        values.removeAll { $0.path == "rev" }
    }

    /// The context of the templates.
    var context: [[String: Any]] {
        values.prefix(ServerLimits.shownDifferences).map { value in
            // A long path breaks after a point.
            let names = value.path.split(separator: ".")
            var row: [String: Any] = ["names": names.dropLast().map { "\($0)." }, "lastName": String(names.last ?? "")]
            row["before"] = value.before
            row["after"] = value.after
            return row
        }
    }

    private mutating func compare(_ before: JSONValue?, _ after: JSONValue?, _ path: String) {
        guard before != after else { return }
        let (old, new) = (Self.children(before), Self.children(after))
        guard !old.isEmpty || !new.isEmpty, old.isEmpty == new.isEmpty || before == nil || after == nil else {
            values.append(Value(path: path, before: before.map(Self.text), after: after.map(Self.text)))
            return
        }
        let names = old.map(\.name) + new.map(\.name).filter { name in !old.contains { $0.name == name } }
        for name in names {
            let inner = path.isEmpty ? name : "\(path).\(name)"
            compare(old.first { $0.name == name }?.value, new.first { $0.name == name }?.value, inner)
        }
    }

    /// The members of an object, or the elements of an array by their numbers; a list of texts is one value.
    private static func children(_ value: JSONValue?) -> [JSONValue.Member] {
        if let members = value?.asMembers { return members }
        guard let elements = value?.asElements, elements.contains(where: { $0.asMembers != nil }) else { return [] }
        return elements.enumerated().map { JSONValue.Member(name: String($0), value: $1) }
    }

    private static func text(_ value: JSONValue) -> String {
        if let text = value.asText { return text }
        if let elements = value.asElements { return elements.map(text).joined(separator: " ") }
        return String(decoding: value.bytes, as: UTF8.self)
    }
}
