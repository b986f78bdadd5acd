// An actor runs other calls while one awaits; work that must not interleave across an await takes this lock.

internal import Synchronization

/// A mutual exclusion lock whose waiters suspend instead of blocking a thread; they get it in the order of their calls.
public final class AsyncMutex: Sendable {
    private struct State {
        var isLocked = false
        var waiters: [CheckedContinuation<Bool, Never>] = []
    }

    private let waitersMax: Int
    private let state = Mutex(State())

    /// Makes a lock that is free.
    ///
    /// - Parameter waitersMax: Calls of `lock` that may wait at a time; further calls are refused.
    public init(waitersMax: Int) { self.waitersMax = waitersMax }

    /// Takes the lock, waiting until it is free; cancellation does not end the wait.
    ///
    /// - Parameter isolation: The caller's actor, which the call does not leave while the lock is free.
    /// - Returns: True when the caller holds the lock, and has to call `unlock`; false when too many calls wait.
    public func lock(isolation: isolated (any Actor)? = #isolation) async -> Bool {
        await withCheckedContinuation(isolation: isolation) { caller in
            let answer: Bool? = state.withLock { state in
                guard state.isLocked else {
                    state.isLocked = true
                    return true
                }
                guard state.waiters.count < waitersMax else { return false }
                state.waiters.append(caller)
                return nil
            }
            if let answer { caller.resume(returning: answer) }
        }
    }

    /// Gives the lock to the call that has waited longest, or frees it; called by the holder only.
    public func unlock() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.isLocked = false
            return nil
        }
        next?.resume(returning: true)
    }
}
