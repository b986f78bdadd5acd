// The named limits of the API; each is a key of the configuration.

/// The kinds of requests that have limits.
enum RatePolicy: String, Sendable, Hashable, CaseIterable {
    case read, write, tokens, telemetry, register, notice
    case registerDaily = "register.daily"
    case registerAll = "register.all"
    case streamOpen = "stream.open"
    case streamOpenAll = "stream.open.all"
    case deviceLogin = "device.login"
    case adminLogin = "admin.login"

    /// The policy over a longer time from which one use takes, too.
    var longer: RatePolicy? { self == .register ? .registerDaily : nil }

    /// Whether an address pays also for the phones behind it that are known: else each of them could register more.
    var goesByAddress: Bool { self == .register }
}

/// The quota of each policy.
struct RateLimits: Sendable, Hashable {
    var quotas: [RatePolicy: Quota] = [:]

    /// Reads `limits.<policy>`.
    init(reading values: inout ConfigurationValues) {
        for policy in RatePolicy.allCases { quotas[policy] = values.quota("limits.\(policy.rawValue)") }
    }

    /// The quota of a policy.
    subscript(policy: RatePolicy) -> Quota { quotas[policy] ?? Quota(count: 1, per: .seconds(1)) }
}
