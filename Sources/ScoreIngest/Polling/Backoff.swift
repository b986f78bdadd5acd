// A provider in trouble is asked less and less often, until it answers.

public import ScoreTypes

/// Counts failures in a row and tells how long to wait after each.
public struct Backoff: Sendable, Hashable {
    /// Wait after the first failure, in domain time; doubles with each further one.
    public static let first: Duration = .seconds(1)
    /// Longest wait of our own accord: a feed that is well again is found within it.
    public static let longest: Duration = .seconds(30)
    /// Longest wait that a provider may ask for by `Retry-After`; real, as its quota is.
    public static let retryAfterMax: Duration = .seconds(3_600)
    /// Real floor of a wait.
    public static let floor: Duration = .milliseconds(50)

    /// Failures since the last success.
    public private(set) var failures = 0

    /// Starts without failures.
    public init() {}

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - retryAfter: What the provider asked for, in real time.
    ///   - clock: Scales the wait.
    ///   - jitter: 0 to 1 from a generator.
    /// - Returns: The real time to wait.
    public mutating func failed(retryAfter: Duration?, clock: ServiceClock, jitter: Double) -> Duration {
        failures = min(failures + 1, 32)
        let doubled = min(Self.first * (1 << min(failures - 1, 16)), Self.longest)
        let ours = Cadence.real(doubled, floor: Self.floor, clock: clock, jitter: jitter)
        guard let retryAfter else { return ours }
        // Never earlier than asked, and not all at the same moment after it.
        return max(ours, min(retryAfter, Self.retryAfterMax) * (1 + 0.1 * min(max(jitter, 0), 1)))
    }

    /// Notes a success.
    public mutating func succeeded() { failures = 0 }
}
