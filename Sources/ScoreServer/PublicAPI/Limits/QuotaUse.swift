// Each answer reports what is left of the client's quotas, so that a client slows down before it is refused.

import HTTPTypes
import ScoreTypes
import Synchronization

/// A use of a policy's quotas, for the headers of the answer (draft-ietf-httpapi-ratelimit-headers, revision 10).
struct QuotaUse: Sendable {
    /// One quota after the use.
    struct Level: Sendable {
        let policy: RatePolicy
        /// Uses that are left.
        let remaining: Int
        /// Seconds until the quota is whole again; of a refused use, until the next one.
        let seconds: Int64

        /// Its element of `RateLimit`.
        var text: String { "\"\(policy.rawValue)\";r=\(remaining);t=\(seconds)" }
    }

    /// The value of `RateLimit-Policy`.
    let policies: String
    let level: Level
    /// The level of the policy over a longer time.
    var longer: Level?

    /// Adds the headers to those of an answer.
    func append(to headers: inout HTTPFields) {
        headers.append(HTTPField(name: .rateLimitPolicy, value: policies))
        let levels = longer.map { "\(level.text), \($0.text)" } ?? level.text
        headers.append(HTTPField(name: .remainingQuota, value: levels))
    }
}

/// The last use of a request, which its answer reports; a handler may outlive the answer.
final class QuotaNote: Sendable {
    private let last = Mutex<QuotaUse?>(nil)

    /// The last use; nil before the first.
    var use: QuotaUse? { last.withLock { $0 } }

    /// Replaces the last use.
    func set(_ use: QuotaUse) { last.withLock { $0 = use } }
}

/// The values of `RateLimit-Policy`, which are the same for all clients of one kind.
struct QuotaTexts: Sendable {
    private let own: [RatePolicy: String]
    private let shared: [RatePolicy: String]
    private let limits: RateLimits

    init(_ limits: RateLimits) {
        self.limits = limits
        func texts(_ factor: Int) -> [RatePolicy: String] {
            Dictionary(
                uniqueKeysWithValues: RatePolicy.allCases.map { policy in
                    let texts = [policy, policy.longer].compactMap { $0 }.map { policy in
                        let quota = limits[policy]
                        return "\"\(policy.rawValue)\";q=\(quota.count * factor);w=\(quota.per.secondsRoundedUp)"
                    }
                    return (policy, texts.joined(separator: ", "))
                }
            )
        }
        own = texts(1)
        shared = texts(limits.sharedFactor)
    }

    /// The value for a policy of a client.
    func text(_ policy: RatePolicy, of party: ClientParty) -> String {
        (limits.isShared(party) ? shared[policy] : own[policy]) ?? ""
    }
}
