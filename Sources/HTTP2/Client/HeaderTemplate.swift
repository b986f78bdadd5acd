// The headers that all requests of one fan-out share, laid out once as nghttp2 wants them.

internal import CNghttp2

/// Constant headers of many requests; immutable, so one may serve all connections.
public final class HeaderTemplate: Sendable {
    /// A header and how HPACK may treat it.
    public struct Field: Sendable {
        let name: [UInt8]
        let value: [UInt8]
        let isIndexed: Bool

        /// Describes a header; one whose value is new in each request must not be indexed.
        public init(_ name: String, _ value: String, isIndexed: Bool = true) {
            self.name = Array(name.utf8)
            self.value = Array(value.utf8)
            self.isIndexed = isIndexed
        }
    }

    let count: Int
    private let layout: Layout

    /// Lays out headers, pseudo-headers first.
    public init(_ fields: [Field]) {
        count = fields.count
        layout = Layout(fields)
    }

    deinit {
        layout.bytes.deallocate()
        layout.pairs.deallocate()
    }

    /// The pairs, valid as long as the template lives.
    var pairs: UnsafeBufferPointer<nghttp2_nv> { UnsafeBufferPointer(layout.pairs) }

    /// Written once in init and only read afterwards, by any thread.
    private struct Layout: @unchecked Sendable {
        let bytes: UnsafeMutableBufferPointer<UInt8>
        let pairs: UnsafeMutableBufferPointer<nghttp2_nv>

        init(_ fields: [Field]) {
            bytes = .allocate(capacity: max(1, fields.reduce(0) { $0 + $1.name.count + $1.value.count }))
            pairs = .allocate(capacity: max(1, fields.count))
            var next = 0
            for (index, field) in fields.enumerated() {
                let name = bytes.baseAddress.map { $0 + next }
                let value = name.map { $0 + field.name.count }
                for byte in field.name + field.value {
                    bytes[next] = byte
                    next += 1
                }
                let flags =
                    UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue) | UInt8(NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)
                    | (field.isIndexed ? 0 : UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue))
                pairs.initializeElement(
                    at: index,
                    to: nghttp2_nv(
                        name: name,
                        value: value,
                        namelen: field.name.count,
                        valuelen: field.value.count,
                        flags: flags
                    )
                )
            }
        }
    }
}

/// A body that many requests share without copying it.
public final class SharedBytes: Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    let count: Int
    private let memory: Memory

    /// Keeps a copy that never moves.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        count = bytes.count
        memory = Memory(bytes)
    }

    deinit { memory.pointer.deallocate() }

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory.pointer) }

    /// Written once in init and only read afterwards, by any thread.
    private struct Memory: @unchecked Sendable {
        let pointer: UnsafeMutableRawBufferPointer

        init(_ bytes: [UInt8]) {
            pointer = .allocate(byteCount: max(1, bytes.count), alignment: 16)
            pointer.copyBytes(from: bytes)
        }
    }
}
