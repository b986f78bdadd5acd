// A poll that somebody can cut short.

internal import Synchronization

/// Wakes one waiter; a signal that comes before the wait is kept.
final class WakeUp: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Ends the wait that goes on, or the next one.
    func signal() {
        let waiter = state.withLock { state in
            state.isSet = state.waiter == nil
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits for a signal, the time, or cancellation; one waiter at a time.
    func wait(upTo time: Duration) async {
        let timer = Task {
            try await Task.sleep(for: time)
            signal()
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
                let isSet = state.withLock { state in
                    if state.isSet {
                        state.isSet = false
                        return true
                    }
                    state.waiter = waiter
                    return false
                }
                if isSet { waiter.resume() }
            }
        } onCancel: {
            signal()
        }
        timer.cancel()
    }
}
