// A schema in words: one line for a type, and one row for each member of an object.

import ScoreTypes

/// Describes schemas for people.
struct SchemaText: Sendable {
    /// A part of a line; one with a schema's name links to it.
    struct Part: Sendable, Hashable {
        let text: String
        var schema: String?
    }

    /// A member of an object; members of an inner object have its name before theirs.
    struct Row: Sendable {
        let name: String
        let isRequired: Bool
        let type: [Part]
        let description: String
    }

    /// Levels of inner objects that a table lists; deeper ones are shown as their type.
    private static let levels = 3

    let description: APIDescription

    /// The type and its constraints.
    func type(of schema: JSONValue) -> [Part] {
        if let name = APIDescription.referencedName(schema) { return [Part(text: name, schema: name)] }
        for word in ["oneOf", "anyOf", "allOf"] {
            guard let choices = schema.member(word)?.asElements else { continue }
            let glue = Part(text: word == "allOf" ? " and " : " or ")
            return Array(choices.map { type(of: $0) }.joined(separator: [glue]))
        }
        if let words = schema.member("enum")?.asElements {
            let list = words.map(\.plainText).joined(separator: " | ")
            return [Part(text: list + constraints(of: schema, ["default"]))]
        }
        let name = Self.typeName(schema)
        if name == "array", let items = schema.member("items") {
            return [Part(text: "array\(constraints(of: schema, ["minItems", "maxItems"])) of ")] + type(of: items)
        }
        if name == "object", let values = schema.member("additionalProperties"), values.asMembers != nil {
            return [Part(text: "map of ")] + type(of: values)
        }
        let words = ["minLength", "maxLength", "minimum", "maximum", "pattern", "default"]
        let format = schema.member("format").map { " (\($0.plainText))" } ?? ""
        return [Part(text: name + format + constraints(of: schema, words))]
    }

    /// The members of an object, with those of inner objects.
    func rows(of schema: JSONValue, under prefix: String = "", level: Int = 0) -> [Row] {
        let required = Set((schema.member("required")?.asElements ?? []).compactMap(\.asText))
        return (schema.member("properties")?.asMembers ?? []).flatMap { property -> [Row] in
            let row = Row(
                name: prefix + property.name,
                isRequired: required.contains(property.name),
                type: type(of: property.value),
                description: property.value.member("description")?.asText ?? ""
            )
            guard level < Self.levels else { return [row] }
            let (inner, mark) = property.value.member("items").map { ($0, "[].") } ?? (property.value, ".")
            return [row] + rows(of: inner, under: row.name + mark, level: level + 1)
        }
    }

    private static func typeName(_ schema: JSONValue) -> String {
        guard let type = schema.member("type") else { return "any value" }
        return type.asElements?.map(\.plainText).joined(separator: " or ") ?? type.plainText
    }

    private func constraints(of schema: JSONValue, _ words: [String]) -> String {
        words.compactMap { word in schema.member(word).map { ", \(word) \($0.plainText)" } }.joined()
    }
}
