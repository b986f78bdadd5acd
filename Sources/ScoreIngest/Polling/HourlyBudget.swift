// Plans of providers count calls by the hour; one that is used up is a match that stands still.

public import ScoreTypes

/// A bucket of requests that refills evenly over an hour of real time, with a fifth of the plan kept back.
public struct HourlyBudget: Sendable, Hashable {
    /// The share of the plan that is spent; the rest is for operators and for errors in counting.
    public static let share = 0.8

    /// Real time between two looks when a plan that was used up yesterday still is: its day ends at another hour than
    /// ours, and one look finds the new count.
    static let usedUpInterval: Duration = .seconds(3_600)
    private static let daySeconds: Int64 = 86_400

    private let planned: Double
    private var perSecond: Double
    private let capacity: Double
    private var level: Double
    private var filledAt: Duration
    /// Before when nothing is sent, since the day's plan is used up; nil while it is not.
    private var closedUntil: Duration?
    /// The day, counted from 1970 in UTC, on which the plan was found to be used up.
    private var usedUpOn: Int64?

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

    /// Spreads what the provider says is left of the day evenly over what is left of it, with the same fifth kept back:
    /// when only that is left, nothing is sent until the day is over.
    ///
    /// - Parameters:
    ///   - allowance: The provider's own count.
    ///   - now: The monotonic clock.
    ///   - wall: Tells how much is left of the day, which ends at midnight UTC.
    public mutating func obey(_ allowance: RequestAllowance, now: Duration, wall: Instant) {
        fill(now)
        let left = Double(allowance.left) - Double(allowance.limit) * (1 - Self.share)
        let (day, second) = wall.seconds.quotientAndRemainder(dividingBy: Self.daySeconds)
        let rest = max(1, Self.daySeconds - second)
        guard left >= 1 else {
            level = 0
            let since = usedUpOn ?? day
            usedUpOn = since
            closedUntil = now + (since == day ? .seconds(rest) : Self.usedUpInterval)
            return
        }
        (closedUntil, usedUpOn) = (nil, nil)
        perSecond = min(planned, left / Double(rest))
        level = min(level, max(1, perSecond * 3_600))
    }

    private mutating func fill(_ now: Duration) {
        if let closedUntil {
            guard now >= closedUntil else { return }
            // One request, which finds out what the new day allows.
            (self.closedUntil, level, filledAt) = (nil, 1, now)
        }
        level = min(capacity, level + max(0, (now - filledAt) / .seconds(1)) * perSecond)
        filledAt = now
    }

    /// Takes one request out.
    ///
    /// - Returns: nil when there was one, else the real time until there is.
    public mutating func take(now: Duration) -> Duration? {
        fill(now)
        if let closedUntil { return closedUntil - now }
        if level >= 1 {
            level -= 1
            return nil
        }
        return .seconds((1 - level) / perSecond)
    }
}
