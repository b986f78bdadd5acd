// The values of an object by their keys.

/// An object of a reply.
struct FeedObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let json: FeedJSON
    private let node: Int
    /// Beside the object when it has so many pairs that walking over them for each key would take long.
    private let table: [String: Int]?

    init(json: FeedJSON, node: Int) throws {
        self.json = json
        self.node = node
        guard json.nodes[node].count > FeedJSON.walkMax else {
            table = nil
            return
        }
        guard let pairs = json.pairs(of: node) else { throw FeedDecoder.Mismatch() }
        table = Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
    }

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] { (json.pairs(of: node) ?? []).compactMap { Key(stringValue: $0.key) } }

    private func find(_ key: Key) -> Int? {
        if let table { return table[key.stringValue] }
        return json.value(of: key.stringValue, in: node)
    }

    private func need(_ key: Key) throws -> Int {
        guard let value = find(key) else { throw FeedDecoder.Mismatch() }
        return value
    }

    /// The value when there is one and it is not null.
    private func given(_ key: Key) -> Int? { find(key).flatMap { json.nodes[$0].form == .null ? nil : $0 } }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { json.nodes[try need(key)].form == .null }

    // MARK: Values that have to be there

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try json.decode(type, at: need(key))
    }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try json.needFlag(need(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try json.needText(need(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try json.needDouble(need(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try json.needDouble(need(key))) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try json.needInteger(need(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try json.needInteger(need(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try json.needInteger(need(key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try json.needInteger(need(key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try json.needInteger(need(key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try json.needInteger(need(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try json.needInteger(need(key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try json.needInteger(need(key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try json.needInteger(need(key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try json.needInteger(need(key)) }

    // MARK: Values that may be absent

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try given(key).map { try json.decode(type, at: $0) }
    }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try given(key).map { try json.needFlag($0) }
    }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try given(key).map { try json.needText($0) }
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try given(key).map { try json.needDouble($0) }
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try given(key).map { try json.needInteger($0) }
    }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try given(key).map { try json.needInteger($0) }
    }

    // MARK: Containers

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try FeedDecoder(json: json, node: need(key)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try FeedDecoder(json: json, node: need(key)).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { throw FeedDecoder.Mismatch() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw FeedDecoder.Mismatch() }
}
