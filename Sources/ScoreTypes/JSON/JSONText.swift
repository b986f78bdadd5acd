// Some strings have escapes, and some providers write UTF-16 or a byte order mark.

/// Decodes strings with escapes, and texts that are not plain UTF-8.
enum JSONText {
    /// A text in UTF-16, or in UTF-8 behind a byte order mark, as UTF-8; nil for any other.
    static func utf8(of body: [UInt8]) -> [UInt8]? {
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(body.dropFirst(3)) }
        guard body.count >= 2, body.count.isMultiple(of: 2) else { return nil }
        let isBigFirst = body[0] == 0 || body.starts(with: [0xFE, 0xFF])
        guard isBigFirst || body[1] == 0 || body.starts(with: [0xFF, 0xFE]) else { return nil }
        let units = stride(from: 0, to: body.count, by: 2).map { at in
            let (one, other) = (UInt16(body[at]), UInt16(body[at + 1]))
            return isBigFirst ? one << 8 | other : other << 8 | one
        }
        let text = units.first == 0xFEFF ? units.dropFirst() : units[...]
        // Most replies are plain ASCII, and validating a UTF-16 text takes longer than reading the JSON in it.
        if text.allSatisfy({ $0 < 0x80 }) { return text.map { UInt8(truncatingIfNeeded: $0) } }
        return String(validating: text, as: UTF16.self).map { Array($0.utf8) }
    }

    /// The string; nil for an invalid escape, half a surrogate pair, a control character or invalid UTF-8.
    static func string(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        unescaped(Array(bytes)[...]).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The bytes without escapes; nil for an invalid escape or a control character.
    static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var found: [UInt8] = []
        found.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                guard byte >= 0x20 else { return nil }
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

    /// The scalar of a `\u` escape, or of a surrogate pair of two.
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
            guard let digit = rest.popFirst().flatMap({ Hex.value(of: $0) }) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
