// Times of many balls, reduced to the two numbers that an operator compares.

import ScoreTypes

/// A set of durations with percentiles by nearest rank.
struct DurationSet: Sendable {
    private let sorted: [Duration]

    init(_ values: [Duration] = []) { sorted = values.sorted() }

    /// The value below or at which a share of all (0…1) lies, zero when there are none.
    func percentile(_ share: Double) -> Duration {
        guard !sorted.isEmpty else { return .zero }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    /// The number of durations.
    var count: Int { sorted.count }

    /// The median and the 99th percentile.
    var text: String {
        "p50 \(percentile(0.5).reportMilliseconds) ms, p99 \(percentile(0.99).reportMilliseconds) ms"
    }

    /// The number, the median, the 99th percentile and the longest.
    var textWithMaximum: String { "\(count): \(text), longest \(percentile(1).reportMilliseconds) ms" }
}

extension Duration {
    /// Milliseconds with two decimals, for reports.
    var reportMilliseconds: Double { inMilliseconds.rounded(to: 2) }

    /// Milliseconds with their fraction.
    var inMilliseconds: Double { inSeconds * 1_000 }

    /// Seconds with their fraction.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension Double {
    /// Rounded for reading.
    func rounded(to places: Int) -> Double {
        let factor = (0..<places).reduce(1.0) { value, _ in value * 10 }
        return (self * factor).rounded() / factor
    }
}
