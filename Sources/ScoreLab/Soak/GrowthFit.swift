// A leak is a slope under the noise of rounds; a line through many samples shows it.

import ScoreTypes

/// The line of least squares through samples of a quantity over time.
struct GrowthFit: Sendable, Hashable {
    /// Samples that were used.
    let count: Int
    /// The change of the quantity in a second.
    let slope: Double
    /// The mean of the quantity.
    let mean: Double
    /// Time from the first to the last of these samples.
    let span: Duration

    /// The change of the quantity over all samples.
    var growth: Double { slope * span.inSeconds }

    /// Fits the samples that are not older than the end of the warm-up.
    init(_ samples: [(at: Duration, value: Double)], from warm: Duration) {
        let used = samples.filter { $0.at >= warm }
        count = used.count
        guard let first = used.first, let last = used.last else {
            (slope, mean, span) = (0, 0, .zero)
            return
        }
        span = last.at - first.at
        let times = used.map { ($0.at - first.at).inSeconds }
        let (middle, average) = (Self.mean(times), Self.mean(used.map(\.value)))
        let spread = times.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
        let common = zip(times, used).reduce(0) { $0 + ($1.0 - middle) * ($1.1.value - average) }
        mean = average
        slope = spread > 0 ? common / spread : 0
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
}
