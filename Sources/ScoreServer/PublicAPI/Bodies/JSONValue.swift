// Answers of the admin API are put together from parts that come as values.

import ScoreTypes

/// One JSON value.
enum JSONValue: Sendable, Hashable {
    case object([Member])
    case array([JSONValue])
    case text(String)
    case integer(Int64)
    case number(Double)
    case bool(Bool)
    case null

    /// A name and its value; the order of an object's members is kept.
    struct Member: Sendable, Hashable {
        let name: String
        let value: JSONValue

        /// The members of pairs, but for those whose value is nil.
        static func list(_ pairs: KeyValuePairs<String, JSONValue?>) -> [Member] {
            pairs.compactMap { pair in pair.value.map { Member(name: pair.key, value: $0) } }
        }
    }

    /// Builds an object from pairs; leaves out the members whose value is nil.
    static func record(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue { .object(Member.list(members)) }

    /// Wraps a whole number of any type.
    static func whole(_ number: some BinaryInteger) -> JSONValue { .integer(Int64(number)) }

    /// The value of a parsed text; a number beyond 64 bits is a `Double`.
    init(_ json: JSONElement) {
        if let members = json.members {
            self = .object(members.map { Member(name: $0.name, value: JSONValue($0.value)) })
        } else if let elements = json.elements {
            self = .array(elements.map(JSONValue.init))
        } else if let text = json.string {
            self = .text(text)
        } else if let integer = json.plainInteger {
            self = .integer(integer)
        } else if let number = json.double {
            self = .number(number)
        } else {
            self = json.bool.map(JSONValue.bool) ?? .null
        }
    }

    /// The value of a strict text.
    init(parsing bytes: [UInt8]) throws(JSONSyntaxError) { self.init(try JSONElement(parsing: bytes, .strict)) }

    /// Writes the value.
    func write(into json: inout JSONWriter) {
        switch self {
        case .object(let members):
            json.object { json in
                for member in members {
                    json.key(dynamic: member.name)
                    member.value.write(into: &json)
                }
            }
        case .array(let elements): json.array { json in for element in elements { element.write(into: &json) } }
        case .text(let text): json.string(text)
        case .integer(let integer): json.integer(integer)
        case .number(let number): json.number(number)
        case .bool(let bool): json.bool(bool)
        case .null: json.null()
        }
    }

    /// The bytes of the value.
    var bytes: [UInt8] {
        var json = JSONWriter()
        write(into: &json)
        return json.bytes
    }
}
