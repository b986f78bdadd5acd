// Of several tasks that may produce a result, the first one counts, and any number of tasks wait for it.

internal import Synchronization

/// A value that is set once and can be awaited.
public final class FirstValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())

    /// Makes one without a value.
    public init() {}

    /// Sets the value unless it is set.
    public func set(_ value: Value) {
        let waiters = state.withLock { state in
            guard state.value == nil else { return [CheckedContinuation<Value, Never>]() }
            state.value = value
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// Waits for the value; a wait does not end by cancellation.
    public func value() async -> Value {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.value == nil { state.waiters.append(continuation) }
                return state.value
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
