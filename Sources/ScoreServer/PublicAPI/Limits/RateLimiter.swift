// Asks the buckets; the table behind them is bounded, since its keys come from strangers.

import Metrics
import ScoreTypes
import Synchronization

/// The rate limits of one node.
final class RateLimiter: Sendable {
    /// Most parties remembered; some 100 bytes each. A party pushed out starts with a full bucket again.
    static let partiesMax = 100_000

    private struct Party: Hashable, Sendable {
        let policy: RatePolicy
        let name: String
    }

    private let limits: RateLimits
    private let clock: ServiceClock
    private let buckets = Mutex(GenerationCache<Party, TokenBucket>(capacity: partiesMax))

    init(limits: RateLimits, clock: ServiceClock) {
        self.limits = limits
        self.clock = clock
    }

    /// Uses one token of a party.
    ///
    /// - Throws: `quota-exceeded`, with the time to wait.
    func use(_ policy: RatePolicy, by name: String) throws(ServiceProblem) {
        let quota = limits[policy]
        let now = clock.monotonic
        let party = Party(policy: policy, name: name)
        let wait = buckets.withLock { buckets in
            var bucket = buckets[party] ?? TokenBucket(quota, now: now)
            let wait = bucket.take(quota, now: now)
            buckets[party] = bucket
            return wait
        }
        guard let wait else { return }
        let dimensions = [("policy", policy.rawValue), ("decision", "refused")]
        Counter(label: "score_rate_limit_decisions_total", dimensions: dimensions).increment()
        var problem = ServiceProblem(
            .quotaExceeded,
            extras: ["violatedPolicies": .array([.text(policy.rawValue)])]
        )
        problem.retryAfter = wait
        throw problem
    }
}
