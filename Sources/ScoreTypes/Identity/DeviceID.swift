// A device is identified by a random UUID that the server generated.

/// The id of one registered device: 16 bytes, printed as a lower-case UUID.
public struct DeviceID: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// Combines the two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Generates a random UUID, version 4.
    public init(using generator: inout some RandomNumberGenerator) {
        high = (generator.next() & 0xffff_ffff_ffff_0fff) | 0x4000
        low = (generator.next() & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000
    }

    /// Reads a UUID of 36 characters; nil when it is not one.
    public init?(_ text: String) {
        let characters = Array(text.utf8)
        let dash = UInt8(ascii: "-")
        guard characters.count == 36, [8, 13, 18, 23].allSatisfy({ characters[$0] == dash }),
            let bytes = Hex.bytes(String(decoding: characters.filter { $0 != dash }, as: UTF8.self))
        else { return nil }
        self.init(bytes: bytes)
    }

    /// Reads 16 bytes as PostgreSQL stores a uuid; nil for another length.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The 16 bytes in network byte order.
    public var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
    }

    /// The UUID in lower case.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for digit in 0..<32 {
                if [8, 12, 16, 20].contains(digit) {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                let half = digit < 16 ? high : low
                let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit % 16)) & 0xf)
                text[place] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
                place += 1
            }
            return place
        }
    }
}
