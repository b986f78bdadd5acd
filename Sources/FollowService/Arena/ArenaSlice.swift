// The fan-out reads tokens in slices: one lock, one copy and one call for 256 of them.

/// Up to 256 neighbouring entries of an arena as they were under the bucket's lock.
public struct ArenaSlice: Sendable {
    private var bytes: [UInt8]
    private let layout: SlotLayout
    /// Entries in the slice.
    public private(set) var count: Int

    init(copying start: UnsafeRawPointer, layout: SlotLayout, count: Int) {
        bytes = Array(UnsafeRawBufferPointer(start: start, count: count * layout.stride))
        self.layout = layout
        self.count = count
    }

    /// Makes an empty slice.
    init(layout: SlotLayout, capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity * layout.stride)
        self.layout = layout
        count = 0
    }

    /// Copies one entry.
    mutating func append(_ slot: UnsafeRawPointer) {
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: slot, count: layout.stride))
        count += 1
    }

    /// Calls the body for each entry; its token's bytes are valid inside the body only.
    public func forEach(_ body: (ArenaEntry) -> Void) {
        bytes.withUnsafeBytes { memory in
            guard let start = memory.baseAddress else { return }
            for place in 0..<count { body(layout.read(at: start + place * layout.stride)) }
        }
    }
}
