// No handler may keep a client waiting for ever: whoever is slower than its deadline is cancelled.

import ScoreTypes

/// Runs work against the clock.
enum Deadline {
    /// The work's result, or the problem when the time is over first.
    static func run<Value: Sendable>(
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
}
