// A clock whose time passes only when the test moves it.

import Foundation

@testable import ScoreClient

final class ManualClock: ClientClock, Sendable {
    private struct Waiter {
        var id: Int
        var deadline: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = ClientInstant(wall: 1_795_000_000_000, uptime: .zero)
        var lastID = 0
        var waiters: [Waiter] = []
        var cancelled: Set<Int> = []
        /// Tests that wait for a deadline in a range.
        var observers: [(range: ClosedRange<Duration>, reply: Reply<Void, CancellationError>)] = []
    }

    private let state = Locked(State())

    var now: ClientInstant { state.with { $0.now } }

    func wait(until uptime: Duration) async throws {
        let id = state.with { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.with { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if state.now.uptime >= uptime { return .success(()) }
                    state.waiters.append(Waiter(id: id, deadline: uptime, continuation: continuation))
                    for observer in state.observers where observer.range.contains(uptime) {
                        observer.reply.give(.success(()))
                    }
                    state.observers.removeAll { $0.range.contains(uptime) }
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.with { state -> Waiter? in
                guard let place = state.waiters.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiters.remove(at: place)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns when a task waits for a time that is at most `distance` ahead, and at least `least`.
    func hasWaiter(within distance: Duration, atLeast least: Duration = .zero) async throws {
        let reply = Reply<Void, CancellationError>()
        let isDue = state.with { state in
            let range = (state.now.uptime + least)...(state.now.uptime + distance)
            if state.waiters.contains(where: { range.contains($0.deadline) }) { return true }
            state.observers.append((range, reply))
            return false
        }
        if isDue { reply.give(.success(())) }
        try await reply.wait(cancelledBy: CancellationError())
    }

    /// Moves the time and ends the waits that are over.
    func advance(by time: Duration) {
        let due = state.with { state in
            state.now.uptime += time
            state.now.wall += time.milliseconds
            let due = state.waiters.filter { $0.deadline <= state.now.uptime }
            state.waiters.removeAll { $0.deadline <= state.now.uptime }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }
}
