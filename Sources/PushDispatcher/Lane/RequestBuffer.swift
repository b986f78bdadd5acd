// Path and id of each request are written to reused memory, so that a push allocates nothing.

internal import ScoreTypes

/// The bytes that differ in every request; confined to the loop.
final class RequestBuffer {
    private static let prefix = Array("/3/device/".utf8)
    private let path = UnsafeMutableRawBufferPointer.allocate(
        byteCount: prefix.count + 2 * TypeLimits.pushTokenBytes,
        alignment: 16
    )
    private let id = UnsafeMutableRawBufferPointer.allocate(byteCount: RequestSeed.textByteCount, alignment: 16)

    init() { path.copyBytes(from: Self.prefix) }

    deinit {
        path.deallocate()
        id.deallocate()
    }

    /// Writes a token's path; the result is valid until the next call.
    func path(of token: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let room = (path.count - Self.prefix.count) / 2
        let bytes = UnsafeRawBufferPointer(rebasing: token.prefix(room))
        if let start = path.baseAddress { Hex.write(bytes, into: start + Self.prefix.count) }
        return UnsafeRawBufferPointer(rebasing: path[0..<(Self.prefix.count + 2 * bytes.count)])
    }

    /// Writes a request's id; the result is valid until the next call.
    func id(_ seed: RequestSeed, _ device: DeviceID, _ generation: Int32) -> UnsafeRawBufferPointer {
        if let start = id.baseAddress { seed.write(device, generation: generation, into: start) }
        return UnsafeRawBufferPointer(id)
    }
}
