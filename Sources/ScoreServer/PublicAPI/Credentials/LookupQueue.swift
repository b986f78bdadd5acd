// An address that guesses credentials must not load the database, and must not stop the phones behind it either.

import Synchronization

/// Runs lookups one after another, in the order of the calls.
final class LookupQueue: Sendable {
    private struct State {
        var waiting = 0
        var last: Task<Void, Never>?
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: The most calls that wait; a further one is refused as `overload`.
    init(capacity: Int) { self.capacity = capacity }

    /// The result of a lookup, once the earlier ones have ended.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let task = enter(work) else { throw ServiceProblem.unavailable("overload") }
        return try await task.value
    }

    private func enter<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error>? {
        state.withLock { state in
            guard state.waiting < capacity else { return nil }
            state.waiting += 1
            let previous = state.last
            let task = Task {
                await previous?.value
                defer { self.state.withLock { $0.waiting -= 1 } }
                return try await work()
            }
            state.last = Task { _ = await task.result }
            return task
        }
    }
}
