// Pages show the same values as the admin API, so the API's values are the contexts of the templates.

import ScoreTypes

/// Values of templates.
enum ConsoleContext {
    /// A JSON value as a context; a null is absent.
    static func value(_ json: JSONValue) -> Any? {
        switch json {
        case .object: members(json)
        case .array(let elements): elements.compactMap(value)
        case .text(let text): text
        case .integer(let integer): integer
        case .number(let number): number
        case .bool(let bool): bool
        case .null: nil
        }
    }

    /// The members of an object as a context.
    static func members(_ json: JSONValue) -> [String: Any] {
        var context: [String: Any] = [:]
        for member in json.asMembers ?? [] { context[member.name] = value(member.value) }
        return context
    }

    /// A line of a list of facts; nil without a value.
    static func fact(_ name: String, _ value: String?, tone: String = "") -> [String: Any]? {
        value.map { ["name": name, "value": $0, "isTime": false, "tone": tone] }
    }

    /// A line of a list of facts that is a time; nil without one.
    static func fact(_ name: String, at time: String?) -> [String: Any]? {
        time.map { ["name": name, "value": $0, "isTime": true] }
    }

    /// A number with a comma before each group of three digits.
    static func grouped(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// A time of the API in RFC 3339.
    static func text(_ json: JSONValue?, _ name: String) -> String? { json?.member(name)?.asText }

    /// A whole number of the API; 0 without one.
    static func number(_ json: JSONValue?, _ name: String) -> Int64 {
        if case .integer(let number) = json?.member(name) { number } else { 0 }
    }
}
