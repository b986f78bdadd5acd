// The page at /docs and the tests read the same description of the API as its clients.

import ScoreTypes

/// openapi.yaml as a value.
struct APIDescription: Sendable {
    /// One method at one path.
    struct Operation: Sendable {
        let method: String
        let path: String
        /// The operation object of OpenAPI.
        let value: JSONValue
    }

    /// The whole document.
    let document: JSONValue

    /// The file as it was when the server was built; a test reads it.
    static let embedded = Result<APIDescription, YAMLSyntaxError> { () throws(YAMLSyntaxError) in
        try APIDescription(reading: DocumentRoutes.description)
    }

    /// Reads the text of the file; throws `YAMLSyntaxError`.
    init(reading yaml: [UInt8]) throws(YAMLSyntaxError) { document = try YAMLReader.read(yaml) }

    /// Takes a document that was read.
    init(document: JSONValue) { self.document = document }

    /// All operations, in the order of the file.
    var operations: [Operation] {
        (document.member("paths")?.asMembers ?? []).flatMap { path in
            (path.value.asMembers ?? []).map {
                Operation(method: $0.name.uppercased(), path: path.name, value: $0.value)
            }
        }
    }

    /// The object that a `$ref` names, else the value itself; nil for a reference to nothing.
    func resolved(_ value: JSONValue) -> JSONValue? {
        guard let reference = value.member("$ref")?.asText else { return value }
        var found: JSONValue? = document
        for name in reference.split(separator: "/").dropFirst() { found = found?.member(String(name)) }
        return found
    }

    /// The parameters of an operation, without references.
    func parameters(of operation: Operation) -> [JSONValue] {
        (operation.value.member("parameters")?.asElements ?? []).compactMap { resolved($0) }
    }

    /// The last part of the path of a `$ref`; nil for a value that is none.
    static func referencedName(_ value: JSONValue) -> String? {
        value.member("$ref")?.asText?.split(separator: "/").last.map { String($0) }
    }
}

extension JSONValue {
    /// The value of a member; nil without it, and for anything but an object.
    func member(_ name: String) -> JSONValue? { asMembers?.first { $0.name == name }?.value }
    /// The members of an object.
    var asMembers: [Member]? { if case .object(let members) = self { members } else { nil } }
    /// The elements of an array.
    var asElements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The text.
    var asText: String? { if case .text(let text) = self { text } else { nil } }

    /// The text of a scalar without quotes, as a person reads it; JSON for a collection.
    var plainText: String { asText ?? String(decoding: bytes, as: UTF8.self) }
}
