// The health routes read the state of the node through this protocol.

/// One condition of a healthy node.
struct HealthCheck: Sendable, Hashable {
    /// The name, such as `db`, `migrations`, `apnsKey` or `drain`.
    let name: String
    let isHealthy: Bool
    /// Whether the node is not ready without it.
    let isHard: Bool
    /// A few words for operators, without secrets.
    let detail: String?

    init(_ name: String, isHealthy: Bool, isHard: Bool = true, detail: String? = nil) {
        self.name = name
        self.isHealthy = isHealthy
        self.isHard = isHard
        self.detail = detail
    }
}

/// Reports the health of the process.
protocol HealthChecking: Sendable {
    /// Whether recovery has published the states that a crash left unpublished.
    var hasStarted: Bool { get }
    /// Runs all checks, within a second.
    func checks() async -> [HealthCheck]
}
