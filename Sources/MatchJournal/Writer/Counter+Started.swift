// A rate is known from the first event only if its counter was reported before.

package import Metrics

extension Counter {
    /// A counter that reports 0 at once.
    package static func started(_ label: String, _ dimensions: [(String, String)] = []) -> Counter {
        let counter = Counter(label: label, dimensions: dimensions)
        counter.increment(by: 0)
        return counter
    }

    /// Such a counter for each value of a dimension.
    package static func started<Value: RawRepresentable<String> & Hashable>(
        _ label: String,
        _ dimensions: [(String, String)] = [],
        by name: String,
        _ values: [Value]
    ) -> [Value: Counter] {
        Dictionary(uniqueKeysWithValues: values.map { ($0, started(label, dimensions + [(name, $0.rawValue)])) })
    }
}
