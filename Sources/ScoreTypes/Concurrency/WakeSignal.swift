// A periodic task waits for its next turn, and has to begin it early when there is work or the process ends.

internal import Synchronization

/// A sleep of one task that any other task can end.
public final class WakeSignal: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isFired = false
        /// Counts sleeps, so that a timer that fires late ends no later sleep.
        var round = 0
        var isElapsed = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    /// A signal that was not fired.
    public init() {}

    /// Ends the sleep under way; without one, the next sleep returns at once.
    public func fire() {
        let sleeper = state.withLock { state in
            state.isFired = true
            return state.sleeper.take()
        }
        sleeper?.resume()
    }

    /// Sleeps until the time has passed, the signal is fired or the task is cancelled; one task at a time.
    ///
    /// - Parameter duration: Real time.
    /// - Returns: Whether the sleep ended early, by `fire` or by cancellation.
    @discardableResult
    public func sleep(_ duration: Duration) async -> Bool {
        if Task.isCancelled { return true }
        let round = state.withLock { state in
            state.round += 1
            state.isElapsed = false
            return state.round
        }
        let timer = Task { [self] in
            if (try? await Task.sleep(for: duration)) != nil { elapse(round) }
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if !state.isFired && !state.isElapsed { state.sleeper = continuation }
                    return state.isFired || state.isElapsed
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            fire()
        }
        return state.withLock { state in
            defer { state.isFired = false }
            return state.isFired
        }
    }

    private func elapse(_ round: Int) {
        let sleeper = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.round == round else { return nil }
            state.isElapsed = true
            return state.sleeper.take()
        }
        sleeper?.resume()
    }
}
