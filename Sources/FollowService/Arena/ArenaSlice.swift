// The fan-out reads tokens in slices: one lock, one copy and one call for 256 of them.

/// Up to 256 neighbouring entries of an arena as they were under the bucket's lock.
public struct ArenaSlice: Sendable {
    private let bytes: [UInt8]
    private let layout: SlotLayout
    /// Entries in the slice.
    public let count: Int

    init(copying start: UnsafeRawPointer, layout: SlotLayout, count: Int) {
        bytes = Array(UnsafeRawBufferPointer(start: start, count: count * layout.stride))
        self.layout = layout
        self.count = count
    }

    /// Calls the body for each entry; its token's bytes are valid inside the body only.
    public func forEach(_ body: (ArenaEntry) -> Void) {
        bytes.withUnsafeBytes { memory in
            guard let start = memory.baseAddress else { return }
            for place in 0..<count { body(layout.read(at: start + place * layout.stride)) }
        }
    }
}
