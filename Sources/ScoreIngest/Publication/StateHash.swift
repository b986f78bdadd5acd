// Whether two publications would draw the same has to be answered alike by every node and after every restart.

/// FNV-1a with 64 bits: stable across processes, unlike Swift's own hashing.
struct StateHash: Sendable {
    /// The hash of what was taken in so far.
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Takes in bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    }
}
