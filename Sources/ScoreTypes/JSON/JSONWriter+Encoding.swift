// Documents that are read and written declare their members once; the compiler writes their encoding.

extension JSONWriter {
    /// Writes a value that encodes itself.
    ///
    /// Members are written in order of their names, so that equal values have equal bytes, and a `Double` without a
    /// fraction as an integer.
    public mutating func value(_ value: some Encodable) {
        let encoding = JSONEncoding(self)
        encoding.write(value)
        self = encoding.json
    }

    /// Writes one document that encodes itself.
    public static func document(_ value: some Encodable) -> [UInt8] {
        var json = JSONWriter()
        json.value(value)
        return json.bytes
    }
}

/// A document that is being written.
private final class JSONEncoding {
    /// An object or an array that is open; of an object the names, and where each begins.
    private struct Frame {
        let closing: Unicode.Scalar
        var members: [(name: String, start: Int)] = []
    }

    var json: JSONWriter
    private var frames: [Frame] = []

    init(_ json: JSONWriter) { self.json = json }

    /// How many objects and arrays are open.
    var depth: Int { frames.count }

    func begin(_ opening: Unicode.Scalar, closing: Unicode.Scalar) {
        json.open(opening)
        frames.append(Frame(closing: closing))
    }

    /// Ends the objects and arrays below a depth.
    func end(to depth: Int) {
        while frames.count > depth {
            let ended = frames.removeLast()
            sort(ended.members)
            json.close(ended.closing)
        }
    }

    func write(_ value: some Encodable) {
        let depth = depth
        // The containers never throw, and neither do the types that are written.
        try? value.encode(to: JSONValueEncoder(encoding: self))
        end(to: depth)
    }

    func key(_ name: String, at depth: Int) {
        end(to: depth)
        let end = json.bytes.count
        json.key(dynamic: name)
        frames[depth - 1].members.append((name, json.bytes[end] == UInt8(ascii: ",") ? end + 1 : end))
    }

    private func sort(_ members: [(name: String, start: Int)]) {
        guard let first = members.first, !zip(members, members.dropFirst()).allSatisfy({ $0.name < $1.name }) else {
            return
        }
        let ends = members.dropFirst().map { $0.start - 1 } + [json.bytes.count]
        let texts = zip(members, ends).map { (name: $0.name, text: json.bytes[$0.start..<$1]) }
        let sorted = texts.sorted { $0.name < $1.name }.map(\.text)
        json.replace(from: first.start, with: sorted.joined(separator: [UInt8(ascii: ",")]))
    }
}

private struct JSONValueEncoder: Encoder {
    let encoding: JSONEncoding

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        encoding.begin("{", closing: "}")
        return KeyedEncodingContainer(JSONMemberEncoder(encoding: encoding, depth: encoding.depth))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        encoding.begin("[", closing: "]")
        return JSONElementEncoder(encoding: encoding, depth: encoding.depth)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONElementEncoder(encoding: encoding, depth: encoding.depth)
    }
}

private struct JSONMemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: JSONEncoding
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    private func value(_ key: Key) -> JSONElementEncoder {
        encoding.key(key.stringValue, at: depth)
        return JSONElementEncoder(encoding: encoding, depth: depth)
    }

    func encodeNil(forKey key: Key) { value(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: String, forKey key: Key) { self.value(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) { self.value(key).encode(value) }
    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer, forKey key: Key) {
        self.value(key).encode(value)
    }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) { self.value(key).encode(value) }

    func nestedContainer<Inner: CodingKey>(
        keyedBy type: Inner.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Inner> {
        value(key).nestedContainer(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        value(key).nestedUnkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONValueEncoder(encoding: encoding) }
    func superEncoder(forKey key: Key) -> any Encoder { value(key).superEncoder() }
}

private struct JSONElementEncoder: UnkeyedEncodingContainer, SingleValueEncodingContainer {
    let encoding: JSONEncoding
    let depth: Int

    /// Not counted: no type that is written needs it.
    var count: Int { 0 }
    var codingPath: [any CodingKey] { [] }

    /// The writer, behind the elements before.
    private var json: JSONWriter {
        get { encoding.json }
        nonmutating _modify {
            encoding.end(to: depth)
            yield &encoding.json
        }
    }

    func encodeNil() { json.null() }
    func encode(_ value: Bool) { json.bool(value) }
    func encode(_ value: String) { json.string(value) }
    func encode(_ value: Float) { encode(Double(value)) }

    func encode(_ value: Double) {
        if let whole = Int64(exactly: value) { json.integer(whole) } else { json.number(value) }
    }

    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) { json.integer(value) }

    func encode<Value: Encodable>(_ value: Value) {
        encoding.end(to: depth)
        encoding.write(value)
    }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        encoding.end(to: depth)
        return JSONValueEncoder(encoding: encoding).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoding.end(to: depth)
        return JSONValueEncoder(encoding: encoding).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONValueEncoder(encoding: encoding) }
}
