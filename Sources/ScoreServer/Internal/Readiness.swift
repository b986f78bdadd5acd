// One failed check does not stop traffic to a node, and one passed check resumes it.

/// Dampens readiness: it falls after two failures in a row, at once when draining, and rises after one success.
struct Readiness: Sendable, Hashable {
    private var failures = 0
    private(set) var isReady = false

    /// Adds the result of one round of checks.
    mutating func see(_ checks: [HealthCheck]) -> Bool {
        let failed = checks.filter { !$0.isHealthy && $0.isHard }
        if failed.isEmpty {
            failures = 0
            isReady = true
        } else {
            failures += 1
            if failures >= ServerLimits.readinessFailures || failed.contains(where: { $0.name == "drain" }) {
                isReady = false
            }
        }
        return isReady
    }
}
