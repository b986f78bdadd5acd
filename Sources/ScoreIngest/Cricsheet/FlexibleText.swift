// Seasons and groups are `2021` in one file and `"2020/21"` in the next.

/// A text that files also hold as a whole number; encodes in the form it was read in.
public enum FlexibleText: Codable, Sendable, Hashable {
    case text(String)
    case number(Int)

    /// Reads either form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Writes the form it was read in.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        }
    }

    /// The characters.
    public var characters: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }
}
