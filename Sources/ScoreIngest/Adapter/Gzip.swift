// A few kilobytes of gzip can hold gigabytes; what is pushed to us is unpacked only as far as a match can reach.

internal import CZlib

/// Unpacks gzip.
enum Gzip {
    /// Bytes unpacked in one step.
    private static let stepBytes = 64 * 1024
    /// What makes zlib expect a gzip header, with the largest window.
    private static let windowBits: Int32 = 15 + 16

    /// Whether a body begins as gzip does.
    static func isGzip(_ body: [UInt8]) -> Bool { body.count > 2 && body[0] == 0x1f && body[1] == 0x8b }

    /// Unpacks one member.
    ///
    /// - Throws: `AdapterError.wrongForm` for what is no whole gzip, `outOfRange` beyond the limit in bytes.
    static func inflate(_ body: [UInt8], limit: Int) throws(AdapterError) -> [UInt8] {
        var stream = z_stream()
        guard
            inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .wrongForm(path: "body", expected: "gzip that there is memory for") }
        defer { inflateEnd(&stream) }
        var input = body
        var result: [UInt8] = []
        var step = [UInt8](repeating: 0, count: stepBytes)
        return try input.withUnsafeMutableBufferPointer { source throws(AdapterError) -> [UInt8] in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(clamping: source.count)
            while true {
                let (code, count) = step.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    let code = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (code, target.count - Int(stream.avail_out))
                }
                guard result.count + count <= limit else {
                    throw .outOfRange(path: "body", expected: "at most \(limit) bytes unpacked")
                }
                result += step.prefix(count)
                if code == Z_STREAM_END { return result }
                guard code == Z_OK, count > 0 || stream.avail_in > 0 else {
                    throw .wrongForm(path: "body", expected: "a whole gzip")
                }
            }
        }
    }
}
