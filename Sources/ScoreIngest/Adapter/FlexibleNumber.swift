// Feeds write one number as 20, 20.0, "20" or true from one reply to the next.

internal import Foundation

/// A number that may also be written as a text.
struct FlexibleNumber: Decodable, Sendable, Hashable {
    /// Longest text that is taken for a number, in bytes.
    private static let textMax = 24

    let value: Double

    init(_ value: Double) { self.value = value }

    init(from decoder: any Decoder) throws {
        switch decoder.plain {
        case .number(let number): value = number
        case .text(let text) where Self.number(in: text) != nil: value = Self.number(in: text) ?? 0
        default:
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
                return
            }
            guard let number = Self.number(in: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected a number")
            }
            value = number
        }
    }

    private static func number(in text: String) -> Double? {
        guard text.utf8.count <= textMax, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The number when it is whole.
    var whole: Int? { Int(exactly: value) }
}

/// A yes or no that may also be written as 1 or 0.
struct FlexibleBool: Decodable, Sendable, Hashable {
    let value: Bool

    init(_ value: Bool) { self.value = value }

    init(from decoder: any Decoder) throws {
        if case .flag(let value) = decoder.plain {
            self.value = value
            return
        }
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self.value = value
            return
        }
        switch try container.decode(Int.self) {
        case 0: value = false
        case 1: value = true
        default: throw DecodingError.dataCorruptedError(in: container, debugDescription: "expected true or false")
        }
    }
}
