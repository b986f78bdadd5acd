// Times of many balls, reduced to the two numbers that an operator compares.

import ScoreTypes

/// A set of durations that tells its percentiles by nearest rank.
struct DurationSet: Sendable {
    private var values: [Duration] = []

    mutating func add(_ value: Duration) { values.append(value) }

    var isEmpty: Bool { values.isEmpty }

    /// The value below or at which a share of all (0…1) lies, zero when there are none.
    func percentile(_ share: Double) -> Duration {
        guard !values.isEmpty else { return .zero }
        let sorted = values.sorted()
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }
}

extension Duration {
    /// Milliseconds with two decimals, for reports.
    var reportMilliseconds: Double {
        let (seconds, attoseconds) = components
        let exact = Double(seconds) * 1_000 + Double(attoseconds) / 1e15
        return (exact * 100).rounded() / 100
    }
}
