// Hexadecimal digits, for tokens, ids and fingerprints.

/// Lower-case hexadecimal.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The value of one digit, upper or lower case; nil for another byte.
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

    /// The bytes of an even number of digits; nil for anything else.
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

    /// The eight digits of four bytes, computed without a table and for all four at once.
    ///
    /// - Parameter bytes: Four bytes, the first one least significant.
    /// - Returns: Eight ASCII characters, the first one least significant.
    @inlinable
    public static func digits(ofFour bytes: UInt32) -> UInt64 {
        var lanes = UInt64(bytes)
        lanes = (lanes | lanes << 16) & 0x0000_ffff_0000_ffff
        lanes = (lanes | lanes << 8) & 0x00ff_00ff_00ff_00ff
        let nibbles = (lanes >> 4 & 0x000f_000f_000f_000f) | (lanes & 0x000f_000f_000f_000f) << 8
        // The code of `a` is 39 greater than the code that follows that of `9`.
        let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }

    /// Writes two digits for each byte of the source.
    ///
    /// - Parameters:
    ///   - source: Any number of bytes.
    ///   - target: Memory for twice as many bytes.
    public static func write(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer) {
        guard let start = source.baseAddress else { return }
        var index = 0
        while index + 4 <= source.count {
            let four = UInt32(littleEndian: start.loadUnaligned(fromByteOffset: index, as: UInt32.self))
            target.storeBytes(of: digits(ofFour: four).littleEndian, toByteOffset: 2 * index, as: UInt64.self)
            index += 4
        }
        while index < source.count {
            let two = UInt16(truncatingIfNeeded: digits(ofFour: UInt32(source[index])))
            target.storeBytes(of: two.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
            index += 1
        }
    }
}
