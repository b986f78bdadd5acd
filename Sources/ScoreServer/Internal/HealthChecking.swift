// The health routes read the state of the node through this protocol.

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

/// Reports the health of the process.
protocol HealthChecking: Sendable {
    /// Whether recovery has published the states that a crash left unpublished.
    var hasStarted: Bool { get }
    /// Runs all checks, within a second.
    func checks() async -> [HealthCheck]
}
