// One value by itself.

/// A value of a reply.
struct FeedValue: SingleValueDecodingContainer {
    let json: FeedJSON
    let node: Int

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { json.nodes[node].form == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try json.decode(type, at: node) }
    func decode(_ type: Bool.Type) throws -> Bool { try json.needFlag(node) }
    func decode(_ type: String.Type) throws -> String { try json.needText(node) }
    func decode(_ type: Double.Type) throws -> Double { try json.needDouble(node) }
    func decode(_ type: Float.Type) throws -> Float { Float(try json.needDouble(node)) }
    func decode(_ type: Int.Type) throws -> Int { try json.needInteger(node) }
    func decode(_ type: Int8.Type) throws -> Int8 { try json.needInteger(node) }
    func decode(_ type: Int16.Type) throws -> Int16 { try json.needInteger(node) }
    func decode(_ type: Int32.Type) throws -> Int32 { try json.needInteger(node) }
    func decode(_ type: Int64.Type) throws -> Int64 { try json.needInteger(node) }
    func decode(_ type: UInt.Type) throws -> UInt { try json.needInteger(node) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try json.needInteger(node) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try json.needInteger(node) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try json.needInteger(node) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try json.needInteger(node) }
}
