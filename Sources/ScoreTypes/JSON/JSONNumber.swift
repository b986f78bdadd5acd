// Numbers of a feed are short: most are made of their digits without asking a library.

/// Reads numbers whose form has been checked.
enum FeedJSONNumber {
    /// Digits of which every whole number fits 64 bits.
    private static let wholeMax = 18
    /// Digits of which every whole number is a `Double` of its own.
    private static let doubleMax = 15
    /// Below this every whole `Double` is one number only.
    static let exactMax = 9_007_199_254_740_992.0
    /// The powers of ten that a decimal of so few digits may be divided by with one rounding.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// The number when it is written as a whole one and is not too long.
    static func whole(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        let isNegative = digits.first == UInt8(ascii: "-")
        let digits = isNegative ? digits.dropFirst() : digits
        guard digits.count <= wholeMax else {
            return Int64((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
        }
        var value: Int64 = 0
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }

    /// The number; nil when it is beyond every `Double`.
    static func double(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        if let short = short(text) { return short }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// A decimal of few digits: one division of two exact numbers rounds as the standard wants it.
    private static func short(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        guard text.count <= doubleMax else { return nil }
        let isNegative = text.first == UInt8(ascii: "-")
        var value: Int64 = 0
        var decimals = 0
        var isBehindPoint = false
        for byte in isNegative ? text.dropFirst() : text {
            switch byte {
            case UInt8(ascii: "."): isBehindPoint = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                if isBehindPoint { decimals += 1 }
            default: return nil
            }
        }
        let number = Double(value) / powers[decimals]
        return isNegative ? -number : number
    }
}
