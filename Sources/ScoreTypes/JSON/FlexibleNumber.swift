// Providers write one number as 20, 20.0, "20" or true from one reply to the next.

/// A number that may also be written as a string.
public struct FlexibleNumber: Decodable, Sendable, Hashable {
    /// The number; finite.
    public let value: Double

    /// Reads a number.
    ///
    /// - Throws: `JSONError` for any other value.
    public init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        guard let number = json.double ?? json.digits ?? json.string.flatMap(Self.number) else {
            throw json.mismatch("a number")
        }
        value = number
    }

    private static func number(in text: String) -> Double? {
        guard text.utf8.count <= TypeLimits.numberTextBytes, let number = Double(text), number.isFinite else {
            return nil
        }
        return number
    }

    /// The number when it is an integer.
    public var whole: Int? { Int(exactly: value) }
}

/// A boolean that may also be written as 1 or 0, or as a string.
public struct FlexibleBool: Decodable, Sendable, Hashable {
    /// The boolean.
    public let value: Bool

    /// Makes a boolean.
    public init(_ value: Bool) { self.value = value }

    /// Reads a boolean.
    ///
    /// - Throws: `JSONError` for any other value: a number or a word of another meaning is no `false`.
    public init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        switch (json.bool, json.double, json.string?.lowercased()) {
        case (true, _, _), (_, 1, _), (_, _, "true"), (_, _, "1"), (_, _, "yes"): value = true
        case (false, _, _), (_, 0, _), (_, _, "false"), (_, _, "0"), (_, _, "no"): value = false
        default: throw json.mismatch("true or false")
        }
    }
}

/// A value that a provider writes in a form that was never seen: nil where it has another than expected.
public struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
    /// The value; nil for another form.
    public let value: Value?

    /// Reads the value.
    ///
    /// - Throws: Never for values of a `JSONElement`.
    public init(from decoder: any Decoder) throws { value = try? JSONElement(from: decoder).decode(Value.self) }
}

extension JSONElement {
    /// The number that a string of few digits writes; most numbers of some providers are such strings.
    fileprivate var digits: Double? {
        guard form == .text, !isEmptyString else { return nil }
        return table.withDigits(of: node) { digits in
            digits.first == UInt8(ascii: "-") ? nil : JSONNumber.integer(digits).flatMap { Double(exactly: $0) }
        }
    }
}
