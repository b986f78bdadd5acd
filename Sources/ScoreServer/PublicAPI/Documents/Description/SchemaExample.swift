// A reader understands a body faster by an example, which its schema gives.

import ScoreTypes

/// Makes examples of schemas.
struct SchemaExample: Sendable {
    /// Levels of an example; deeper objects are empty.
    private static let levels = 6

    let description: APIDescription

    /// A value of the schema: its `example`, else its default or first choice, else one made of its members.
    func value(of schema: JSONValue, level: Int = 0) -> JSONValue {
        guard let schema = description.resolved(schema), level < Self.levels else { return .object([]) }
        let given = schema.member("example") ?? schema.member("const") ?? schema.member("default")
        if let given = given ?? schema.member("enum")?.asElements?.first { return given }
        for word in ["oneOf", "anyOf", "allOf"] {
            if let first = schema.member(word)?.asElements?.first { return value(of: first, level: level) }
        }
        let type = schema.member("type")
        switch type?.asElements?.first?.asText ?? type?.asText {
        case "object": return object(of: schema, level: level)
        case "array": return .array(schema.member("items").map { [value(of: $0, level: level + 1)] } ?? [])
        case "integer": return schema.member("minimum") ?? .integer(0)
        case "number": return schema.member("minimum") ?? .number(0)
        case "boolean": return .bool(true)
        default: return .text(Self.text(format: schema.member("format")?.asText))
        }
    }

    /// JSON with one member or element a line.
    static func indented(_ value: JSONValue, by indent: String = "") -> String {
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.map { member in
                "\(inner)\(JSONValue.text(member.name).written): \(indented(member.value, by: inner))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where elements.contains { $0.asMembers != nil || $0.asElements != nil }:
            let lines = elements.map { inner + indented($0, by: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        default: return value.written
        }
    }

    private func object(of schema: JSONValue, level: Int) -> JSONValue {
        if let properties = schema.member("properties")?.asMembers {
            return .object(
                properties.map { JSONValue.Member(name: $0.name, value: value(of: $0.value, level: level + 1)) }
            )
        }
        guard let values = schema.member("additionalProperties"), values.asMembers != nil else { return .object([]) }
        return .object([JSONValue.Member(name: "name", value: value(of: values, level: level + 1))])
    }

    private static func text(format: String?) -> String {
        switch format {
        case "date-time": "2026-03-01T14:00:00Z"
        case "date": "2026-03-01"
        case "uuid": "11112222-3333-4444-8888-9999aaaabbbb"
        case "uri-reference": "/v1/problems/not-found"
        default: "text"
        }
    }
}

extension JSONValue {
    /// The value as JSON in one line.
    fileprivate var written: String { String(decoding: bytes, as: UTF8.self) }
}
