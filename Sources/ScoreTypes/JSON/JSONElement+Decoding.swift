// Types declare their fields once; the compiler writes their reading, and this decoder performs it.

extension JSONElement: Decodable {
    /// Takes the value that a type is decoded from.
    ///
    /// - Throws: `DecodingError` when the decoder is another one than this.
    public init(from decoder: any Decoder) throws {
        guard let element = Self.element(decoder) else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "decode it from a JSONElement")
            throw DecodingError.typeMismatch(JSONElement.self, context)
        }
        self = element
    }

    /// The decoder; the cast of an opened type takes a fraction of the time of `decoder as? JSONElement`.
    private static func element<Opened: Decoder>(_ decoder: Opened) -> JSONElement? { decoder as? JSONElement }
}

extension JSONElement: Decoder {
    /// Always empty: errors carry the path of their value.
    public var codingPath: [any CodingKey] { [] }

    /// Always empty.
    public var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The members of the object.
    ///
    /// - Throws: `JSONError` when the value is no object.
    public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard isObject else { throw mismatch("an object") }
        guard table.nodes[node].count <= TypeLimits.objectMembers else {
            throw mismatch("an object of at most \(TypeLimits.objectMembers) members")
        }
        return KeyedDecodingContainer(JSONObjectContainer(table: table, object: node))
    }

    /// The elements of the array.
    ///
    /// - Throws: `JSONError` when the value is no array.
    public func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try JSONArrayContainer(self) }

    /// The value itself.
    public func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONElement: SingleValueDecodingContainer {
    /// Whether the value is `null`.
    public func decodeNil() -> Bool { isNull }

    /// The boolean.
    ///
    /// - Throws: `JSONError` for another value.
    public func decode(_ type: Bool.Type) throws -> Bool { try require(bool, "true or false") }

    /// The string.
    ///
    /// - Throws: `JSONError` for another value.
    public func decode(_ type: String.Type) throws -> String { try require(string, "a string") }

    /// The number.
    ///
    /// - Throws: `JSONError` for another value.
    public func decode(_ type: Double.Type) throws -> Double { try require(double, "a number") }

    /// The number.
    ///
    /// - Throws: `JSONError` for another value.
    public func decode(_ type: Float.Type) throws -> Float { Float(try require(double, "a number")) }

    /// The integer.
    ///
    /// - Throws: `JSONError` for another value.
    public func decode(_ type: Int.Type) throws -> Int { Int(try require(integer, "a whole number")) }

    /// The integer.
    ///
    /// - Throws: `JSONError` for another value, and for one that the type cannot hold.
    public func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        // Unsigned integers of 64 bits exceed the largest signed one.
        try require(integer.flatMap { Integer(exactly: $0) } ?? digits.flatMap { Integer($0) }, "a whole number")
    }

    /// A value of a type that decodes itself.
    ///
    /// - Throws: `JSONError`, or what the initializer of the type throws itself.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard isArray, let reuse = table.rows, let rows = type as? any JSONRowArray.Type else {
            return try Value(from: self)
        }
        return try rows.init(rows: self, reuse) as? Value ?? Value(from: self)
    }

    private var digits: String? {
        form == .number ? table.withDigits(of: node) { String(decoding: $0, as: UTF8.self) } : nil
    }

    private func require<Value>(_ value: Value?, _ expected: String) throws(JSONError) -> Value {
        guard let value else { throw mismatch(expected) }
        return value
    }
}

/// The members of an object; absent and `null` are the same.
struct JSONObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let table: JSONTable
    let object: Int

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] { (JSONElement(table, object).members ?? []).compactMap { Key(stringValue: $0.name) } }

    private func find(_ key: Key) -> JSONElement? {
        table.member(key.stringValue, of: object).map { JSONElement(table, $0) }
    }

    private func given(_ key: Key) -> JSONElement? { find(key).flatMap { $0.isNull ? nil : $0 } }

    private func required(_ key: Key) throws(JSONError) -> JSONElement {
        guard let found = find(key) else {
            throw .missing(path: JSONElement(table, object).path(to: key.stringValue))
        }
        return found
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try required(key).isNull }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try required(key).decode(type) }

    func decode<I: FixedWidthInteger & Decodable>(_ type: I.Type, forKey key: Key) throws -> I {
        try required(key).decode(type)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try required(key).decode(type)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try given(key)?.decode(type) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try given(key)?.decode(type) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try given(key)?.decode(type) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try given(key)?.decode(type) }

    func decodeIfPresent<I: FixedWidthInteger & Decodable>(_ type: I.Type, forKey key: Key) throws -> I? {
        try given(key)?.decode(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try given(key)?.decode(type)
    }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> {
        try required(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try required(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { JSONElement(table, object) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try required(key) }
}

/// The elements of an array.
struct JSONArrayContainer: UnkeyedDecodingContainer {
    private let array: JSONElement
    private let total: Int
    private var next: Int
    private(set) var currentIndex = 0

    init(_ array: JSONElement) throws(JSONError) {
        guard array.isArray else { throw array.mismatch("an array") }
        self.array = array
        total = Int(array.table.nodes[array.node].count)
        next = array.node + 1
    }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { total }
    var isAtEnd: Bool { currentIndex == total }

    private mutating func take() throws(JSONError) -> JSONElement {
        let element = JSONElement(array.table, next)
        guard currentIndex < total else { throw .missing(path: "\(array.path)[\(total)]") }
        next = Int(array.table.nodes[next].next)
        currentIndex += 1
        return element
    }

    mutating func decodeNil() throws -> Bool {
        guard currentIndex < total, array.table.nodes[next].form == .null else { return false }
        return try take().isNull
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try take().decode(type) }
    mutating func decode(_ type: String.Type) throws -> String { try take().decode(type) }
    mutating func decode(_ type: Double.Type) throws -> Double { try take().decode(type) }
    mutating func decode(_ type: Int.Type) throws -> Int { try take().decode(type) }
    mutating func decode<I: FixedWidthInteger & Decodable>(_ type: I.Type) throws -> I { try take().decode(type) }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try take().decode(type) }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try take().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try take().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try take() }
}
