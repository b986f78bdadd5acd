// Some providers count calls by the day and say with each reply how many are left.

/// What a reply tells of the plan's use.
public struct RequestAllowance: Sendable, Hashable {
    /// Requests that the plan allows in a day.
    public let limit: Int
    /// Requests made today, by the provider's own count.
    public let used: Int

    /// Tells a count.
    public init(limit: Int, used: Int) {
        self.limit = limit
        self.used = used
    }

    /// Requests left today, at least 0.
    public var left: Int { max(0, limit - used) }
}
