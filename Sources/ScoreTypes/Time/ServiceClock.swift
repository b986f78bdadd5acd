// Defines the speed of domain time, so that a demo plays a day in a minute on the same code path.

internal import Glibc

/// A moment of wall time, in milliseconds since 1970.
public struct Instant: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01 UTC.
    public let milliseconds: Int64
    /// Wraps milliseconds since 1970-01-01 UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { milliseconds < 0 ? (milliseconds + 1) / 1000 - 1 : milliseconds / 1000 }
    /// Milliseconds since 1970, followed by `ms`.
    public var description: String { "\(milliseconds)ms" }
    /// Orders by time.
    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
    /// A later instant, in whole milliseconds.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        Instant(milliseconds: instant.milliseconds + duration.milliseconds)
    }
    /// An earlier instant, in whole milliseconds.
    public static func - (instant: Instant, duration: Duration) -> Instant { instant + (.zero - duration) }
    /// The time between two instants.
    public static func - (left: Instant, right: Instant) -> Duration {
        .milliseconds(left.milliseconds - right.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    public var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

/// Wall time, and domain time that runs `speed` times as fast (PUBLICATION section 5).
///
/// `aps.timestamp`, ages of provider tokens, deadlines, leases, health and metrics use real time: `wall`, `monotonic`.
public struct ServiceClock: Sendable {
    /// Seconds of domain time per second of real time; 1 in production.
    public let speed: Int
    private let origin: Duration
    private let readMonotonic: @Sendable () -> Duration
    private let readWall: @Sendable () -> Instant

    /// Reads the system's clocks.
    ///
    /// - Parameter speed: Seconds of domain time per second of real time; values below 1 count as 1.
    public init(speed: Int = 1) {
        self.init(speed: speed, monotonic: { Self.read(CLOCK_MONOTONIC) }) {
            Instant(milliseconds: Self.read(CLOCK_REALTIME).milliseconds)
        }
    }

    /// Reads clocks that a test advances.
    ///
    /// - Parameters:
    ///   - speed: Seconds of domain time per second of real time; values below 1 count as 1.
    ///   - monotonic: Real time since an arbitrary start.
    ///   - wall: Real wall time.
    public init(
        speed: Int = 1,
        monotonic: @escaping @Sendable () -> Duration,
        wall: @escaping @Sendable () -> Instant
    ) {
        self.speed = max(1, speed)
        readMonotonic = monotonic
        readWall = wall
        origin = monotonic()
    }

    /// Real time since an arbitrary start; it never jumps.
    public var monotonic: Duration { readMonotonic() }

    /// Real wall time.
    public var wall: Instant { readWall() }

    /// Domain time since the clock was made.
    public var domain: Duration { (readMonotonic() - origin) * speed }

    /// Converts an interval of domain time to real time.
    ///
    /// - Parameters:
    ///   - interval: Domain time.
    ///   - kind: The purpose of a wait, which sets the shortest real time; nil for none.
    /// - Returns: Real time.
    public func real(_ interval: Duration, _ kind: WaitKind? = nil) -> Duration {
        max(interval / speed, min(interval, kind?.floor ?? .zero))
    }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
