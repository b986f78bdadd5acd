// Some providers count requests by the day and report the count with each reply.

/// A provider's count of requests.
public struct RequestAllowance: Sendable, Hashable {
    /// Requests that the plan allows in a day.
    public let limit: Int
    /// Requests made today.
    public let used: Int

    /// Requests left today, at least 0.
    public var left: Int { max(0, limit - used) }
}
