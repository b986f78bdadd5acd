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
    func use(_ policy: RatePolicy, by party: ClientParty) throws(ServiceProblem) {
        let refused = take(policy, party, 1)
        if !refused.isEmpty { throw problem(refused, of: [policy, policy.longer].compactMap { $0 }, by: party) }
    }

    /// Whether a client has no token left.
    func isSpent(_ policy: RatePolicy, by party: ClientParty) -> Bool { !take(policy, party, 0).isEmpty }

    /// Takes one token of a client where there is one, for a use that is not refused.
    func count(_ policy: RatePolicy, by party: ClientParty) { _ = take(policy, party, 1) }

    /// Returns the tokens of a use that had no effect.
    func giveBack(_ policy: RatePolicy, by party: ClientParty) {
        let now = clock.monotonic
        buckets.withLock { buckets in
            for policy in [policy, policy.longer].compactMap({ $0 }) {
                let (use, quota) = (Use(policy: policy, party: party), limits.quota(policy, of: party))
                var bucket = filled(buckets[use], quota, now)
                bucket.add(1, upTo: Double(quota.count))
                buckets[use] = bucket
            }
        }
    }

    private func take(_ policy: RatePolicy, _ party: ClientParty, _ count: Double) -> [Refusal] {
        let (now, longer) = (clock.monotonic, policy.longer)
        let quota = limits.quota(policy, of: party)
        return buckets.withLock { buckets in
            var refused: [Refusal] = []
            let use = Use(policy: policy, party: party)
            var bucket = filled(buckets[use], quota, now)
            if let wait = bucket.wait(for: 1, perSecond: quota.perSecond) { refused.append((policy, wait)) }
            if let longer {
                let (use, quota) = (Use(policy: longer, party: party), limits.quota(longer, of: party))
                var bucket = filled(buckets[use], quota, now)
                if let wait = bucket.wait(for: 1, perSecond: quota.perSecond) { refused.append((longer, wait)) }
                if refused.isEmpty { bucket.take(count) }
                buckets[use] = bucket
            }
            if refused.isEmpty { bucket.take(count) }
            buckets[use] = bucket
            return refused
        }
    }

    private func filled(_ bucket: TokenBucket?, _ quota: Quota, _ now: Duration) -> TokenBucket {
        var bucket = bucket ?? TokenBucket(level: Double(quota.count), now: now)
        bucket.fill(perSecond: quota.perSecond, upTo: Double(quota.count), now: now)
        return bucket
    }

    private typealias Refusal = (policy: RatePolicy, wait: Duration)

    /// The answer to a use that was refused (draft-ietf-httpapi-ratelimit-headers, revision 10).
    private func problem(_ refused: [Refusal], of policies: [RatePolicy], by party: ClientParty) -> ServiceProblem {
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
            let quota = limits.quota(policy, of: party)
            return "\"\(policy.rawValue)\";q=\(quota.count);w=\(quota.per.secondsRoundedUp)"
        }
        problem.headers[.rateLimitPolicy] = quotas.joined(separator: ", ")
        let waits = refused.map { "\"\($0.policy.rawValue)\";r=0;t=\($0.wait.secondsRoundedUp)" }
        problem.headers[.remainingQuota] = waits.joined(separator: ", ")
        return problem
    }
}
