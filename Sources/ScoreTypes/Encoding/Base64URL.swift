// JSON Web Tokens, bearer credentials and page cursors are base64 that needs no escaping in a header or a URL.

/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte as a digit, 0 to 63; `invalid` for a byte outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
    private static let invalid: UInt8 = 0xff

    /// Encodes bytes.
    ///
    /// - Parameter bytes: Any bytes.
    /// - Returns: Four characters for three bytes; a remainder of one or two bytes gives two or three characters.
    public static func text(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 4 / 3 + 3)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word: UInt32 = 0
            for byte in group { word = word << 8 | UInt32(byte) }
            word <<= 8 * UInt32(3 - group.count)
            for digit in 0...group.count { output.append(alphabet[Int(word >> UInt32(18 - 6 * digit) & 63)]) }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes text; bits beyond the last whole byte are ignored.
    ///
    /// - Parameter text: UTF-8 bytes of the text, for example `string.utf8`.
    /// - Returns: The bytes; nil when the text holds a character outside the alphabet (padding included), or has a
    ///   length that encodes no whole number of bytes.
    public static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count * 3 / 4)
        var (word, bitCount): (UInt32, UInt32) = (0, 0)
        for byte in text {
            let value = values[Int(byte)]
            guard value != invalid else { return nil }
            word = word << 6 | UInt32(value)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            output.append(UInt8(truncatingIfNeeded: word >> bitCount))
        }
        return output
    }
}
