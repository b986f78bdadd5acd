// A push body is rendered once; thousands of streams on several loops read it without a copy.

/// Immutable bytes at a fixed address, freed with the last reference.
public final class BodyBytes: Sendable {
    /// The bytes; valid as long as this object exists.
    ///
    /// They are written once before any other thread can read them, then only read.
    nonisolated(unsafe) public let bytes: UnsafeRawBufferPointer

    /// Copies the bytes once.
    public init(_ bytes: some Collection<UInt8>) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        self.bytes = UnsafeRawBufferPointer(memory)
    }

    deinit { bytes.deallocate() }

    /// Length in bytes.
    public var count: Int { bytes.count }
}
