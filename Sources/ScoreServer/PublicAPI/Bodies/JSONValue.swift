// A request's body as a tree, so that all of its mistakes can be named at once.

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
    }

    /// Builds an object from pairs.
    static func record(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(members.map { Member(name: $0.key, value: $0.value) })
    }

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

    /// The value of a member; nil for another name or another kind of value.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
