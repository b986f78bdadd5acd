// Some hashes are stored or compared between processes, which Swift's seeded `Hasher` does not allow.

/// The FNV-1a hash in 64 bits (Fowler, Noll, Vo): the same value in every process; not for secrets.
public struct FNV1a: Sendable {
    /// The hash of all bytes added so far; the offset basis before the first.
    public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Starts with no bytes.
    public init() {}

    /// Adds bytes at the end.
    ///
    /// - Parameter bytes: Any number of bytes.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }

    /// Hashes bytes.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Returns: Their hash in 64 bits.
    public static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = FNV1a()
        hash.add(bytes)
        return hash.value
    }

    /// Hashes bytes in the 32-bit variant, for identifiers that have to stay short.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Returns: Their hash in 32 bits.
    public static func hash32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
