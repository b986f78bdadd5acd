// What the health routes ask of the composition.

/// One thing that has to work.
struct HealthCheck: Sendable, Hashable {
    /// `db`, `migrations`, `apnsKey`, `drain` …
    let name: String
    let isHealthy: Bool
    /// Whether the node takes no traffic without it.
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

/// Knows how the process is.
protocol HealthChecking: Sendable {
    /// Whether recovery has published what a crash left behind.
    var hasStarted: Bool { get }
    /// Looks at everything within a second.
    func checks() async -> [HealthCheck]
}
