// A few kilobytes of gzip can unpack to gigabytes, so webhooks and captures are unpacked with a limit.
// Answers of the API are packed with the same library.

internal import CZlib

/// zlib with a limit on the size of what is unpacked.
public enum Compression {
    /// The reason why bytes could not be unpacked.
    public enum Failure: Error, Sendable, Hashable {
        /// The bytes are neither gzip nor zlib, or are cut short.
        case malformed
        /// The unpacked size exceeds the limit.
        case tooLarge
    }

    /// Compresses bytes in the zlib format; nil when memory ran out.
    public static func pack(_ bytes: [UInt8]) -> [UInt8]? {
        var length = compressBound(uLong(bytes.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        // Speed over size: captures are written beside the poll of every match.
        let code = compress2(&packed, &length, bytes, uLong(bytes.count), Z_BEST_SPEED)
        guard code == Z_OK else { return nil }
        packed.removeLast(packed.count - Int(length))
        return packed
    }

    /// Compresses bytes as one gzip member (RFC 1952) without a time or a name, so that equal bytes give equal members;
    /// nil when memory ran out.
    public static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        // 16 more than the largest window: the header of gzip in place of that of zlib; 8 is zlib's usual memory.
        let begun = deflateInit2_(
            &stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            15 + 16,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        guard begun == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        var source = bytes
        let code = source.withUnsafeMutableBufferPointer { input in
            packed.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard code == Z_STREAM_END else { return nil }
        packed.removeLast(Int(stream.avail_out))
        return packed
    }

    /// Unpacks one gzip member or zlib stream to at most `limit` bytes.
    ///
    /// - Throws: `Failure`.
    public static func unpack(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        // 32 more than the largest window: either header is recognised.
        let begun = inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { throw .malformed }
        defer { inflateEnd(&stream) }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var source = bytes
        let outcome: Result<Void, Failure> = source.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            while true {
                let (code, count) = chunk.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = uInt(output.count)
                    let code = inflate(&stream, Z_NO_FLUSH)
                    return (code, output.count - Int(stream.avail_out))
                }
                guard code == Z_OK || code == Z_STREAM_END else { return .failure(.malformed) }
                guard result.count + count <= limit else { return .failure(.tooLarge) }
                result += chunk[..<count]
                if code == Z_STREAM_END { return .success(()) }
                if stream.avail_in == 0 && count == 0 { return .failure(.malformed) }
            }
        }
        try outcome.get()
        return result
    }

    /// Whether bytes begin with the magic number of gzip.
    static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.count > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b }
}
