// Thousands of phones wait on one timer instead of one each.

public import ScoreTypes
import Synchronization

/// Wakes phones and the clocks of their apps at real times; one task runs it.
public final class PhoneSchedule: Sendable {
    private struct State {
        var heap = TurnHeap()
        var nextID: UInt64 = 0
        var phones: [UInt64: @Sendable () -> Void] = [:]
        /// The earliest turn of each phone; a later entry of the heap is void.
        var dues: [UInt64: Duration] = [:]
        var waits: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    }

    private let clock: ServiceClock
    private let state = Mutex(State())
    private let wake = WakeSignal()

    /// Makes a schedule on the real time of a clock.
    public init(clock: ServiceClock) { self.clock = clock }

    /// Wakes phones until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            fireDue()
            let next = state.withLock { $0.heap.first?.due }
            let wait = next.map { $0 - clock.monotonic } ?? SimulatorLimits.scheduleRest
            if wait > .zero { await wake.sleep(min(wait, SimulatorLimits.scheduleRest)) }
        }
    }

    /// Wakes all that is due now; a test calls it after it has moved its clock.
    public func fireDue() {
        while let due = state.withLock({ Self.takeDue(&$0, at: clock.monotonic) }) {
            due.phone?()
            due.wait?.resume()
        }
    }

    private static func takeDue(
        _ state: inout State,
        at now: Duration
    ) -> (phone: (@Sendable () -> Void)?, wait: CheckedContinuation<Void, any Error>?)? {
        while let first = state.heap.first, first.due <= now {
            state.heap.removeFirst()
            if let wait = state.waits.removeValue(forKey: first.id) { return (nil, wait) }
            guard state.dues[first.id] == first.due else { continue }
            state.dues[first.id] = nil
            return (state.phones[first.id], nil)
        }
        return nil
    }

    // MARK: Phones

    /// Adds a phone; the result names it.
    func add(_ phone: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.nextID += 1
            state.phones[state.nextID] = phone
            return state.nextID
        }
    }

    func remove(_ id: UInt64) {
        state.withLock { state in
            state.phones[id] = nil
            state.dues[id] = nil
        }
    }

    /// Wakes a phone at a real time, or earlier if it has an earlier turn.
    func wake(_ id: UInt64, at due: Duration) {
        let isFirst = state.withLock { state -> Bool in
            if let known = state.dues[id], known <= due { return false }
            state.dues[id] = due
            return state.heap.insert(due, id)
        }
        if isFirst { wake.fire() }
    }

    // MARK: Waits

    /// Waits until a real time.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait(until due: Duration) async throws {
        guard due > clock.monotonic else { return try Task.checkCancellation() }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isFirst = state.withLock { state in
                    state.waits[id] = continuation
                    return state.heap.insert(due, id)
                }
                if isFirst { wake.fire() }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: UInt64) {
        state.withLock { $0.waits.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
}

/// A binary heap of turns, the earliest first.
struct TurnHeap {
    private var entries: [(due: Duration, id: UInt64)] = []

    var first: (due: Duration, id: UInt64)? { entries.first }

    /// Adds a turn; whether it is the earliest one now.
    mutating func insert(_ due: Duration, _ id: UInt64) -> Bool {
        entries.append((due, id))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].due < entries[parent].due else { break }
            entries.swapAt(child, parent)
            child = parent
        }
        return child == 0
    }

    mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].due < entries[least].due { least = child }
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
