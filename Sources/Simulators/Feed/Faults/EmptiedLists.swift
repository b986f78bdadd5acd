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
        var hasEmptied = false
        guard let whole = try? JSONSerialization.jsonObject(with: Data(body)),
            case let emptied = emptied(whole, &hasEmptied), hasEmptied,
            let data = try? JSONSerialization.data(
                withJSONObject: emptied,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
        else { return body }
        return Array(data)
    }

    /// Walks from the end to the beginning, so that the first list that it finds is the last one.
    private func emptied(_ value: Any, _ hasEmptied: inout Bool) -> Any {
        switch value {
        case let object as [String: Any]:
            var result = object
            for (key, value) in object.sorted(by: { $0.key > $1.key }) {
                if !Self.isOfScore(key, value) {
                    result[key] = emptied(value, &hasEmptied)
                } else if !onlyLast || !hasEmptied {
                    result[key] = value is [Any] ? [Any]() : ["data": [Any]()]
                    hasEmptied = true
                }
            }
            return result
        case let list as [Any]:
            var result: [Any] = []
            for value in list.reversed() { result.append(emptied(value, &hasEmptied)) }
            return Array(result.reversed())
        default: return value
        }
    }

    /// Lists of objects only, bare or inside `data`: some names stand for numbers too.
    private static func isOfScore(_ key: String, _ value: Any) -> Bool {
        let list = (value as? [String: Any])?["data"] ?? value
        return names.contains(key) && (list as? [Any])?.first is [String: Any]
    }
}
