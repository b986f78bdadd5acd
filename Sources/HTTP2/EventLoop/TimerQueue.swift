// Deadlines of a loop, soonest first; requests set thousands and nearly all are cancelled.

/// Names one timer of a loop.
public struct TimerID: Sendable, Hashable {
    let number: UInt64
}

/// A binary heap of deadlines; cancelled ones are skipped when they come up.
struct TimerQueue {
    private struct Entry {
        let at: Duration
        let id: UInt64
    }

    private var heap: [Entry] = []
    private var bodies: [UInt64: () -> Void] = [:]
    private var lastID: UInt64 = 0

    /// The soonest deadline that still counts.
    var next: Duration? {
        mutating get {
            while let first = heap.first, bodies[first.id] == nil { removeFirst() }
            return heap.first?.at
        }
    }

    mutating func add(at deadline: Duration, _ body: @escaping () -> Void) -> TimerID {
        lastID += 1
        bodies[lastID] = body
        heap.append(Entry(at: deadline, id: lastID))
        var child = heap.count - 1
        while child > 0, heap[child].at < heap[(child - 1) / 2].at {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return TimerID(number: lastID)
    }

    mutating func cancel(_ timer: TimerID) { bodies[timer.number] = nil }

    /// Takes all bodies whose deadline has come.
    mutating func due(at now: Duration) -> [() -> Void] {
        var due: [() -> Void] = []
        while let first = heap.first, first.at <= now || bodies[first.id] == nil {
            if let body = bodies.removeValue(forKey: first.id) { due.append(body) }
            removeFirst()
        }
        return due
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].at < heap[left].at ? right : left
            guard heap[child].at < heap[parent].at else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
