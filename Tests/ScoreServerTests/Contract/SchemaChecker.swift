// Checks values against the part of JSON Schema that openapi.yaml uses; an unknown keyword is a complaint.

import ScoreTypes

@testable import ScoreServer

/// Compares values with schemas.
struct SchemaChecker: Sendable {
    private static let annotations: Set<String> = ["description", "title", "example", "default"]

    let description: APIDescription

    /// The differences between a value and a schema; each begins with the place of the value.
    func complaints(about value: JSONValue, _ reference: JSONValue, at place: String) -> [String] {
        guard let schema = description.resolved(reference) else { return ["\(place): the reference leads nowhere"] }
        if case .bool(let isAllowed) = schema { return isAllowed ? [] : ["\(place): is not allowed"] }
        return (schema.asMembers ?? []).flatMap { keyword -> [String] in
            let (name, rule) = (keyword.name, keyword.value)
            guard !Self.annotations.contains(name) else { return [] }
            switch name {
            case "allOf": return (rule.asElements ?? []).flatMap { complaints(about: value, $0, at: place) }
            case "anyOf", "oneOf":
                let matches = (rule.asElements ?? []).count { complaints(about: value, $0, at: place).isEmpty }
                let isRight = name == "anyOf" ? matches > 0 : matches == 1
                return isRight ? [] : ["\(place): matches \(matches) schemas of \(name)"]
            case "required", "properties", "additionalProperties", "minProperties", "maxProperties":
                guard let members = value.asMembers else { return [] }
                return complaints(about: members, name, rule, of: schema, at: place)
            case "items", "minItems", "maxItems":
                guard let elements = value.asElements else { return [] }
                return complaints(about: elements, name, rule, at: place)
            default:
                guard let isRight = Self.holds(name, rule, value) else {
                    return ["\(place): the keyword \(name) is not checked"]
                }
                return isRight ? [] : ["\(place): \(value.plainText.prefix(80)) breaks \(name) \(rule.plainText)"]
            }
        }
    }

    private func complaints(
        about members: [JSONValue.Member],
        _ keyword: String,
        _ rule: JSONValue,
        of schema: JSONValue,
        at place: String
    ) -> [String] {
        switch keyword {
        case "required":
            let names = Set(members.map(\.name))
            return (rule.asElements ?? []).compactMap(\.asText).filter { !names.contains($0) }
                .map { "\(place): the member \($0) is missing" }
        case "properties":
            return members.flatMap { member in
                rule.member(member.name).map { complaints(about: member.value, $0, at: "\(place)/\(member.name)") }
                    ?? []
            }
        case "additionalProperties":
            let known = schema.member("properties")
            return members.filter { known?.member($0.name) == nil }
                .flatMap { complaints(about: $0.value, rule, at: "\(place)/\($0.name)") }
        default:
            let count = Int64(members.count)
            let isRight = keyword == "minProperties" ? rule.int.map { count >= $0 } : rule.int.map { count <= $0 }
            return isRight == true ? [] : ["\(place): \(count) members break \(keyword)"]
        }
    }

    private func complaints(
        about elements: [JSONValue],
        _ keyword: String,
        _ rule: JSONValue,
        at place: String
    ) -> [String] {
        if keyword == "items" {
            return elements.enumerated().flatMap { complaints(about: $1, rule, at: "\(place)/\($0)") }
        }
        let count = Int64(elements.count)
        let isRight = keyword == "minItems" ? rule.int.map { count >= $0 } : rule.int.map { count <= $0 }
        return isRight == true ? [] : ["\(place): \(count) elements break \(keyword)"]
    }

    /// Whether a scalar keeps a rule, which holds for values of other types; nil for an unknown keyword.
    private static func holds(_ keyword: String, _ rule: JSONValue, _ value: JSONValue) -> Bool? {
        switch keyword {
        case "type":
            let names = rule.asElements?.compactMap(\.asText) ?? [rule.plainText]
            return names.contains { isOfType($0, value) }
        case "enum": return rule.asElements?.contains(value) ?? false
        case "const": return rule == value
        case "minLength": return length(of: value).map { $0 >= (rule.int ?? .max) } ?? true
        case "maxLength": return length(of: value).map { $0 <= (rule.int ?? 0) } ?? true
        case "minimum": return number(value).map { $0 >= (number(rule) ?? .infinity) } ?? true
        case "maximum": return number(value).map { $0 <= (number(rule) ?? -.infinity) } ?? true
        case "pattern": return value.asText.map { matches($0, rule.plainText) } ?? true
        case "format": return formHolds(rule.plainText, value)
        default: return nil
        }
    }

    private static func isOfType(_ name: String, _ value: JSONValue) -> Bool {
        switch (name, value) {
        case ("object", .object), ("array", .array), ("string", .text), ("boolean", .bool), ("null", .null): true
        case ("integer", .integer), ("number", .integer), ("number", .number): true
        default: false
        }
    }

    private static func length(of value: JSONValue) -> Int64? { value.asText.map { Int64($0.unicodeScalars.count) } }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard let regex = try? Regex(pattern) else { return false }
        return text.firstMatch(of: regex) != nil
    }

    /// Whether a value has a format; nil for a format that no rule here names.
    private static func formHolds(_ name: String, _ value: JSONValue) -> Bool? {
        guard let text = value.asText else { return ["int32", "int64"].contains(name) ? true : nil }
        return switch name {
        case "date-time": matches(text, #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"#)
        case "date": matches(text, #"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"#)
        case "uuid": matches(text, "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        case "uri-reference": matches(text, #"^[!-~]+$"#)
        default: nil
        }
    }
}
