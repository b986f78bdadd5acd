// Texts of a feed hold an escape here and there: names with accents, and slashes.

/// Reads texts with escapes.
enum FeedJSONText {
    /// The bytes that are meant; nil for an escape that is none, and for half a surrogate pair.
    static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var found: [UInt8] = []
        found.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                found.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\""): found.append(UInt8(ascii: "\""))
            case UInt8(ascii: "\\"): found.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "/"): found.append(UInt8(ascii: "/"))
            case UInt8(ascii: "b"): found.append(0x08)
            case UInt8(ascii: "f"): found.append(0x0C)
            case UInt8(ascii: "n"): found.append(0x0A)
            case UInt8(ascii: "r"): found.append(0x0D)
            case UInt8(ascii: "t"): found.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(&rest) else { return nil }
                found += Array(String(Character(scalar)).utf8)
            default: return nil
            }
        }
        return found
    }

    /// The character of an escape with four digits, or of two of them.
    private static func scalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let first = unit(&rest) else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard rest.popFirst() == UInt8(ascii: "\\"), rest.popFirst() == UInt8(ascii: "u"), let second = unit(&rest),
            (0xDC00..<0xE000).contains(second)
        else { return nil }
        return Unicode.Scalar(0x1_0000 + ((first - 0xD800) << 10 | (second - 0xDC00)))
    }

    private static func unit(_ rest: inout ArraySlice<UInt8>) -> UInt32? {
        guard rest.count >= 4 else { return nil }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = rest.popFirst() else { return nil }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
        return value
    }
}
