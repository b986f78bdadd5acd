// Elements that wait for a moment, the earliest first.

internal import ScoreTypes

/// A bounded heap by due time.
struct DueHeap<Element> {
    private let countMax: Int
    private var heap: [(due: Duration, element: Element)] = []

    init(countMax: Int) { self.countMax = countMax }

    var count: Int { heap.count }
    var nextDue: Duration? { heap.first?.due }

    /// Adds an element; false when the heap is full.
    mutating func insert(_ element: Element, due: Duration) -> Bool {
        guard heap.count < countMax else { return false }
        heap.append((due, element))
        var child = heap.count - 1
        while child > 0, heap[child].due < heap[(child - 1) / 2].due {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return true
    }

    /// Removes and returns the first element that is due.
    mutating func popDue(at now: Duration) -> Element? {
        guard let first = heap.first, first.due <= now else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.element }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].due < heap[least].due
            {
                least = child
            }
            guard least != parent else { return first.element }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// The elements that satisfy a condition, in no order.
    func all(where holds: (Element) -> Bool) -> [Element] { heap.lazy.map(\.element).filter(holds) }

    /// Changes the elements in place; their times stay.
    mutating func changeAll(_ change: (inout Element) -> Void) {
        for index in heap.indices { change(&heap[index].element) }
    }

    /// Removes and returns all elements that are due, the earliest first.
    mutating func popAllDue(at now: Duration) -> [Element] {
        var due: [Element] = []
        while let next = popDue(at: now) { due.append(next) }
        return due
    }

    /// Removes and returns the elements that satisfy a condition, in no order.
    @discardableResult
    mutating func removeAll(where holds: (Element) -> Bool = { _ in true }) -> [Element] {
        let all = heap
        heap = []
        return all.compactMap { due, element in holds(element) || !insert(element, due: due) ? element : nil }
    }
}
