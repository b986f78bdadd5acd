// The text that Prometheus reads, version 0.0.4.

/// Writes a registry as a scrape.
enum PrometheusText {
    /// The media type of the text.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// All series of a registry.
    static func render(_ registry: MetricRegistry) -> String {
        let (metrics, dropped) = registry.snapshot()
        var text = ""
        for metric in metrics {
            text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            for (key, value) in metric.series { append(key, value, metric.kind, to: &text) }
        }
        text += "# TYPE score_metrics_dropped_total counter\nscore_metrics_dropped_total \(dropped)\n"
        return text
    }

    private static func append(
        _ key: MetricRegistry.Key,
        _ value: MetricSeries.Value,
        _ kind: MetricRegistry.Kind,
        to text: inout String
    ) {
        guard kind == .histogram else {
            text += "\(key.name)\(labels(key)) \(number(value.number))\n"
            return
        }
        var total: UInt64 = 0
        for (index, count) in value.buckets.enumerated() {
            total &+= count
            let bound = index < value.bounds.count ? number(value.bounds[index]) : "+Inf"
            text += "\(key.name)_bucket\(labels(key, adding: ("le", bound))) \(total)\n"
        }
        text += "\(key.name)_sum\(labels(key)) \(number(value.number))\n"
        text += "\(key.name)_count\(labels(key)) \(total)\n"
    }

    private static func labels(_ key: MetricRegistry.Key, adding extra: (String, String)? = nil) -> String {
        var pairs = key.dimensions.map { ($0.name, $0.value) }
        if let extra { pairs.append(extra) }
        guard !pairs.isEmpty else { return "" }
        return "{" + pairs.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { String($0) } ?? String(value)
    }
}
