// One number that grows or moves, or one histogram; the handlers of swift-metrics write here.

import CoreMetrics
import Synchronization

/// The values of one series, and its handler for every kind of metric.
final class MetricSeries: Sendable {
    /// The values for a scrape.
    struct Value: Sendable, Hashable {
        /// The counter's or the gauge's number; the sum of a histogram.
        var number = 0.0
        /// The number of values in each bucket, the infinite one last; empty for numbers.
        var buckets: [UInt64] = []
        /// The upper bounds of the buckets; empty for numbers.
        var bounds: [Double] = []
    }

    private let bounds: [Double]?
    private let state: Mutex<Value>

    /// - Parameter bounds: The upper bounds of a histogram's buckets; nil for a number.
    init(bounds: [Double]?) {
        self.bounds = bounds
        let counts = bounds.map { [UInt64](repeating: 0, count: $0.count + 1) } ?? []
        state = Mutex(Value(buckets: counts, bounds: bounds ?? []))
    }

    /// The current values.
    var value: Value { state.withLock { $0 } }

    /// Adds to the number; ignores what is not finite.
    func add(_ amount: Double) {
        guard amount.isFinite else { return }
        state.withLock { $0.number += amount }
    }

    /// Replaces the number; ignores what is not finite.
    func replace(_ number: Double) {
        guard number.isFinite else { return }
        state.withLock { $0.number = number }
    }

    /// Puts a value into its bucket.
    func observe(_ value: Double) {
        guard value.isFinite, let bounds else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.number += value
            state.buckets[bucket] &+= 1
        }
    }
}

extension MetricSeries: CounterHandler {
    func increment(by amount: Int64) { add(Double(amount)) }
    func reset() { replace(0) }
}

extension MetricSeries: MeterHandler {
    func set(_ value: Int64) { replace(Double(value)) }
    func set(_ value: Double) { replace(value) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
}

extension MetricSeries: RecorderHandler {
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { if bounds == nil { replace(value) } else { observe(value) } }
}

extension MetricSeries: TimerHandler {
    func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1_000_000_000) }
}
