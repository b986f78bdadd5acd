// OpenSSL reads and writes the loop's memory directly, without the copies and clearing of its own memory BIO.

internal import COpenSSL
internal import Glibc

/// The network as OpenSSL sees it: received bytes, and a buffer for bytes to send.
final class BytesBIO {
    /// Bytes from the socket that TLS has not read; points into the loop's scratch memory during one call.
    var incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    let outgoing = ByteBuffer(capacity: 4096)

    /// Makes OpenSSL's handle, which its `SSL` object owns; the handle must not outlive this object.
    func makeHandle() -> OpaquePointer? {
        guard let method = Self.callbacks, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    private static func object(of bio: OpaquePointer?) -> BytesBIO? {
        BIO_get_data(bio).map { Unmanaged<BytesBIO>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Registered once in the process, complete before any other thread can read them, and never changed.
    nonisolated(unsafe) private static let callbacks: OpaquePointer? = {
        let made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "score bytes")
        BIO_meth_set_read(made) { bio, target, length in
            BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_IO_SPECIAL | BIO_FLAGS_SHOULD_RETRY)
            guard let bytes = BytesBIO.object(of: bio), let target else { return -1 }
            let count = min(Int(length), bytes.incoming.count)
            guard count > 0, let source = bytes.incoming.baseAddress else {
                BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
                return -1
            }
            memcpy(target, source, count)
            bytes.incoming = UnsafeRawBufferPointer(rebasing: bytes.incoming[count...])
            return Int32(count)
        }
        BIO_meth_set_write(made) { bio, source, length in
            guard let bytes = BytesBIO.object(of: bio), let source, length > 0 else { return 0 }
            bytes.outgoing.append(source, Int(length))
            return length
        }
        BIO_meth_set_ctrl(made) { _, command, _, _ in
            command == BIO_CTRL_FLUSH ? 1 : 0
        }
        return made
    }()
}
