// The object ids of PostgreSQL's built-in types, which are constants of its catalogue.

/// The object id of a built-in type.
struct TypeID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt32

    static let unspecified = TypeID(number: 0)
    static let bool = TypeID(number: 16)
    static let bytea = TypeID(number: 17)
    static let name = TypeID(number: 19)
    static let int8 = TypeID(number: 20)
    static let int2 = TypeID(number: 21)
    static let int4 = TypeID(number: 23)
    static let text = TypeID(number: 25)
    static let oid = TypeID(number: 26)
    static let json = TypeID(number: 114)
    static let float8 = TypeID(number: 701)
    static let timestamptz = TypeID(number: 1184)
    static let uuid = TypeID(number: 2950)
    static let jsonb = TypeID(number: 3802)
    static let xid8 = TypeID(number: 5069)

    static let boolArray = TypeID(number: 1000)
    static let byteaArray = TypeID(number: 1001)
    static let int2Array = TypeID(number: 1005)
    static let int4Array = TypeID(number: 1007)
    static let textArray = TypeID(number: 1009)
    static let int8Array = TypeID(number: 1016)
    static let timestamptzArray = TypeID(number: 1185)
    static let uuidArray = TypeID(number: 2951)
    static let jsonbArray = TypeID(number: 3807)

    private static let elements: [TypeID: TypeID] = [
        .boolArray: .bool, .byteaArray: .bytea, .int2Array: .int2, .int4Array: .int4, .textArray: .text,
        .int8Array: .int8, .timestamptzArray: .timestamptz, .uuidArray: .uuid, .jsonbArray: .jsonb,
    ]

    /// The element type of an array type; nil for other types.
    var element: TypeID? { Self.elements[self] }

    /// Whether the binary format of the type is plain text.
    var isText: Bool { [.text, .name, .json].contains(self) }

    var description: String { "type \(number)" }
}
