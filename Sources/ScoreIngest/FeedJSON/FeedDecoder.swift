// Foundation's decoder takes 60 ms for a reply of a megabyte, and a ball has 30 for its whole way into the journal.

/// Decodes replies.
///
/// What it cannot make of a reply it does not explain: `AdapterError.decode` has Foundation read the reply again, which
/// either can after all or says what is wrong and where.
struct FeedDecoder: Decoder {
    let json: FeedJSON
    let node: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Why a value was not taken; nobody reads it.
    struct Mismatch: Error {}

    /// What a reply holds; nil when it has to be read by Foundation.
    static func value<Value: Decodable>(_ type: Value.Type, from body: [UInt8]) -> Value? {
        guard let json = FeedJSON(body) else { return nil }
        return try? Value(from: FeedDecoder(json: json, node: 0))
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard json.nodes[node].form == .object else { throw Mismatch() }
        return KeyedDecodingContainer(try FeedObject<Key>(json: json, node: node))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard json.nodes[node].form == .list else { throw Mismatch() }
        return FeedList(json: json, node: node)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { FeedValue(json: json, node: node) }
}

extension Decoder {
    /// What the value is, when it can be looked at: trying one form after the other costs an error each.
    var plain: PlainValue? { (self as? FeedDecoder)?.plain }
}

/// A value that is neither list nor object, in the form in which it stands.
enum PlainValue {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
}

extension FeedDecoder {
    /// The value; nil for a list, an object, and what cannot be read.
    fileprivate var plain: PlainValue? {
        switch json.nodes[node].form {
        case .null: .null
        case .yes: .flag(true)
        case .no: .flag(false)
        case .number: json.double(node).map(PlainValue.number)
        case .text, .escapedText: json.text(node).map(PlainValue.text)
        case .list, .object: nil
        }
    }
}

extension FeedJSON {
    /// A value that has to be there and of its form.
    func decode<Value: Decodable>(_ type: Value.Type, at node: Int) throws -> Value {
        try Value(from: FeedDecoder(json: self, node: node))
    }

    func needText(_ node: Int) throws -> String {
        guard let text = text(node) else { throw FeedDecoder.Mismatch() }
        return text
    }

    func needFlag(_ node: Int) throws -> Bool {
        guard let flag = flag(node) else { throw FeedDecoder.Mismatch() }
        return flag
    }

    func needInteger<Number: FixedWidthInteger>(_ node: Int) throws -> Number {
        guard let number: Number = integer(node) else { throw FeedDecoder.Mismatch() }
        return number
    }

    func needDouble(_ node: Int) throws -> Double {
        guard let number = double(node) else { throw FeedDecoder.Mismatch() }
        return number
    }
}
