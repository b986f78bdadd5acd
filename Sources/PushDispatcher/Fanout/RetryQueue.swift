// Tokens that wait for another try, the next due one first.

internal import ScoreTypes

/// A bounded heap of repeats by due time.
struct RetryQueue {
    /// Repeats waiting in one fan-out: about what a second of outage leaves behind before the breaker opens.
    static let countMax = 10_000

    /// One token that is to get the newest state.
    struct Entry {
        let due: Duration
        let device: DeviceID
        let generation: Int32
        let bucket: Int16
        /// The pass that waits for this token; negative for none.
        let pass: Int32
        let attempt: UInt8
        let firstSentAt: Duration
    }

    private var heap: [Entry] = []

    var count: Int { heap.count }
    var nextDue: Duration? { heap.first?.due }

    /// Adds an entry; false when the queue is full.
    mutating func insert(_ entry: Entry) -> Bool {
        guard heap.count < Self.countMax else { return false }
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child].due < heap[(child - 1) / 2].due {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return true
    }

    /// Takes the first entry that is due.
    mutating func popDue(at now: Duration) -> Entry? {
        guard let first = heap.first, first.due <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].due < heap[least].due
            {
                least = child
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// Empties the queue and returns what was in it.
    mutating func removeAll() -> [Entry] {
        defer { heap = [] }
        return heap
    }
}
