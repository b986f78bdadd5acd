// Applies the rate limits with token buckets, in a bounded table since clients choose its keys.

import HTTPTypes
import Metrics
import ScoreTypes
import Synchronization

/// The rate limits of one node.
final class RateLimiter: Sendable {
    private struct Party: Hashable, Sendable {
        let policy: RatePolicy
        let name: String
    }

    private let limits: RateLimits
    private let clock: ServiceClock
    private let buckets = Mutex(GenerationCache<Party, TokenBucket>(capacity: ServerLimits.rateLimitedClients))

    init(limits: RateLimits, clock: ServiceClock) {
        self.limits = limits
        self.clock = clock
    }

    /// Takes one token of a client from each limit of the policy, or throws `quota-exceeded` if one of them has none.
    func use(_ policy: RatePolicy, by name: String) throws(ServiceProblem) { try take(policy, name, 1) }

    /// Throws `quota-exceeded` when a client has no token left; takes none.
    func check(_ policy: RatePolicy, by name: String) throws(ServiceProblem) { try take(policy, name, 0) }

    private func take(_ policy: RatePolicy, _ name: String, _ count: Double) throws(ServiceProblem) {
        let now = clock.monotonic
        let policies = policy.taken
        let refused = buckets.withLock { parties in
            var taken = policies.map { policy in
                parties[Party(policy: policy, name: name)]
                    ?? TokenBucket(level: Double(limits[policy].count), now: now)
            }
            var refused: [Refusal] = []
            for (place, policy) in policies.enumerated() {
                let quota = limits[policy]
                taken[place].fill(perSecond: quota.perSecond, upTo: Double(quota.count), now: now)
                guard let wait = taken[place].wait(for: 1, perSecond: quota.perSecond) else { continue }
                refused.append((policy, wait))
            }
            for (place, policy) in policies.enumerated() {
                if refused.isEmpty { taken[place].take(count) }
                parties[Party(policy: policy, name: name)] = taken[place]
            }
            return refused
        }
        if !refused.isEmpty { throw problem(refused, of: policies) }
    }

    private typealias Refusal = (policy: RatePolicy, wait: Duration)

    /// The answer to a use that was refused (draft-ietf-httpapi-ratelimit-headers, revision 10).
    private func problem(_ refused: [Refusal], of policies: [RatePolicy]) -> ServiceProblem {
        for refusal in refused {
            let dimensions = [("policy", refusal.policy.rawValue), ("decision", "refused")]
            Counter(label: "score_rate_limit_decisions_total", dimensions: dimensions).increment()
        }
        var problem = ServiceProblem(
            .quotaExceeded,
            extras: ["violatedPolicies": .array(refused.map { .text($0.policy.rawValue) })]
        )
        problem.retryAfter = refused.map(\.wait).max()
        let quotas = policies.map { policy in
            "\"\(policy.rawValue)\";q=\(limits[policy].count);w=\(limits[policy].per.secondsRoundedUp)"
        }
        problem.headers[.rateLimitPolicy] = quotas.joined(separator: ", ")
        let waits = refused.map { "\"\($0.policy.rawValue)\";r=0;t=\($0.wait.secondsRoundedUp)" }
        problem.headers[.remainingQuota] = waits.joined(separator: ", ")
        return problem
    }
}
