// Memory that only serves during one call on a loop is there once, not once for each connection.

/// Buffers that all connections of a loop use in turn.
final class LoopScratch {
    /// Bytes taken from a socket at once: four TLS records, so that a busy peer costs few system calls.
    static let cipherCapacity = 65_536
    /// One TLS record's content, the most that `SSL_read` gives at once.
    static let plainCapacity = 16_384
    /// Output gathered before it is encrypted and sent; 16 KB cost 70 % more a request, more gained nothing.
    static let stagingCapacity = 131_072

    let cipher = UnsafeMutableRawBufferPointer.allocate(byteCount: cipherCapacity, alignment: 16)
    let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: plainCapacity, alignment: 16)
    let staging = ByteBuffer(capacity: stagingCapacity)

    deinit {
        cipher.deallocate()
        plain.deallocate()
    }
}
