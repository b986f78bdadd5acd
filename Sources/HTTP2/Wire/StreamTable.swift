// The open streams of one connection, in slots that are reused so that a request allocates nothing.

/// The state of one stream.
protocol StreamSlot {
    init()
    /// Returns to the initial state; may keep memory for the next stream.
    mutating func clear()
}

/// Slots for streams, with a list of the free ones.
struct StreamTable<Slot: StreamSlot> {
    private(set) var slots: ContiguousArray<Slot> = []
    private var free: ContiguousArray<Int> = []
    private(set) var count = 0

    mutating func take() -> Int {
        count += 1
        if let index = free.popLast() { return index }
        slots.append(Slot())
        return slots.count - 1
    }

    mutating func release(_ index: Int) {
        slots[index].clear()
        free.append(index)
        count -= 1
    }

    subscript(index: Int) -> Slot {
        get { slots[index] }
        _modify { yield &slots[index] }
    }
}
