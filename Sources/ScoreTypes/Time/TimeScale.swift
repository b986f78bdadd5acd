// A fast clock shortens the waits of domain time; the shortest real time of each kind of wait is defined here alone.

/// What a wait is for; no clock speed shortens a wait below the floor of its kind (PUBLICATION section 5).
public enum WaitKind: Sendable, Hashable, CaseIterable {
    /// Between requests for a match in play.
    case play
    /// Between requests for anything slower, and between probes of a feed whose breaker is open.
    case rest
    /// After a failed request.
    case retry
    /// Without an answer of the leading feed, before another feed leads.
    case failover
    /// After the listed start of a match that has not begun, before its polling ends.
    case lateStart

    /// The shortest real time of such a wait under a scaled clock.
    public var floor: Duration {
        switch self {
        // 50 requests a second are all that a simulation needs.
        case .play: .milliseconds(20)
        case .rest: .milliseconds(100)
        case .retry: .milliseconds(50)
        case .failover: .milliseconds(300)
        case .lateStart: .seconds(60)
        }
    }
}

/// How many times as fast as real time domain time runs.
public struct TimeScale: Sendable, Hashable {
    /// Seconds of domain time in one real second; 1 in production.
    public let speed: Int

    /// Makes a scale.
    ///
    /// - Parameter speed: Seconds of domain time in one real second; values below 1 count as 1.
    public init(speed: Int = 1) { self.speed = max(1, speed) }

    /// The real time of a span of domain time, without a floor: for comparisons, not for waits.
    ///
    /// - Parameter span: Domain time.
    /// - Returns: Real time.
    public func real(_ span: Duration) -> Duration { span / speed }

    /// The real time to wait for an interval of domain time.
    ///
    /// - Parameters:
    ///   - interval: Domain time.
    ///   - kind: What the wait is for.
    /// - Returns: Real time: the scaled interval, and not less than the floor of the kind or the interval itself,
    ///   whichever is shorter.
    public func real(_ interval: Duration, _ kind: WaitKind) -> Duration {
        max(interval / speed, min(interval, kind.floor))
    }

    /// The domain time of a span of real time.
    ///
    /// - Parameter span: Real time.
    /// - Returns: Domain time.
    public func domain(_ span: Duration) -> Duration { span * speed }
}
