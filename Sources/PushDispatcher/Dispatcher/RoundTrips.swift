// Operators compare the present round trips to APNs with usual ones, without a metrics server.

internal import ScoreTypes

/// The newest samples of the time from a request to its answer.
public struct RoundTrips: Sendable, Hashable {
    private var samples: [Duration] = []
    private var next = 0

    /// Number of samples, at most `PushLimits.roundTrips`.
    public var count: Int { samples.count }

    mutating func add(_ durations: [Duration]) {
        for duration in durations {
            if samples.count < PushLimits.roundTrips {
                samples.append(duration)
            } else {
                samples[next] = duration
            }
            next = (next + 1) % PushLimits.roundTrips
        }
    }

    /// The smallest sample that is not exceeded by each share of them; empty without samples.
    ///
    /// - Parameter shares: Shares from 0 to 1.
    /// - Returns: One time for each share.
    public func quantiles(_ shares: [Double]) -> [Duration] {
        guard !samples.isEmpty else { return [] }
        let sorted = samples.sorted()
        return shares.map { share in
            let rank = Int((share * Double(sorted.count)).rounded(.up))
            return sorted[max(0, min(sorted.count - 1, rank - 1))]
        }
    }
}
