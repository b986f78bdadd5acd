// A match may need several replies, and each poll requests only some of them again.

public import ScoreTypes

/// The last reply of each part.
public struct ProviderReplies: Sendable, Hashable {
    /// The body of each part.
    public private(set) var bodies: [ReplyPart: [UInt8]]
    /// The decoded bodies; they do not count in comparisons.
    let cache = DecodedReplies()
    /// Identifies these bodies; copies share it until one of them changes.
    private var state = RepliesState()

    /// Makes replies from their bodies.
    public init(_ bodies: [ReplyPart: [UInt8]] = [:]) { self.bodies = bodies }

    /// The body of a part; setting nil forgets it.
    ///
    /// A new part beyond `AdapterLimits.parts` is not taken.
    public subscript(part: ReplyPart) -> [UInt8]? {
        get { bodies[part] }
        set {
            guard newValue == nil || bodies[part] != nil || bodies.count < AdapterLimits.parts else { return }
            bodies[part] = newValue
            state = RepliesState()
        }
    }

    /// The parts that are there, in order of their names.
    public var parts: [ReplyPart] { bodies.keys.sorted() }

    /// Whether nothing has come yet.
    public var isEmpty: Bool { bodies.isEmpty }

    /// The last reply of a part that has to be there.
    ///
    /// - Throws: `AdapterError.missing` when it has not come.
    public func required(_ part: ReplyPart) throws(AdapterError) -> [UInt8] {
        guard let body = bodies[part] else { throw .missing(path: "reply \(part)") }
        return body
    }

    /// The decoded body of a part; rows with the bytes of those before are not decoded again.
    ///
    /// - Throws: `AdapterError` that names the place; `missing` when the part has not come.
    func read<Value: Decodable & Sendable>(_ type: Value.Type, _ part: ReplyPart) throws(AdapterError) -> Value {
        try cache.value(of: part, required(part)) { body, earlier throws(AdapterError) in
            try ReplyJSON.read(type, from: body, after: earlier)
        }
    }

    /// Derives a value from the replies, and keeps it under a part.
    ///
    /// `make` receives the value derived from the previous replies, nil at first. It may reuse that value to save time,
    /// but its result must not depend on it.
    func derived<Value: Sendable>(
        _ part: ReplyPart,
        _ make: (Value?) throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        try cache.derived(part, make)
    }

    /// Derives a value from the replies once, until one of them changes; it is kept under a part.
    func once<Value: Sendable>(
        _ part: ReplyPart,
        _ make: () throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        try cache.once(part, of: state, make)
    }

    /// Replaces the parts that newer replies have; the others stay.
    public mutating func merge(_ newer: ProviderReplies) {
        for (part, body) in newer.bodies { self[part] = body }
    }
}

extension ProviderReplies {
    /// Whether all parts are the same.
    public static func == (one: ProviderReplies, other: ProviderReplies) -> Bool { one.bodies == other.bodies }

    /// Hashes the parts.
    public func hash(into hasher: inout Hasher) { hasher.combine(bodies) }
}

extension ProviderReplies: CustomStringConvertible, CustomReflectable {
    /// Parts and their sizes; replies to a sign-in hold tokens.
    public var description: String {
        parts.map { "\($0) (\(bodies[$0]?.count ?? 0) bytes)" }.joined(separator: ", ")
    }

    /// The description, so that a dump shows no more.
    public var customMirror: Mirror { Mirror(self, children: ["replies": description]) }
}
