// Memory that is needed only during one call on a loop exists once a loop, not once a connection.

/// Buffers that all connections of a loop use in turn.
final class LoopScratch {
    let cipher = UnsafeMutableRawBufferPointer.allocate(byteCount: HTTP2Limits.cipherBytes, alignment: 16)
    let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: HTTP2Limits.plainBytes, alignment: 16)
    let staging = ByteBuffer(capacity: HTTP2Limits.stagingBytes)

    deinit {
        cipher.deallocate()
        plain.deallocate()
    }
}
