// Deadlines of one loop in the order in which they fall due.

/// A timer that was set; cancelling one that has fired does nothing.
public struct LoopTimer: Hashable {
    let id: UInt64
}

/// A binary heap of deadlines with lazy cancellation; knows no clock.
struct TimerQueue<Body> {
    /// How many timers may be set, a few for each of some thousand connections; a full queue refuses more.
    static var countMax: Int { 65_536 }

    private struct Entry {
        let due: Int64
        let id: UInt64
    }

    private var heap: [Entry] = []
    private var bodies: [UInt64: Body] = [:]
    private var nextID: UInt64 = 1

    var count: Int { bodies.count }

    /// The earliest deadline in nanoseconds; nil when none is set.
    mutating func nextDue() -> Int64? {
        dropCancelled()
        return heap.first?.due
    }

    mutating func insert(due: Int64, _ body: Body) -> LoopTimer? {
        guard bodies.count < Self.countMax else { return nil }
        compactIfMostlyCancelled()
        let id = nextID
        nextID &+= 1
        bodies[id] = body
        heap.append(Entry(due: due, id: id))
        siftUp(heap.count - 1)
        return LoopTimer(id: id)
    }

    mutating func cancel(_ timer: LoopTimer) { bodies[timer.id] = nil }

    /// Takes the next body whose deadline has come.
    mutating func popDue(at now: Int64) -> Body? {
        dropCancelled()
        guard let first = heap.first, first.due <= now else { return nil }
        removeFirst()
        return bodies.removeValue(forKey: first.id)
    }

    private mutating func dropCancelled() {
        while let first = heap.first, bodies[first.id] == nil { removeFirst() }
    }

    private mutating func compactIfMostlyCancelled() {
        guard heap.count > 64, heap.count > 2 * bodies.count else { return }
        heap.removeAll { bodies[$0.id] == nil }
        // An array in ascending order is a heap.
        heap.sort { Self.precedes($0, $1) }
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown()
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        left.due == right.due ? left.id < right.id : left.due < right.due
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.precedes(heap[child], heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if Self.precedes(heap[child], heap[least]) { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
