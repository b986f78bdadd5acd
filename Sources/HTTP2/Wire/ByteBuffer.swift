// Raw memory that grows and is reused; arrays would be zeroed, checked and moved on the hot path.

internal import Glibc

/// A growable byte buffer with a read position.
final class ByteBuffer {
    private(set) var base: UnsafeMutableRawPointer
    private(set) var capacity: Int
    private(set) var count = 0
    /// Bytes at the front that were consumed.
    private(set) var start = 0
    private let initialCapacity: Int

    init(capacity: Int) {
        initialCapacity = capacity
        self.capacity = capacity
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { base.deallocate() }

    var isEmpty: Bool { start == count }
    var readable: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base + start, count: count - start) }

    func append(_ bytes: UnsafeRawPointer, _ length: Int) {
        if count + length > capacity { grow(to: count + length) }
        memcpy(base + count, bytes, length)
        count += length
    }

    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        append(start, bytes.count)
    }

    func appendInteger<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value) { append($0) }
    }

    /// Removes bytes from the front.
    func consume(_ length: Int) {
        start += length
        if start >= count { clear() }
    }

    /// Empties the buffer and keeps its memory.
    func clear() {
        start = 0
        count = 0
    }

    /// Returns to the initial capacity if the buffer is empty and larger than the limit in bytes.
    func shrink(over limit: Int) {
        guard capacity > limit, isEmpty else { return }
        base.deallocate()
        base = .allocate(byteCount: initialCapacity, alignment: 16)
        capacity = initialCapacity
        clear()
    }

    private func grow(to needed: Int) {
        let wider = max(needed, 2 * capacity)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: wider, alignment: 16)
        memcpy(moved, base, count)
        base.deallocate()
        base = moved
        capacity = wider
    }
}
