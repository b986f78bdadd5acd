// A push body is rendered once; thousands of streams on several loops read it without a copy.

/// Immutable bytes at a fixed address, freed with the last reference.
public final class BodyBytes: Sendable {
    private let storage: Storage

    /// Copies the bytes once.
    public init(_ bytes: some Collection<UInt8>) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        storage = Storage(bytes: UnsafeRawBufferPointer(memory))
    }

    deinit { storage.bytes.deallocate() }

    /// The bytes; valid as long as this object exists.
    public var bytes: UnsafeRawBufferPointer { storage.bytes }

    /// Length in bytes.
    public var count: Int { storage.bytes.count }

    /// Written once before any other thread can read it, then only read.
    private struct Storage: @unchecked Sendable {
        let bytes: UnsafeRawBufferPointer
    }
}
