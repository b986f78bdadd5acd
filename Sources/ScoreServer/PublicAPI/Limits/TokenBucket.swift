// The classic bucket: it holds so many tokens, one use takes one, and time fills it evenly.

/// The state of one party under one quota.
struct TokenBucket: Sendable, Hashable {
    private var tokens: Double
    private var filledAt: Duration

    /// A full bucket.
    init(_ quota: Quota, now: Duration) {
        tokens = Double(quota.count)
        filledAt = now
    }

    /// Fills it as time has passed; returns nil when there is a token, else how long until there will be.
    mutating func wait(_ quota: Quota, now: Duration) -> Duration? {
        let rate = Double(quota.count) / (quota.per / .seconds(1))
        let passed = max(0, (now - filledAt) / .seconds(1))
        tokens = min(Double(quota.count), tokens + passed * rate)
        filledAt = max(filledAt, now)
        return tokens < 1 ? .milliseconds(Int64(((1 - tokens) / rate * 1000).rounded(.up))) : nil
    }

    /// Takes one token, or none, of those that ``wait(_:now:)`` found.
    mutating func take(_ count: Double) { tokens -= count }
}
