// A provider that has lost its balls for a moment answers with everything around them, and with no ball.

import Foundation

/// Takes the rows of the score out of a reply, whosever it is.
struct EmptiedLists {
    /// Names of the lists that hold balls, overs of balls or totals, at one provider or another.
    private static let names: Set<String> = ["balls", "commentaries", "overs", "score"]

    /// Whether only the last such list is emptied, as that of the innings in play.
    let onlyLast: Bool

    /// The reply with its lists emptied; one that has none stays as it is.
    func body(of body: [UInt8]) -> [UInt8] {
        guard let whole = try? JSONSerialization.jsonObject(with: Data(body)) else { return body }
        let count = Self.count(in: whole)
        guard count > 0 else { return body }
        var left = count
        let emptied = emptied(whole, left: &left)
        let data = try? JSONSerialization.data(
            withJSONObject: emptied,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return data.map(Array.init) ?? body
    }

    /// Lists that are to be emptied, counted in the order in which `emptied` meets them.
    private static func count(in value: Any) -> Int {
        switch value {
        case let object as [String: Any]:
            object.reduce(0) { $0 + (isOfScore($1.key, $1.value) ? 1 : count(in: $1.value)) }
        case let list as [Any]: list.reduce(0) { $0 + count(in: $1) }
        default: 0
        }
    }

    private func emptied(_ value: Any, left: inout Int) -> Any {
        switch value {
        case let object as [String: Any]:
            var result = object
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                if Self.isOfScore(key, value) {
                    left -= 1
                    if !onlyLast || left == 0 { result[key] = value is [Any] ? [Any]() : ["data": [Any]()] }
                } else {
                    result[key] = emptied(value, left: &left)
                }
            }
            return result
        case let list as [Any]:
            var result: [Any] = []
            for value in list { result.append(emptied(value, left: &left)) }
            return result
        default: return value
        }
    }

    /// Lists of objects only, bare or inside `data`: some names stand for numbers too.
    private static func isOfScore(_ key: String, _ value: Any) -> Bool {
        let list = (value as? [String: Any])?["data"] ?? value
        return names.contains(key) && (list as? [Any])?.first is [String: Any]
    }
}
