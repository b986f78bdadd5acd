// Plans of providers count calls by the hour; one that is used up is a match that stands still.

/// A bucket of requests that refills evenly over an hour of real time, with a fifth of the plan kept back.
public struct HourlyBudget: Sendable, Hashable {
    /// The share of the plan that is spent; the rest is for operators and for errors in counting.
    public static let share = 0.8

    /// Real time between two requests when a day's plan is used up: one of them finds the next day's count.
    static let usedUpInterval: Duration = .seconds(900)

    private let planned: Double
    private var perSecond: Double
    private let capacity: Double
    private var level: Double
    private var filledAt: Duration

    /// Starts with a tenth of an hour's requests at once.
    ///
    /// - Parameters:
    ///   - requests: What the plan allows in an hour; values below 1 count as 1.
    ///   - now: The monotonic clock.
    public init(requests: Int, now: Duration) {
        let spendable = max(1, Double(requests) * Self.share)
        planned = spendable / 3_600
        perSecond = planned
        capacity = max(1, spendable / 10)
        level = capacity
        filledAt = now
    }

    /// Takes one request out if more than half of what may be saved up is there: for what can wait.
    ///
    /// - Parameter now: The monotonic clock.
    /// - Returns: Whether it was taken.
    public mutating func takeSpare(now: Duration) -> Bool {
        fill(now)
        guard level > capacity / 2 else { return false }
        level -= 1
        return true
    }

    /// The share of what may be saved up that is there, 0 to 1.
    public mutating func left(now: Duration) -> Double {
        fill(now)
        return level / capacity
    }

    /// Spends no more in the hour to come than what the provider says is left of the day, with the same fifth kept
    /// back; a new day's count raises it to the plan again.
    ///
    /// - Parameters:
    ///   - allowance: The provider's own count.
    ///   - now: The monotonic clock.
    public mutating func obey(_ allowance: RequestAllowance, now: Duration) {
        fill(now)
        let left = max(0, Double(allowance.left) - Double(allowance.limit) * (1 - Self.share))
        level = min(level, left)
        perSecond = min(planned, max(left / 3_600, 1 / (Self.usedUpInterval / .seconds(1))))
    }

    private mutating func fill(_ now: Duration) {
        level = min(capacity, level + max(0, (now - filledAt) / .seconds(1)) * perSecond)
        filledAt = now
    }

    /// Takes one request out.
    ///
    /// - Returns: nil when there was one, else the real time until there is.
    public mutating func take(now: Duration) -> Duration? {
        fill(now)
        if level >= 1 {
            level -= 1
            return nil
        }
        return .seconds((1 - level) / perSecond)
    }
}
