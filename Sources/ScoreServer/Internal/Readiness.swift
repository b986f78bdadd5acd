// One failed look must not take a node out of traffic, and one good one is enough to bring it back.

/// Dampens readiness: it falls after two failures in a row, at once when draining, and rises after one success.
struct Readiness: Sendable, Hashable {
    /// Failures in a row that count.
    static let failuresMax = 2

    private var failures = 0
    private(set) var isReady = false

    /// Takes one look into account.
    mutating func see(_ checks: [HealthCheck]) -> Bool {
        let failed = checks.filter { !$0.isHealthy && $0.isHard }
        if failed.isEmpty {
            failures = 0
            isReady = true
        } else {
            failures += 1
            if failures >= Self.failuresMax || failed.contains(where: { $0.name == "drain" }) { isReady = false }
        }
        return isReady
    }
}
