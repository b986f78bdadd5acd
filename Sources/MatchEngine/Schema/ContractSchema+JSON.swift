// Generates the JSON Schema of a contract, draft 2020-12.

internal import ScoreTypes

extension ContractSchema {
    /// The JSON Schema of the contract.
    ///
    /// - Parameter refusesUnknownKeys: Whether keys that are not described are an error; the contract's own rule when
    ///   nil.
    /// - Returns: Indented JSON in UTF-8, with a newline at its end.
    public func jsonSchema(refusesUnknownKeys: Bool? = nil) -> [UInt8] {
        let isClosed = refusesUnknownKeys ?? isClosed
        let compact = JSONWriter.document(reservingBytes: 16_384) { writer in
            writer.field("$schema", "https://json-schema.org/draft/2020-12/schema")
            writer.field("title", title)
            switch root {
            case .object(let name): writer.field("$ref", "#/$defs/\(name)")
            case .oneOf(_, let names):
                writer.key("oneOf")
                writer.array { list in
                    for name in names { list.object { $0.field("$ref", "#/$defs/\(name)") } }
                }
            }
            writer.key("$defs")
            writer.object { definitions in
                for object in objects {
                    definitions.key(dynamic: object.name)
                    definitions.object { Self.write(object, isClosed: isClosed, to: &$0) }
                }
            }
        }
        return IndentedJSON.bytes(of: compact)
    }

    private static func write(_ object: SchemaObject, isClosed: Bool, to writer: inout JSONWriter) {
        writer.field("description", object.about)
        writer.field("type", "object")
        writer.key("properties")
        writer.object { properties in
            for field in object.fields {
                properties.key(dynamic: field.key)
                properties.object {
                    $0.field("description", field.about)
                    write(field.type, to: &$0)
                }
            }
        }
        writer.key("required")
        writer.array { list in
            for field in object.fields where field.isRequired { list.string(field.key) }
        }
        writer.field("additionalProperties", !isClosed)
    }

    private static func write(_ type: SchemaType, to writer: inout JSONWriter) {
        switch type {
        case .text(let least, let most, let pattern):
            writer.field("type", "string")
            if let least { writer.field("minLength", least) }
            if let most { writer.field("maxLength", most) }
            writer.field("pattern", ifPresent: pattern)
        case .integer(let least, let most):
            writer.field("type", "integer")
            if let least { writer.field("minimum", least) }
            if let most { writer.field("maximum", most) }
        case .share:
            writer.field("type", "number")
            writer.field("minimum", 0)
            writer.field("maximum", 1)
        case .flag: writer.field("type", "boolean")
        case .constant(let text): writer.field("const", text)
        case .words(let words): list("enum", words, to: &writer)
        case .openWords(let words):
            writer.field("type", "string")
            list("examples", words, to: &writer)
        case .numbers(let numbers):
            writer.key("enum")
            writer.array { list in for number in numbers { list.integer(number) } }
        case .object(let name): writer.field("$ref", "#/$defs/\(name)")
        case .list(let item, let least, let most):
            writer.field("type", "array")
            writer.key("items")
            writer.object { write(item, to: &$0) }
            if let least { writer.field("minItems", least) }
            if let most { writer.field("maxItems", most) }
        }
    }

    private static func list(_ key: String, _ words: [String], to writer: inout JSONWriter) {
        writer.key(dynamic: key)
        writer.array { list in for word in words { list.string(word) } }
    }
}
