// A push body is rendered once and read by thousands of streams on several loops without a copy.

/// Immutable bytes at a fixed address, freed with their last owner.
public final class BodyBytes: Sendable {
    private let storage: Storage

    /// Copies the bytes once.
    public init(_ bytes: some Collection<UInt8>) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        storage = Storage(bytes: UnsafeRawBufferPointer(memory))
    }

    deinit { storage.bytes.deallocate() }

    /// The bytes; valid as long as this object is.
    public var bytes: UnsafeRawBufferPointer { storage.bytes }

    /// Length in bytes.
    public var count: Int { storage.bytes.count }

    /// Written once before anybody else can see it, then only read.
    private struct Storage: @unchecked Sendable {
        let bytes: UnsafeRawBufferPointer
    }
}
