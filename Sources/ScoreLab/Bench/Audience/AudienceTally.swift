// Figures of different sizes compare only per row or per million.

import ScoreTypes

/// Collects the figures of one size.
struct AudienceTally {
    let devices: Int
    private(set) var figures: [AudienceFigure] = []

    init(devices: Int) { self.devices = devices }

    mutating func add(_ key: String, _ title: String, _ value: Double, _ sense: AudienceFigure.Sense) {
        figures.append(AudienceFigure(key: key, title: title, value: value, sense: sense))
    }

    /// A rate of rows.
    mutating func perSecond(_ key: String, _ title: String, _ rows: Int, _ time: Duration) {
        add(key, title, Double(rows) / max(time.inSeconds, 1e-9), .more)
    }

    /// An amount, divided by the millions of devices.
    mutating func perMillion(_ key: String, _ title: String, _ value: Double, _ sense: AudienceFigure.Sense) {
        add(key + "PerMillion", title + " a million devices", value / (Double(devices) / 1e6), sense)
    }

    /// The time of one of many rows.
    mutating func microseconds(_ key: String, _ title: String, _ time: Duration, _ rows: Int) {
        add(key, title + ", µs a row", time.inSeconds * 1e6 / Double(max(1, rows)), .less)
    }

    /// The median and the 99th percentile of single calls.
    mutating func times(_ key: String, _ title: String, _ times: DurationSet) {
        for (name, part) in [("P50", 0.5), ("P99", 0.99)] {
            let value = times.percentile(part).inMilliseconds
            add(key + name + "Milliseconds", "\(title), \(name.lowercased()), ms", value, .less)
        }
    }
}
