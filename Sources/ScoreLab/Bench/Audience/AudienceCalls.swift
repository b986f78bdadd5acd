// Calls of phones are measured in two ways: thousands at once, and single ones at a steady pace.

import FollowService
import ScoreTypes

/// Runs calls of phones.
enum AudienceCalls {
    /// Calls under way at once: two batches of each lane.
    static let callers = 8_000

    /// Runs the calls of all numbers, `callers` at once; how long that took.
    static func all(_ count: Int, _ call: @escaping @Sendable (Int) async throws -> Void) async throws -> Duration {
        let start = ContinuousClock.now
        // Not children of one group: its list of them is searched whenever one ends.
        let work = (0..<min(callers, count)).map { caller in
            Task {
                for number in stride(from: caller, to: count, by: callers) {
                    try Task.checkCancellation()
                    try await call(number)
                }
            }
        }
        try await withTaskCancellationHandler {
            for task in work { try await task.value }
        } onCancel: {
            for task in work { task.cancel() }
        }
        return ContinuousClock.now - start
    }

    /// Starts the calls of all numbers at a steady pace; the time of each from when it was due.
    static func paced(
        _ count: Int,
        perSecond: Int,
        _ call: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> DurationSet {
        let start = ContinuousClock.now
        var work: [Task<Duration, any Error>] = []
        work.reserveCapacity(count)
        for number in 0..<count {
            let due = start + .seconds(1) * number / perSecond
            if due > ContinuousClock.now { try await Task.sleep(until: due) }
            work.append(
                Task {
                    try await call(number)
                    return ContinuousClock.now - due
                }
            )
        }
        var times: [Duration] = []
        for task in work { times.append(try await task.value) }
        return DurationSet(times)
    }
}
