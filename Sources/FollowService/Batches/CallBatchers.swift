// Two batchers saturate a server of two cores; each has its own range of buckets, so that they lock no common rows.

internal import ScoreTypes

/// The batchers of one kind of call, by bucket.
struct CallBatchers<Call: BatchedCall>: Sendable {
    private let batchers: [CallBatcher<Call>]

    init(
        count: Int = FollowLimits.callBatchers,
        bounds: BatchBounds,
        clock: ServiceClock,
        work: @escaping CallBatcher<Call>.Work
    ) {
        batchers = (0..<max(1, count)).map { _ in CallBatcher(bounds: bounds, clock: clock, work: work) }
    }

    /// Runs the call of a device in the batcher of its bucket.
    nonisolated(nonsending) func submit(
        _ call: Call,
        of device: DeviceID
    ) async throws(FollowError) -> Call.Outcome {
        let bucket = Int(Bucket(of: device).number)
        return try await batchers[bucket * batchers.count / Bucket.count].submit(call)
    }
}
