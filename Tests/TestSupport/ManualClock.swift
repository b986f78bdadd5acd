// Tests of waits and ages move this clock instead of waiting.

public import ScoreTypes
import Synchronization

/// Monotonic and wall time that only the test moves; both move together.
public final class ManualClock: Sendable {
    /// The wall time at the start, in 2096: a database's own clock counts times that tests take from it as the future.
    public static let wallAtZero = Instant(milliseconds: 4_000_000_000_000)

    private let passed = Mutex(Duration.zero)
    private let monotonicAtZero: Duration
    private let wallAtZero: Instant

    /// Starts at the given times.
    ///
    /// - Parameters:
    ///   - wallAtZero: The wall time at the start.
    ///   - monotonicAtZero: The monotonic time at the start.
    public init(wallAtZero: Instant = ManualClock.wallAtZero, monotonicAtZero: Duration = .zero) {
        self.wallAtZero = wallAtZero
        self.monotonicAtZero = monotonicAtZero
    }

    /// The wall time.
    public var now: Instant { wallAtZero + passed.withLock { $0 } }

    /// Moves both times.
    public func advance(by span: Duration) { passed.withLock { $0 += span } }

    /// Makes a service clock with these times.
    ///
    /// - Parameter speed: The speed of domain time, in domain seconds to a second.
    /// - Returns: A clock that follows this one.
    public func clock(speed: Int = 1) -> ServiceClock {
        ServiceClock(
            speed: speed,
            monotonic: { self.monotonicAtZero + self.passed.withLock { $0 } },
            wall: { self.wallAtZero + self.passed.withLock { $0 } }
        )
    }
}
