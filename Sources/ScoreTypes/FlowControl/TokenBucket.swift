// A token bucket limits the rate of requests and still allows short bursts.

/// The content of one token bucket; its capacity and its refill rate are the caller's, since both may change.
public struct TokenBucket: Sendable, Hashable {
    /// Tokens in the bucket; fractions accumulate.
    public private(set) var level: Double
    private var filledAt: Duration

    /// A bucket with tokens in it.
    ///
    /// - Parameters:
    ///   - level: Tokens at the beginning.
    ///   - now: Monotonic time.
    public init(level: Double, now: Duration) {
        self.level = level
        filledAt = now
    }

    /// Adds the tokens that the time since the last call has earned.
    ///
    /// - Parameters:
    ///   - rate: Tokens per second.
    ///   - capacity: Tokens that the bucket can hold; those beyond it are lost.
    ///   - now: Monotonic time.
    public mutating func fill(perSecond rate: Double, upTo capacity: Double, now: Duration) {
        add(earned(perSecond: rate, now: now), upTo: capacity)
    }

    /// The tokens that the time since the last call has earned, for a caller that divides them before it adds them.
    ///
    /// - Parameters:
    ///   - rate: Tokens per second.
    ///   - now: Monotonic time; a time before that of the last call earns nothing.
    /// - Returns: Tokens, 0 or more.
    public mutating func earned(perSecond rate: Double, now: Duration) -> Double {
        defer { filledAt = max(filledAt, now) }
        return max(0, (now - filledAt) / .seconds(1)) * rate
    }

    /// Adds tokens; those beyond the capacity are lost, and so is what the bucket holds beyond it.
    ///
    /// - Parameters:
    ///   - tokens: Tokens, 0 or more.
    ///   - capacity: Tokens that the bucket can hold.
    public mutating func add(_ tokens: Double, upTo capacity: Double) { level = min(capacity, level + tokens) }

    /// Takes tokens out; the caller has seen that they are there.
    ///
    /// - Parameter count: Tokens.
    public mutating func take(_ count: Double) { level -= count }

    /// How long until the bucket holds so many tokens.
    ///
    /// - Parameters:
    ///   - count: Tokens.
    ///   - rate: Tokens per second, above 0.
    /// - Returns: Real time, rounded up to whole milliseconds; nil when the tokens are there.
    public func wait(for count: Double, perSecond rate: Double) -> Duration? {
        level < count ? .milliseconds(Int64(((count - level) / rate * 1000).rounded(.up))) : nil
    }
}
