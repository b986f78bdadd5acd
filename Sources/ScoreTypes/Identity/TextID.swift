// The common form of all textual ids: each id has its own type, and invalid text is never accepted.

/// An id of `[A-Za-z0-9._-]`, 1 to 64 characters, as all ids in the public API.
public protocol TextID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// The characters of the id.
    var text: String { get }
    /// Wraps characters that were validated before.
    init(unchecked text: String)
}

extension TextID {
    /// Validates external text; nil when it is empty, longer than 64 bytes or contains another character.
    public init?(_ text: String) {
        let isShort = (1...TypeLimits.textIDBytes).contains(text.utf8.count)
        guard isShort, text.utf8.allSatisfy(\.isOfTextID) else { return nil }
        self.init(unchecked: text)
    }

    /// The characters of the id.
    public var description: String { text }

    /// Orders ids by their characters.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// Decodes and validates the id.
    ///
    /// - Throws: `JSONError` that names the place, or the `DecodingError` of another decoder.
    public init(from decoder: any Decoder) throws {
        guard let id = Self(try decoder.singleValueContainer().decode(String.self)) else {
            if let json = decoder as? JSONElement { throw json.mismatch("an id") }
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected 1 to 64 of A-Z a-z 0-9 . _ -")
            )
        }
        self = id
    }

    /// Encodes the characters.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension UInt8 {
    /// Whether it is one of `A-Za-z0-9._-`.
    fileprivate var isOfTextID: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
