// Providers' plans count requests by the hour or by the day; while a plan is used up the score stands still.

internal import Providers
internal import ScoreTypes

/// The use of a request: a small plan serves the matches in play first.
enum RequestUse: Sendable, Hashable {
    /// A match in play, or due to begin.
    case play
    /// Lists, matches to come, corrections after the end.
    case background
}

/// A token bucket of requests that refills evenly over an hour of real time; a fifth of the plan is kept back.
///
/// A quarter of the refill is reserved for background requests until their reserve is full; the rest serves the matches
/// in play. While more than half of the bucket is full, requests of either use are served.
struct HourlyBudget: Sendable, Hashable {
    /// The share of the plan that is spent; the rest is for operators and for errors in counting.
    static let share = 0.8
    /// The share of the refill that is reserved for `RequestUse.background`: on the smallest plan two lists can be read
    /// some ten times a day.
    static let backgroundShare = 0.25
    private static let daySeconds: Int64 = 86_400

    private let planned: Double
    private var perSecond: Double
    private let capacity: Double
    private var bucket: TokenBucket
    /// The reserve of `RequestUse.background` and its bound, in requests.
    private var backgroundLevel = 0.0
    private var backgroundMax: Double
    /// Whether the provider counts by the day.
    private var isDaily = false
    /// Until when nothing is sent, since the day's plan is used up; nil while it is not.
    private var closedUntil: Duration?
    /// The day, counted from 1970 in UTC, on which the plan was found to be used up.
    private var usedUpOn: Int64?
    private var queue = BudgetQueue()

    /// Starts with a tenth of the requests that the plan allows in an hour, at least 1.
    init(requests: Int, now: Duration) {
        let spendable = max(1, Double(requests) * Self.share)
        planned = spendable / 3_600
        perSecond = planned
        capacity = max(1, spendable / 10)
        backgroundMax = min(IngestLimits.savedBackgroundRequestsMax, max(1, capacity * Self.backgroundShare))
        bucket = TokenBucket(level: capacity, now: now)
    }

    /// Takes one request that can wait, if more than half of the bucket is full; returns whether it was taken.
    mutating func takeSpare(now: Duration) -> Bool {
        fill(now)
        guard bucket.level > capacity / 2 else { return false }
        bucket.take(1)
        return true
    }

    /// How full the bucket is, 0 to 1.
    mutating func left(now: Duration) -> Double {
        fill(now)
        return bucket.level / capacity
    }

    /// Spreads the rest of the provider's own count evenly over the rest of the day, which ends at midnight UTC, with
    /// the same fifth kept back; when only that is left nothing is sent until the day is over.
    mutating func adopt(_ allowance: RequestAllowance, now: Duration, wall: Instant) {
        fill(now)
        let left = Double(allowance.left) - Double(allowance.limit) * (1 - Self.share)
        let (day, second) = wall.seconds.quotientAndRemainder(dividingBy: Self.daySeconds)
        let rest = max(1, Self.daySeconds - second)
        guard left >= 1 else {
            bucket.take(bucket.level)
            (backgroundLevel, backgroundMax, isDaily) = (0, IngestLimits.savedBackgroundRequestsMax, true)
            let since = usedUpOn ?? day
            usedUpOn = since
            closedUntil = now + (since == day ? .seconds(rest) : IngestLimits.usedUpInterval)
            return
        }
        (closedUntil, usedUpOn) = (nil, nil)
        perSecond = min(planned, left / Double(rest))
        bucket.add(0, upTo: levelMax)
        guard !isDaily else { return }
        isDaily = true
        backgroundMax = IngestLimits.savedBackgroundRequestsMax
        backgroundLevel = backgroundMax
    }

    /// The requests that the bucket holds at most: with a plan by the day those of an hour.
    private var levelMax: Double { min(capacity, max(1, perSecond * 3_600)) }

    private mutating func fill(_ now: Duration) {
        if let closedUntil {
            guard now >= closedUntil else { return }
            // One request, whose answer shows what the new day allows.
            self.closedUntil = nil
            bucket = TokenBucket(level: 1, now: now)
        }
        let refill = bucket.earned(perSecond: perSecond, now: now)
        let reserved = min(refill * Self.backgroundShare, max(0, backgroundMax - backgroundLevel))
        backgroundLevel += reserved
        bucket.add(refill - reserved, upTo: levelMax)
    }

    /// Takes one request; matches in play take turns, and a request without a match does not wait in their queue.
    ///
    /// - Returns: nil when it was taken, else the real time until there is one.
    mutating func take(for use: RequestUse = .play, by match: MatchID? = nil, now: Duration) -> Duration? {
        fill(now)
        if let closedUntil { return closedUntil - now }
        guard use == .play, let match else { return take(for: use, behind: 0) }
        let wait = take(for: use, behind: queue.ahead(of: match, now: now))
        if let wait { queue.refused(match, for: wait, now: now) } else { queue.served(match) }
        return wait
    }

    /// Takes one request if there is one for each of the others too.
    private mutating func take(for use: RequestUse, behind others: Int) -> Duration? {
        if use == .background, backgroundLevel >= 1 {
            backgroundLevel -= 1
            return nil
        }
        // The answer to the first request of a new day, whatever its use, shows what the day allows.
        let isFirst = use == .play || usedUpOn != nil
        let spare = isFirst ? 1 + Double(others) : max(isDaily ? IngestLimits.spareRequestsMin : 1, levelMax / 2)
        if bucket.level >= spare {
            bucket.take(1)
            return nil
        }
        // While the reserve is full, the whole refill serves the matches in play.
        let share = backgroundLevel < backgroundMax ? 1 - Self.backgroundShare : 1
        let wait = (spare - bucket.level) / (perSecond * share)
        return .seconds(use == .play ? wait : min(wait, (1 - backgroundLevel) / (perSecond * Self.backgroundShare)))
    }
}
