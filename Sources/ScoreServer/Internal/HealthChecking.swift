// The health routes read the state of the node through this protocol.

import Metrics

/// One condition of a healthy node.
struct HealthCheck: Sendable, Hashable {
    /// The name, such as `db`, `migrations`, `apnsKey` or `drain`.
    let name: String
    let isHealthy: Bool
    /// Whether the node is not ready without it.
    var isHard = true
    /// A few words for operators, without secrets.
    var detail: String?
}

extension HealthCheck {
    /// Sets the gauge of the check.
    func record(in registry: MetricRegistry) {
        let factory = PrometheusMetricsFactory(registry: registry)
        Gauge(label: "score_ready", dimensions: [("check", name)], factory: factory).record(isHealthy ? 1 : 0)
    }
}

/// Reports the health of the process.
protocol HealthChecking: Sendable {
    /// Whether recovery has published the states that a crash left unpublished.
    var hasStarted: Bool { get }
    /// Runs all checks, within a second.
    func checks() async -> [HealthCheck]
}
