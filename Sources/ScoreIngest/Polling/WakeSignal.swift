// A task sleeps until its time comes, unless an event or its cancellation wakes it.

internal import Synchronization

/// Lets one task sleep and any other wake it.
final class WakeSignal: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isFired = false
        /// Counts sleeps, so that a timer that comes late ends no later sleep.
        var round = 0
        var isElapsed = false
        var sleeper: CheckedContinuation<Void, Never>?
    }

    /// Ends the sleep, or the next one at its begin.
    func fire() {
        let sleeper = state.withLock { state in
            state.isFired = true
            return state.sleeper.take()
        }
        sleeper?.resume()
    }

    /// Sleeps for real time, and not at all in a cancelled task; returns whether it was woken early.
    func sleep(_ duration: Duration) async -> Bool {
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
                let mayGoOn = state.withLock { state in
                    if !state.isFired && !state.isElapsed { state.sleeper = continuation }
                    return state.isFired || state.isElapsed
                }
                if mayGoOn { continuation.resume() }
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
