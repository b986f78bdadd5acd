// All metrics have one form: `score_`, underscores, the unit at the end.

/// Names in the form of Prometheus.
enum MetricName {
    /// The prefix of every metric of the product.
    static let prefix = "score_"

    /// Replaces what Prometheus does not allow, and adds the prefix and the suffix where they lack.
    static func of(_ label: String, suffix: String = "") -> String {
        var name = dimension(label)
        if !name.hasPrefix(prefix) { name = prefix + name }
        if !suffix.isEmpty && !name.hasSuffix(suffix) { name += suffix }
        return name
    }

    /// The name of a dimension: replaces what Prometheus does not allow.
    static func dimension(_ label: String) -> String {
        var name = ""
        for scalar in label.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": name.unicodeScalars.append(scalar)
            default: name.append("_")
            }
        }
        return name.first?.isNumber == true ? "_" + name : name
    }
}
