// Two writers saturate a server of two cores; each has its own range of buckets, so that they never lock the same rows.

internal import ScoreTypes

/// The writers of one kind of call, by bucket.
struct BatchWriters<Call: BatchedWrite>: Sendable {
    private let writers: [BatchWriter<Call>]

    init(
        count: Int = FollowLimits.batchWriters,
        bounds: BatchBounds,
        clock: ServiceClock,
        write: @escaping BatchWriter<Call>.Write
    ) {
        writers = (0..<max(1, count)).map { _ in BatchWriter(bounds: bounds, clock: clock, write: write) }
    }

    /// Writes the call of a device through the writer of its bucket.
    nonisolated(nonsending) func submit(
        _ call: Call,
        of device: DeviceID
    ) async throws(FollowError) -> Call.Outcome {
        let bucket = Int(Bucket(of: device).number)
        return try await writers[bucket * writers.count / Bucket.count].submit(call)
    }
}
