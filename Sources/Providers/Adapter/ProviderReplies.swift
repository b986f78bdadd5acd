// A picture of a match may come in several replies, of which only some are asked for again each time.

public import ScoreTypes

/// The last reply of each part.
public struct ProviderReplies: Sendable, Hashable {
    /// Most parts that are kept: one a half over of the longest innings ever, and room for lists by day.
    public static let partsMax = 1_000

    /// The body of each part.
    public private(set) var bodies: [ReplyPart: [UInt8]]
    /// What the bodies were decoded to; no part of what the replies are.
    private let memo = ReplyMemo()

    /// Holds nothing, or what is given.
    public init(_ bodies: [ReplyPart: [UInt8]] = [:]) { self.bodies = bodies }

    /// The body of a part; setting nil forgets it.
    ///
    /// A new part beyond `partsMax` is not taken.
    public subscript(part: ReplyPart) -> [UInt8]? {
        get { bodies[part] }
        set {
            guard newValue == nil || bodies[part] != nil || bodies.count < Self.partsMax else { return }
            bodies[part] = newValue
        }
    }

    /// The parts that are there, in order of their names.
    public var parts: [ReplyPart] { bodies.keys.sorted() }

    /// Whether nothing has come yet.
    public var isEmpty: Bool { bodies.isEmpty }

    /// The body of a part that has to be there.
    ///
    /// - Parameter part: The part.
    /// - Returns: Its last reply.
    /// - Throws: `AdapterError.missing` when it has not come.
    public func required(_ part: ReplyPart) throws(AdapterError) -> [UInt8] {
        guard let body = bodies[part] else { throw .missing(path: "reply \(part)") }
        return body
    }

    /// What a part that has to be there holds; it is decoded once, however often the picture is looked at.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - decode: Reads its body; always the same for the same kind of value.
    /// - Returns: What it holds.
    /// - Throws: What `decode` throws; `AdapterError.missing` when the part has not come.
    func decoded<Value: Sendable>(
        _ part: ReplyPart,
        _ decode: ([UInt8]) throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        try memo.value(of: part, required(part), decode: decode)
    }

    /// What a part that has to be there holds; rows that were read before are not read again.
    ///
    /// - Parameters:
    ///   - type: What it is read into.
    ///   - part: The part.
    /// - Returns: What it holds.
    /// - Throws: `AdapterError` that names the place; `missing` when the part has not come.
    func read<Value: FeedReadable>(_ type: Value.Type, _ part: ReplyPart) throws(AdapterError) -> Value {
        try memo.value(of: part, required(part)) { body, earlier throws(AdapterError) in
            let (value, trace) = try FeedValue.read(type, from: body, after: earlier)
            return (value, trace)
        }
    }

    /// Makes something of what was made of a part last time; what is made must be the same without that.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - make: Gets what it made last time; nil at first.
    /// - Returns: What it made.
    /// - Throws: What `make` throws.
    func carried<Value: Sendable>(
        _ part: ReplyPart,
        _ make: (Value?) throws(AdapterError) -> Value
    ) throws(AdapterError) -> Value {
        try memo.carried(part, make)
    }

    /// Takes over all parts of newer replies; the others stay.
    ///
    /// - Parameter newer: What has just come.
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

    /// As the description, so that no dump tells more.
    public var customMirror: Mirror { Mirror(self, children: ["replies": description]) }
}
