// The values of a list, one after the other.

/// A list of a reply.
struct FeedList: UnkeyedDecodingContainer {
    private let json: FeedJSON
    private let length: Int
    /// The value that comes next.
    private var node: Int
    private(set) var currentIndex = 0

    init(json: FeedJSON, node: Int) {
        self.json = json
        self.node = node + 1
        length = Int(json.nodes[node].count)
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { length }
    var isAtEnd: Bool { currentIndex == length }

    /// Reads the next value and goes on; one that cannot be read stays the next.
    private mutating func next<Value>(_ read: (Int) throws -> Value) throws -> Value {
        guard !isAtEnd else { throw FeedDecoder.Mismatch() }
        let value = try read(node)
        node = Int(json.nodes[node].next)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw FeedDecoder.Mismatch() }
        guard json.nodes[node].form == .null else { return false }
        return try next { _ in true }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next { [json] in try json.decode(type, at: $0) }
    }
    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { [json] in try json.needFlag($0) } }
    mutating func decode(_ type: String.Type) throws -> String { try next { [json] in try json.needText($0) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { [json] in try json.needDouble($0) } }
    mutating func decode(_ type: Float.Type) throws -> Float { Float(try next { [json] in try json.needDouble($0) }) }
    mutating func decode(_ type: Int.Type) throws -> Int { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { [json] in try json.needInteger($0) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { [json] in try json.needInteger($0) } }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try next { [json] in try FeedDecoder(json: json, node: $0).container(keyedBy: type) }
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { [json] in try FeedDecoder(json: json, node: $0).unkeyedContainer() }
    }
    mutating func superDecoder() throws -> any Decoder { try next { [json] in FeedDecoder(json: json, node: $0) } }
}
