// Hexadecimal digits, for tokens, ids and fingerprints.

/// Lower-case hexadecimal.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The value of one digit of either case; nil for another byte.
    public static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Two digits for each byte.
    public static func string(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes behind an even number of digits; nil for anything else.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2)
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let high = value(of: characters[index]), let low = value(of: characters[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Writes two digits for each byte of the source into memory that has room for them.
    public static func write(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer) {
        for (index, byte) in source.enumerated() {
            target.storeBytes(of: digits[Int(byte >> 4)], toByteOffset: 2 * index, as: UInt8.self)
            target.storeBytes(of: digits[Int(byte & 15)], toByteOffset: 2 * index + 1, as: UInt8.self)
        }
    }
}
