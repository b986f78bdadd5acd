// Waits between attempts grow and vary, so that many clients do not return at the same moment.

/// The waits after failures in sequence.
public struct BackOff: Sendable, Hashable {
    /// Failures since the last success.
    public private(set) var failures = 0

    /// Begins without failures.
    public init() {}

    /// The wait after one more failure: half of a doubling bound, and a random part up to the other half.
    mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
        let doublings = min(failures, 16)
        failures += 1
        let bound = min(ClientLimits.firstWait * (1 << doublings), ClientLimits.longestWait).milliseconds
        return .milliseconds(Int64.random(in: (bound / 2)...bound, using: &random))
    }

    /// Resets the wait after a success.
    mutating func reset() { failures = 0 }
}
