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
    private let texts: QuotaTexts
    private let buckets = Mutex(GenerationCache<Use, TokenBucket>(capacity: ServerLimits.rateLimitedClients))

    init(limits: RateLimits, clock: ServiceClock) {
        self.limits = limits
        self.clock = clock
        texts = QuotaTexts(limits)
    }

    /// Takes one token of a client from each limit of the policy, or throws `quota-exceeded` if one of them has none.
    @discardableResult
    func use(_ policy: RatePolicy, by party: ClientParty) throws(ServiceProblem) -> QuotaUse {
        let taken = take(policy, party, 1)
        if !taken.refused.isEmpty { throw problem(taken.refused, of: policy, by: party) }
        return use(taken, of: policy, by: party)
    }

    /// The quotas of a client as they are, without a use.
    func look(_ policy: RatePolicy, by party: ClientParty) -> QuotaUse {
        use(take(policy, party, 0), of: policy, by: party)
    }

    /// Whether a client has no token left.
    func isSpent(_ policy: RatePolicy, by party: ClientParty) -> Bool { !take(policy, party, 0).refused.isEmpty }

    /// Times by which the limits of a client are larger than those of others.
    func factor(of party: ClientParty) -> Int { limits.isShared(party) ? limits.sharedFactor : 1 }

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

    private func take(_ policy: RatePolicy, _ party: ClientParty, _ count: Double) -> Taken {
        let (now, longer) = (clock.monotonic, policy.longer)
        let quota = limits.quota(policy, of: party)
        return buckets.withLock { buckets in
            var (refused, rest): ([Refusal], Double?) = ([], nil)
            let use = Use(policy: policy, party: party)
            var bucket = filled(buckets[use], quota, now)
            if let wait = bucket.wait(for: 1, perSecond: quota.perSecond) { refused.append((policy, wait)) }
            if let longer {
                let (use, quota) = (Use(policy: longer, party: party), limits.quota(longer, of: party))
                var bucket = filled(buckets[use], quota, now)
                if let wait = bucket.wait(for: 1, perSecond: quota.perSecond) { refused.append((longer, wait)) }
                if refused.isEmpty { bucket.take(count) }
                buckets[use] = bucket
                rest = bucket.level
            }
            if refused.isEmpty { bucket.take(count) }
            buckets[use] = bucket
            return Taken(refused: refused, level: bucket.level, longer: rest)
        }
    }

    private func filled(_ bucket: TokenBucket?, _ quota: Quota, _ now: Duration) -> TokenBucket {
        var bucket = bucket ?? TokenBucket(level: Double(quota.count), now: now)
        bucket.fill(perSecond: quota.perSecond, upTo: Double(quota.count), now: now)
        return bucket
    }

    private typealias Refusal = (policy: RatePolicy, wait: Duration)

    /// The buckets after an attempt to take from them.
    private struct Taken {
        let refused: [Refusal]
        let level: Double
        /// The level of the policy over a longer time.
        let longer: Double?
    }

    private func use(_ taken: Taken, of policy: RatePolicy, by party: ClientParty) -> QuotaUse {
        func level(_ policy: RatePolicy, _ level: Double) -> QuotaUse.Level {
            let quota = limits.quota(policy, of: party)
            let missing = (Double(quota.count) - level) / quota.perSecond
            return QuotaUse.Level(policy: policy, remaining: Int(level), seconds: Int64(missing.rounded(.up)))
        }
        return QuotaUse(
            policies: texts.text(policy, of: party),
            level: level(policy, taken.level),
            longer: policy.longer.flatMap { longer in taken.longer.map { level(longer, $0) } }
        )
    }

    /// The answer to a use that was refused (draft-ietf-httpapi-ratelimit-headers, revision 10).
    private func problem(_ refused: [Refusal], of policy: RatePolicy, by party: ClientParty) -> ServiceProblem {
        for refusal in refused {
            let dimensions = [("policy", refusal.policy.rawValue), ("decision", "refused")]
            Counter(label: "score_rate_limit_decisions_total", dimensions: dimensions).increment()
        }
        var problem = ServiceProblem(
            .quotaExceeded,
            extras: ["violatedPolicies": .array(refused.map { .text($0.policy.rawValue) })]
        )
        problem.retryAfter = refused.map(\.wait).max()
        problem.headers[.rateLimitPolicy] = texts.text(policy, of: party)
        let levels = refused.map { refusal in
            QuotaUse.Level(policy: refusal.policy, remaining: 0, seconds: refusal.wait.secondsRoundedUp).text
        }
        problem.headers[.remainingQuota] = levels.joined(separator: ", ")
        return problem
    }
}
