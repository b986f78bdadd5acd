// The parameters of statements: typed values, sent in PostgreSQL's binary format.

public import ScoreTypes

/// One parameter of a statement.
///
/// Integers fit every integer column that can hold their value; the server infers the type of a `null`.
public enum Bind: Sendable, Hashable {
    case null
    case text(String)
    case int(Int64)
    case smallint(Int16)
    case integer(Int32)
    case double(Double)
    case bool(Bool)
    case bytes([UInt8])
    case uuid(DeviceID)
    case timestamp(Instant)
    /// The bytes of one JSON value, for a `jsonb` column.
    case json([UInt8])
    case texts([String])
    case optionalTexts([String?])
    case ints([Int64])
    case smallints([Int16])
    case integers([Int32])
    case bools([Bool])
    case bytesArray([[UInt8]])
    case optionalBytesArray([[UInt8]?])
    case uuids([DeviceID])
    case timestamps([Instant])
    case optionalTimestamps([Instant?])
    /// Each element the bytes of one JSON value.
    case jsons([[UInt8]])

    /// The type with which the parameter is declared; `unspecified` leaves it to the server.
    var naturalType: TypeID {
        switch self {
        case .null: .unspecified
        case .text: .text
        case .int: .int8
        case .smallint: .int2
        case .integer: .int4
        case .double: .float8
        case .bool: .bool
        case .bytes: .bytea
        case .uuid: .uuid
        case .timestamp: .timestamptz
        case .json: .jsonb
        case .texts, .optionalTexts: .textArray
        case .ints: .int8Array
        case .smallints: .int2Array
        case .integers: .int4Array
        case .bools: .boolArray
        case .bytesArray, .optionalBytesArray: .byteaArray
        case .uuids: .uuidArray
        case .timestamps, .optionalTimestamps: .timestamptzArray
        case .jsons: .jsonbArray
        }
    }
}

extension Bind: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type; the value is not shown, since it may be a token, a hash of a credential or a person's text.
    public var description: String { "\(naturalType)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Empty, so that reflection of an enclosing value does not show it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
