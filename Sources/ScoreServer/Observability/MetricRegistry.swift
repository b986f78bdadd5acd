// The metrics since the start are in one bounded table, so that a scrape reads memory only.

import Synchronization

/// The series of all metrics of a process.
final class MetricRegistry: Sendable {
    /// The kind of a metric, which decides its text form.
    enum Kind: String, Sendable { case counter, gauge, histogram }

    /// One series: a metric with the values of its dimensions.
    struct Key: Sendable, Hashable {
        let name: String
        /// In the order of their names.
        let dimensions: [Dimension]

        /// A label and its value.
        struct Dimension: Sendable, Hashable {
            let name: String
            let value: String
        }

        init(name: String, dimensions: [(String, String)]) {
            self.name = name
            self.dimensions = dimensions.map { Dimension(name: MetricName.dimension($0.0), value: $0.1) }
                .sorted { $0.name < $1.name }
        }

        /// The place among the series of one metric.
        var order: String { dimensions.map { "\($0.name)=\($0.value)" }.joined(separator: ",") }
    }

    private struct Tables {
        var kinds: [String: Kind] = [:]
        var series: [Key: MetricSeries] = [:]
        var dropped = 0
    }

    private let tables = Mutex(Tables())

    /// The series of a key, made at first use; an unregistered one when the registry is full or the kind differs.
    func series(_ key: Key, kind: Kind) -> MetricSeries {
        let bounds = HistogramBuckets.fitting(key.name)
        return tables.withLock { tables in
            if let known = tables.series[key], tables.kinds[key.name] == kind { return known }
            let series = MetricSeries(bounds: kind == .histogram ? bounds : nil)
            guard tables.series.count < ServerLimits.metricSeries, tables.kinds[key.name, default: kind] == kind else {
                tables.dropped += 1
                return series
            }
            tables.kinds[key.name] = kind
            tables.series[key] = series
            return series
        }
    }

    /// Removes a series that its owner released.
    func forget(_ series: MetricSeries) {
        tables.withLock { tables in
            for (key, known) in tables.series where known === series { tables.series[key] = nil }
        }
    }

    /// All series in the order of their names, and the number of dropped ones.
    func snapshot() -> (metrics: [(name: String, kind: Kind, series: [(Key, MetricSeries.Value)])], dropped: Int) {
        let (kinds, series, dropped) = tables.withLock { ($0.kinds, $0.series, $0.dropped) }
        let groups = Dictionary(grouping: series.keys) { $0.name }
        let metrics = groups.keys.sorted().compactMap { name in
            kinds[name].map { kind in
                let keys = (groups[name] ?? []).sorted { $0.order < $1.order }
                return (name, kind, keys.compactMap { key in series[key].map { (key, $0.value) } })
            }
        }
        return (metrics, dropped)
    }
}
