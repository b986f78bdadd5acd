// The named limits of the API; each is a key of the configuration.

/// The kinds of requests that have limits.
enum RatePolicy: String, Sendable, Hashable, CaseIterable {
    case read, write, tokens, activities, telemetry, register, notice
    case readAddress = "read.address"
    case registerDaily = "register.daily"
    case registerAttempt = "register.attempt"
    case registerAll = "register.all"
    case streamOpen = "stream.open"
    case streamOpenAddress = "stream.open.address"
    case streamOpenAll = "stream.open.all"
    case deviceLogin = "device.login"
    case noticeLogin = "notice.login"
    case adminLogin = "admin.login"

    /// The policy over a longer time from which one use takes, too.
    var longer: RatePolicy? { self == .register ? .registerDaily : nil }

    /// The policy that counts for a client without a credential, whose address many phones may share.
    var ofAddress: RatePolicy {
        switch self {
        case .read: .readAddress
        case .streamOpen: .streamOpenAddress
        default: self
        }
    }

    /// Whether an address pays also for the phones behind it that are known: else each of them could register more.
    var goesByAddress: Bool { self == .registerAttempt }
}

/// The quota of each policy.
struct RateLimits: Sendable, Hashable {
    var quotas: [RatePolicy: Quota] = [:]
    /// Addresses that thousands of phones share, such as those of a carrier's NAT.
    var sharedAddresses: [AddressBlock] = []
    /// Times by which the quotas of such an address are larger; 1 or more.
    var sharedFactor = 1

    /// Reads `limits.<policy>`.
    init(reading values: inout ConfigurationValues) {
        for policy in RatePolicy.allCases { quotas[policy] = values.quota("limits.\(policy.rawValue)") }
        sharedAddresses = values.addressBlocks("limits.shared.addresses")
        sharedFactor = max(1, values.integer("limits.shared.factor"))
    }

    /// The quota of a policy.
    subscript(policy: RatePolicy) -> Quota { quotas[policy] ?? Quota(count: 1, per: .seconds(1)) }

    /// The quota of a client.
    func quota(_ policy: RatePolicy, of party: ClientParty) -> Quota {
        let quota = self[policy]
        return isShared(party) ? Quota(count: quota.count * sharedFactor, per: quota.per) : quota
    }

    /// Whether a client is an address that many phones share.
    func isShared(_ party: ClientParty) -> Bool {
        guard !sharedAddresses.isEmpty, case .address(let address?) = party else { return false }
        return sharedAddresses.contains { $0.contains(address) }
    }
}
