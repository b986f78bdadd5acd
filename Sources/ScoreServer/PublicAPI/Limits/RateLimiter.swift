// Applies the rate limits with token buckets, in a bounded table since clients choose its keys.

import HTTPTypes
import Metrics
import ScoreTypes
import Synchronization

/// The rate limits of one node.
final class RateLimiter: Sendable {
    private struct Use: Hashable, Sendable {
        let policy: RatePolicy
        let party: ClientParty
    }

    private let limits: RateLimits
    private let clock: ServiceClock
    private let buckets = Mutex(GenerationCache<Use, TokenBucket>(capacity: ServerLimits.rateLimitedClients))

    init(limits: RateLimits, clock: ServiceClock) {
        self.limits = limits
        self.clock = clock
    }

    /// Takes one token of a client from each limit of the policy, or throws `quota-exceeded` if one of them has none.
    func use(_ policy: RatePolicy, by party: ClientParty) throws(ServiceProblem) { try take(policy, party, 1) }

    /// Throws `quota-exceeded` when a client has no token left; takes none.
    func check(_ policy: RatePolicy, by party: ClientParty) throws(ServiceProblem) { try take(policy, party, 0) }

    private func take(_ policy: RatePolicy, _ party: ClientParty, _ count: Double) throws(ServiceProblem) {
        let (now, longer) = (clock.monotonic, policy.longer)
        let refused = buckets.withLock { buckets in
            var refused: [Refusal] = []
            let use = Use(policy: policy, party: party)
            var bucket = filled(buckets[use], policy, now)
            if let wait = bucket.wait(for: 1, perSecond: limits[policy].perSecond) { refused.append((policy, wait)) }
            if let longer {
                let use = Use(policy: longer, party: party)
                var bucket = filled(buckets[use], longer, now)
                if let wait = bucket.wait(for: 1, perSecond: limits[longer].perSecond) {
                    refused.append((longer, wait))
                }
                if refused.isEmpty { bucket.take(count) }
                buckets[use] = bucket
            }
            if refused.isEmpty { bucket.take(count) }
            buckets[use] = bucket
            return refused
        }
        if !refused.isEmpty { throw problem(refused, of: [policy, longer].compactMap { $0 }) }
    }

    private func filled(_ bucket: TokenBucket?, _ policy: RatePolicy, _ now: Duration) -> TokenBucket {
        let quota = limits[policy]
        var bucket = bucket ?? TokenBucket(level: Double(quota.count), now: now)
        bucket.fill(perSecond: quota.perSecond, upTo: Double(quota.count), now: now)
        return bucket
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
