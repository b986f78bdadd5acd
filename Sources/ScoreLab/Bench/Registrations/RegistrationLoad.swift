// Thousands of callers at once, each waiting for its own answer: what the store sees when a match begins.

import FollowService
import ScoreTypes

/// Callers that register phones through the follow store.
struct RegistrationLoad: Sendable {
    let activities: Activities
    let followers: BenchFollowers

    /// Registers `rows` phones for the `round`th time; how long that took.
    ///
    /// - `callers`: Calls under way at once.
    func registerAll(_ calls: [ActivityRegistration], callers: Int) async throws -> Duration {
        let start = ContinuousClock.now
        // Not children of one group: its list of them is searched whenever one ends, which phones would not cost us.
        let work = (0..<callers).map { caller in
            Task {
                for number in stride(from: caller, to: calls.count, by: callers) {
                    try Task.checkCancellation()
                    let call = calls[number]
                    let outcome = try await activities.register(call)
                    guard outcome == .registered(generation: Int32(clamping: call.clientSequence)) else {
                        throw MeasurementFailure("row \(number) became \(outcome)")
                    }
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

    /// Sends registrations at a steady pace whatever becomes of them; the time that each took.
    func registerOneByOne(count: Int, perSecond: Int) async throws -> [Duration] {
        let calls = followers.registrations(count, round: 1)
        let start = ContinuousClock.now
        var work: [Task<Duration, any Error>] = []
        work.reserveCapacity(count)
        for number in 0..<count {
            let due = start + .seconds(1) * number / perSecond
            if due > ContinuousClock.now { try await Task.sleep(until: due) }
            work.append(
                Task {
                    _ = try await activities.register(calls[number])
                    // From when it was due, so that a late start of ours counts too.
                    return ContinuousClock.now - due
                }
            )
        }
        var times: [Duration] = []
        for task in work { times.append(try await task.value) }
        return times
    }
}
