// Two lanes saturate a server of two cores; each has its own range of buckets, so that they never lock the same rows.

internal import ScoreTypes

/// The lanes of one kind of call, by bucket.
struct LaneSet<Call: LaneCall>: Sendable {
    /// Lanes a kind: more connections were measured to add nothing.
    static var laneCountUsual: Int { 2 }

    private let lanes: [Lane<Call>]

    init(
        count: Int = laneCountUsual,
        bounds: LaneBounds,
        clock: ServiceClock,
        write: @escaping Lane<Call>.Writer
    ) {
        lanes = (0..<max(1, count)).map { _ in Lane(bounds: bounds, clock: clock, write: write) }
    }

    /// Writes the call of a device through the lane of its bucket.
    nonisolated(nonsending) func submit(
        _ call: Call,
        of device: DeviceID
    ) async throws(FollowError) -> Call.Outcome {
        let bucket = Int(Bucket(of: device).number)
        return try await lanes[bucket * lanes.count / Bucket.count].submit(call)
    }

    /// Calls that wait in all lanes.
    var waitingCount: Int { lanes.reduce(0) { $0 + $1.waitingCount } }

    func stop() { lanes.forEach { $0.stop() } }
}
