// Tests wait for events of loops without sleeping: each event may satisfy a waiting condition.

import Synchronization

/// Shared state with conditions that tests wait for.
final class Observed<Contents: Sendable>: Sendable {
    private struct State {
        var contents: Contents
        var waiters: [(condition: @Sendable (Contents) -> Bool, continuation: CheckedContinuation<Contents, Never>)] =
            []
    }

    private let state: Mutex<State>

    init(_ contents: Contents) { state = Mutex(State(contents: contents)) }

    var now: Contents { state.withLock { $0.contents } }

    func update(_ change: (inout Contents) -> Void) {
        let satisfied = state.withLock { state in
            change(&state.contents)
            let contents = state.contents
            let ready = state.waiters.filter { $0.condition(contents) }.map { ($0.continuation, contents) }
            state.waiters.removeAll { $0.condition(contents) }
            return ready
        }
        for (continuation, contents) in satisfied { continuation.resume(returning: contents) }
    }

    /// Returns once the condition holds; the suite's time limit is the deadline.
    @discardableResult
    func wait(until condition: @escaping @Sendable (Contents) -> Bool) async -> Contents {
        await withCheckedContinuation { continuation in
            let contents: Contents? = state.withLock { state in
                guard !condition(state.contents) else { return state.contents }
                state.waiters.append((condition, continuation))
                return nil
            }
            if let contents { continuation.resume(returning: contents) }
        }
    }
}
