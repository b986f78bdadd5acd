// The deadlines of one loop, in order.

/// A set timer.
public struct LoopTimer: Hashable {
    let id: UInt64
}

/// A binary heap of deadlines in nanoseconds, with lazy cancellation; it reads no clock.
struct TimerQueue<Body> {
    private struct Entry {
        let due: Int64
        let id: UInt64
    }

    private var heap: [Entry] = []
    private var bodies: [UInt64: Body] = [:]
    private var nextID: UInt64 = 1

    var count: Int { bodies.count }

    /// The earliest deadline in nanoseconds; nil if no timer is set.
    mutating func nextDue() -> Int64? {
        dropCancelled()
        return heap.first?.due
    }

    mutating func insert(due: Int64, _ body: Body) -> LoopTimer? {
        guard bodies.count < HTTP2Limits.loopTimers else { return nil }
        compactIfMostlyCancelled()
        let id = nextID
        nextID &+= 1
        bodies[id] = body
        heap.append(Entry(due: due, id: id))
        siftUp(heap.count - 1)
        return LoopTimer(id: id)
    }

    mutating func cancel(_ timer: LoopTimer) { bodies[timer.id] = nil }

    /// Removes and returns the next body whose deadline has passed.
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
        guard heap.count > HTTP2Limits.loopTimersUncompacted, heap.count > 2 * bodies.count else { return }
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
