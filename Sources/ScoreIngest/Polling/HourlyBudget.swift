// Plans of providers count calls by the hour or by the day; one that is used up is a match that stands still.

public import Providers
public import ScoreTypes

/// What a request is for: a small plan is for the matches in play, and the rest makes do with what they leave.
enum RequestUse: Sendable, Hashable {
    /// A match in play, or due to be.
    case play
    /// Lists, matches to come, corrections after the end.
    case rest
}

/// A bucket of requests that refills evenly over an hour of real time, with a fifth of the plan kept back.
///
/// A quarter of what comes in is for what is not in play, and what that does not need is for the matches. When these
/// leave much over, the rest may have of it down to the half.
public struct HourlyBudget: Sendable, Hashable {
    /// The share of the plan that is spent; the rest is for operators and for errors in counting.
    public static let share = 0.8
    /// The share of a plan that is left to lists and matches not in play, whatever is in play: some ten readings of two
    /// lists a day of the smallest plan.
    static let restShare = 0.25
    /// What may be saved up of that share: one reading of two lists.
    static let restMax = 2.0
    /// As long as no more than this is saved up of a day's plan, it is for matches in play alone: the smallest plan is
    /// kept for them.
    static let spareMin = 10.0

    /// Real time between two looks when a plan that was used up yesterday still is: its day ends at another hour than
    /// ours, and one look finds the new count.
    static let usedUpInterval: Duration = .seconds(3_600)
    private static let daySeconds: Int64 = 86_400

    private let planned: Double
    private var perSecond: Double
    private let capacity: Double
    private var bucket: TokenBucket
    /// What is left to the rest, and how much that may be.
    private var restLevel = 0.0
    private var restMax: Double
    /// Whether the provider counts by the day.
    private var isDaily = false
    /// Before when nothing is sent, since the day's plan is used up; nil while it is not.
    private var closedUntil: Duration?
    /// The day, counted from 1970 in UTC, on which the plan was found to be used up.
    private var usedUpOn: Int64?
    private var queue = PlanQueue()

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
        restMax = min(Self.restMax, max(1, capacity * Self.restShare))
        bucket = TokenBucket(level: capacity, now: now)
    }

    /// Takes one request out if more than half of what may be saved up is there: for what can wait.
    ///
    /// - Parameter now: The monotonic clock.
    /// - Returns: Whether it was taken.
    public mutating func takeSpare(now: Duration) -> Bool {
        fill(now)
        guard bucket.level > capacity / 2 else { return false }
        bucket.take(1)
        return true
    }

    /// The share of what may be saved up that is there, 0 to 1.
    public mutating func left(now: Duration) -> Double {
        fill(now)
        return bucket.level / capacity
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
            bucket.take(bucket.level)
            (restLevel, restMax, isDaily) = (0, Self.restMax, true)
            let since = usedUpOn ?? day
            usedUpOn = since
            closedUntil = now + (since == day ? .seconds(rest) : Self.usedUpInterval)
            return
        }
        (closedUntil, usedUpOn) = (nil, nil)
        perSecond = min(planned, left / Double(rest))
        bucket.add(0, upTo: savedMax)
        guard !isDaily else { return }
        (isDaily, restMax, restLevel) = (true, Self.restMax, Self.restMax)
    }

    /// What may be saved up: of a day's plan an hour's worth.
    private var savedMax: Double { min(capacity, max(1, perSecond * 3_600)) }

    private mutating func fill(_ now: Duration) {
        if let closedUntil {
            guard now >= closedUntil else { return }
            // One request, which finds out what the new day allows.
            self.closedUntil = nil
            bucket = TokenBucket(level: 1, now: now)
        }
        let income = bucket.earned(perSecond: perSecond, now: now)
        let kept = min(income * Self.restShare, max(0, restMax - restLevel))
        restLevel += kept
        bucket.add(income - kept, upTo: savedMax)
    }

    /// Takes one request out, whatever it is for.
    ///
    /// - Returns: nil when there was one, else the real time until there is.
    public mutating func take(now: Duration) -> Duration? { take(for: .play, now: now) }

    /// Takes one request out.
    ///
    /// - Parameters:
    ///   - use: What it is for.
    ///   - match: Who asks, to be served in turn; nil for who need not be.
    ///   - now: The monotonic clock.
    /// - Returns: nil when there was one, else the real time until there is.
    mutating func take(for use: RequestUse, by match: MatchID? = nil, now: Duration) -> Duration? {
        fill(now)
        if let closedUntil { return closedUntil - now }
        guard use == .play, let match else { return take(for: use, behind: 0) }
        let wait = take(for: use, behind: queue.ahead(of: match, now: now))
        if let wait { queue.waits(match, for: wait, now: now) } else { queue.served(match) }
        return wait
    }

    /// Takes one request out when there is one for each of so many others too.
    private mutating func take(for use: RequestUse, behind others: Int) -> Duration? {
        if use == .rest, restLevel >= 1 {
            restLevel -= 1
            return nil
        }
        // Whoever comes first finds out what a new day allows.
        let isFirst = use == .play || usedUpOn != nil
        let spare = isFirst ? 1 + Double(others) : max(isDaily ? Self.spareMin : 1, savedMax / 2)
        if bucket.level >= spare {
            bucket.take(1)
            return nil
        }
        // What the rest has no room for is for the matches too.
        let wait = (spare - bucket.level) / (perSecond * (restLevel < restMax ? 1 - Self.restShare : 1))
        return .seconds(use == .play ? wait : min(wait, (1 - restLevel) / (perSecond * Self.restShare)))
    }
}
