// Whoever reads a value of a reply should not have to say where it stands, nor how to complain of it.

/// A value of a reply: what it is, and its place in the whole.
struct FeedValue {
    let json: FeedJSON
    let node: Int
}

/// What a reply is read into.
protocol FeedReadable: Sendable {
    /// Whether long lists are made of it, which are read again and again with few changes.
    static var isRow: Bool { get }

    /// Reads a value, from its bytes alone; what it does not have, or has in another form, is an error with its place.
    init(feed: FeedValue) throws(AdapterError)
}

extension FeedReadable {
    static var isRow: Bool { false }
}

extension FeedValue {
    /// What a body holds.
    static func read<Value: FeedReadable>(_ type: Value.Type, from body: [UInt8]) throws(AdapterError) -> Value {
        guard let json = FeedJSON.read(body) else { throw .notJSON }
        return try Value(feed: FeedValue(json: json, node: 0))
    }

    /// What a body holds, with what is needed to read the next one of its kind sooner.
    ///
    /// - Parameters:
    ///   - type: What it is read into.
    ///   - body: The body.
    ///   - earlier: What was kept of the last one; what is read does not depend on it.
    /// - Returns: The value, and what to keep for the next one.
    /// - Throws: `AdapterError` that names the place.
    static func read<Value: FeedReadable>(
        _ type: Value.Type,
        from body: [UInt8],
        after earlier: FeedTrace?
    ) throws(AdapterError) -> (value: Value, trace: FeedTrace) {
        guard let json = FeedJSON.read(body, after: earlier, keepsRows: true) else { throw .notJSON }
        return (try Value(feed: FeedValue(json: json, node: 0)), json.trace)
    }

    // MARK: Objects

    /// The value of a key that has to be there.
    func need<Value: FeedReadable>(_ key: StaticString) throws(AdapterError) -> Value {
        guard let value = try find(key) else { throw .missing(path: path(to: key)) }
        return try Value(feed: value)
    }

    /// The value of a key; nil when it is absent or null.
    func given<Value: FeedReadable>(_ key: StaticString) throws(AdapterError) -> Value? {
        guard let value = try find(key), !value.isNull else { return nil }
        return try Value(feed: value)
    }

    /// The value of a key as it stands, of a key that stands twice the first; an error where there is no object.
    func find(_ key: StaticString) throws(AdapterError) -> FeedValue? {
        guard isObject else { throw unlike("an object") }
        return json.value(of: key, in: node).map { FeedValue(json: json, node: $0) }
    }

    // MARK: Forms

    var isNull: Bool { form == .null }
    var isList: Bool { form == .list }
    var isObject: Bool { form == .object }
    var isText: Bool { form == .text || form == .oddText }
    var isEmptyText: Bool { form == .text && json.nodes[node].start == json.nodes[node].end }

    private var form: FeedJSON.Form { json.nodes[node].form }

    /// The value when it is neither list nor object, in the form in which it stands.
    var plain: PlainValue? {
        switch form {
        case .null: .null
        case .yes: .flag(true)
        case .no: .flag(false)
        case .number: json.double(node).map(PlainValue.number)
        case .text, .oddText: json.text(node).map(PlainValue.text)
        case .list, .object: nil
        }
    }

    /// That it is not what was expected.
    func unlike(_ expected: String) -> AdapterError {
        isNull ? .missing(path: path) : .wrongForm(path: path, expected: expected)
    }
}

/// A value that is neither list nor object.
enum PlainValue {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
}
