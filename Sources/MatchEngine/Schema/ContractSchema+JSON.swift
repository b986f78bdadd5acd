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
                writer.objects("oneOf", names) { name, json in json.field("$ref", "#/$defs/\(name)") }
            }
            writer.object("$defs") { definitions in
                for object in objects {
                    definitions.object(dynamic: object.name) { Self.write(object, isClosed: isClosed, to: &$0) }
                }
            }
        }
        return IndentedJSON.bytes(of: compact)
    }

    private static func write(_ object: SchemaObject, isClosed: Bool, to writer: inout JSONWriter) {
        writer.field("description", object.about)
        writer.field("type", "object")
        writer.object("properties") { properties in
            for field in object.fields {
                properties.object(dynamic: field.key) {
                    $0.field("description", field.about)
                    write(field.type, to: &$0)
                }
            }
        }
        writer.strings("required", object.fields.filter(\.isRequired).map(\.key))
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
        case .words(let words): writer.strings("enum", words)
        case .openWords(let words):
            writer.field("type", "string")
            writer.strings("examples", words)
        case .numbers(let numbers): writer.array("enum", numbers)
        case .object(let name): writer.field("$ref", "#/$defs/\(name)")
        case .list(let item, let least, let most):
            writer.field("type", "array")
            writer.object("items") { write(item, to: &$0) }
            if let least { writer.field("minItems", least) }
            if let most { writer.field("maxItems", most) }
        }
    }
}
