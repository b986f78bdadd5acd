// No client waits for ever: whoever is slower than its deadline is cancelled, and the client is told.

import ScoreTypes
import Synchronization

/// How long the parts of a request may take.
struct DoorDeadlines: Sendable, Hashable {
    /// For a whole body to arrive; single bytes do not extend it.
    var body: Duration = .seconds(10)
    /// For a handler to work; a stream works after its answer has begun and has its own clock.
    var handler: Duration = .seconds(5)
}

/// Runs work against the clock.
enum Deadline {
    /// The work's result, or the problem as soon as the time is over.
    ///
    /// Work that is late, or whose client has left, is cancelled and left behind: what it waits for has bounds of its
    /// own. So of what ends with the request, such as the body, it may only wait for what its cancellation ends.
    static func run<Value: Sendable>(
        _ limit: Duration,
        _ problem: ServiceProblem,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let race = Race<Value>()
        let working = Task { race.end(with: await result(of: work)) }
        let waiting = Task {
            try await Task.sleep(for: limit)
            race.end(with: .failure(problem))
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        return try await withTaskCancellationHandler {
            try await race.result().get()
        } onCancel: {
            race.end(with: .failure(CancellationError()))
        }
    }

    /// Like `run`, but comes back only when the work has ended: it heeds cancellation, and is not to be left.
    static func runToEnd<Value: Sendable>(
        _ limit: Duration,
        _ problem: ServiceProblem,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw problem
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw problem }
            return first
        }
    }

    private static func result<Value: Sendable>(
        of work: @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }
}

/// One result, whoever comes first with it, and one who waits for it.
private final class Race<Value: Sendable>: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Result<Value, any Error>, Never>)
        case ended(Result<Value, any Error>)
    }

    private let state = Mutex<State>(.running)

    /// Ends the race, unless it has ended.
    func end(with result: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<Value, any Error>, Never>? in
            if case .ended = state { return nil }
            defer { state = .ended(result) }
            if case .awaited(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume(returning: result)
    }

    /// The result of whoever came first; asked for once.
    func result() async -> Result<Value, any Error> {
        await withCheckedContinuation { waiter in
            let known = state.withLock { state -> Result<Value, any Error>? in
                if case .ended(let result) = state { return result }
                state = .awaited(waiter)
                return nil
            }
            if let known { waiter.resume(returning: known) }
        }
    }
}
