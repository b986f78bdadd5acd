// Most numbers are short, and their digits are read several times faster than the standard library reads a string.

/// Reads the digits of numbers whose syntax was checked.
enum JSONNumber {
    /// Every integer of so many digits fits 64 bits.
    private static let exactIntegerDigits = 18
    /// Every integer of so many digits has a `Double` of its own.
    private static let exactDoubleDigits = 15
    /// Every integer below has a `Double` of its own.
    static let exactBound = 9_007_199_254_740_992.0
    /// A decimal of up to 15 digits is divided by one of these with a single rounding.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// The integer; nil for a decimal, an exponent, and beyond 64 bits.
    static func integer(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        let isNegative = digits.first == UInt8(ascii: "-")
        let digits = isNegative ? digits.dropFirst() : digits
        guard digits.count <= exactIntegerDigits else {
            return Int64((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
        }
        var value: Int64 = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }

    /// The number; nil beyond every `Double`.
    static func double(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        if let short = short(text) { return short }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// A decimal of few digits: the quotient of two exact numbers is correctly rounded (Clinger 1990).
    private static func short(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        guard text.count <= exactDoubleDigits else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        var value: Int64 = 0
        var decimals = 0
        var isFraction = false
        for byte in isNegative ? text.dropFirst() : text {
            switch byte {
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                if isFraction { decimals += 1 }
            default: return nil
            }
        }
        let number = Double(value) / powers[decimals]
        return isNegative ? -number : number
    }
}
