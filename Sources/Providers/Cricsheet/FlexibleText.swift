// A season is `2021` in one file and `"2020/21"` in the next.

internal import ScoreTypes

/// A string that some files have as an integer; it is written in the form that was read.
public enum FlexibleText: Sendable, Hashable {
    case text(String)
    case number(Int)

    /// The characters.
    public var characters: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}

extension FlexibleText: Codable {
    /// Reads a string or an integer.
    ///
    /// - Throws: `JSONError` for any other value.
    public init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        self = try json.isString ? .text(json.decode(String.self)) : .number(json.decode(Int.self))
    }

    /// Writes the form that was read.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        }
    }
}
