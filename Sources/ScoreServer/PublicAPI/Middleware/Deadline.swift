// Each request ends at its deadline: late work is cancelled, and the client receives a problem.

import ScoreTypes

/// How long the parts of a request may take.
struct RequestDeadlines: Sendable, Hashable {
    /// Time for a whole body to arrive.
    var body: Duration = ServerLimits.bodyDeadline
    /// Time for a handler until its answer begins; ``StreamTiming`` bounds a stream after that.
    var handler: Duration = ServerLimits.handlerDeadline
}

/// Runs work with a time limit.
enum Deadline {
    /// Runs work and returns without it when its time is over or its client has left.
    ///
    /// The work is cancelled and may end later, within the limits of what it waits for. It must therefore not read the
    /// body, which ends with the request; for that see ``runToEnd(_:_:_:)``.
    static func run<Value: Sendable>(
        _ limit: Duration,
        _ problem: ServiceProblem,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let first = FirstValue<Result<Value, any Error>>()
        let working = Task { first.set(await result(of: work)) }
        let waiting = Task {
            try await Task.sleep(for: limit)
            first.set(.failure(problem))
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        return try await withTaskCancellationHandler {
            try await first.value().get()
        } onCancel: {
            first.set(.failure(CancellationError()))
        }
    }

    /// Runs work that reacts to cancellation, and returns only after the work has ended.
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
